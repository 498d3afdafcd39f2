// What the fake cuDNN is to do, and what it saw; fake_cudnn.h is the fake itself.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <cudnn.h>

namespace thc::test {

/// What the library proposes next time it is asked, the fastest first.
struct Offer {
  int algorithm;
  cudnnStatus_t status;
  size_t workspace;
  cudnnDeterminism_t determinism;
  cudnnMathType_t math;
};

struct FakeCudnn {
  std::vector<Offer> offers;
  bool doubles = false;               ///< the factors of a call are doubles
  int64_t memory = int64_t{1} << 40;  ///< what a workspace may take
  std::set<int> refused;              ///< algorithms that it proposes and does not run
  /// What an algorithm does to the operands and the result; nothing, at first.
  std::function<void(const void* a, const void* b, void* c)> compute;
  int without_memory = 0;           ///< calls that find none of their own, from now on
  std::vector<cudnnStatus_t> says;  ///< to the next calls that run, before they do anything
  bool full = false;                ///< the device, with its caches given back
  bool refuses_to_propose = false;
  bool refuses_tensors = false;

  // What was seen.
  int asked = 0, measured = 0, ran = 0;
  int made_room = 0;     ///< times that the caches were given back
  std::string given_up;  ///< why the library is not asked any more
  int alive = 0;         ///< descriptors
  std::string last;      ///< the pass that ran
  int algorithm = -1;    ///< its algorithm
  size_t workspace = 0;  ///< its bytes
  bool has_workspace = false;
  double alpha = 0, beta = 0;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  size_t trial = 0;  ///< bytes to measure in
  const void* measured_into = nullptr;
  std::vector<int> tried;  ///< algorithms, in order
  std::string mistakes;    ///< what a real one would have refused or not survived

  template <class Perf>
  void propose(int room, int* count, Perf* list) const {
    *count = 0;
    for (const Offer& offer : offers) {
      if (*count < room) {
        Perf& p = list[(*count)++];
        p.algo = static_cast<decltype(p.algo)>(offer.algorithm);
        p.status = offer.status;
        p.memory = offer.workspace;
        p.determinism = offer.determinism;
        p.mathType = offer.math;
      }
    }
  }
};

inline FakeCudnn fake;

}  // namespace thc::test
