// Which of a library's algorithms a convolution takes. Apart from the library, so that the choice
// can be tested without one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "TH_core.h"
#include "core/error.h"
#include "core/vendor.h"

namespace thc {

/// A library will not do what it was asked for. Another algorithm may, and kernels of ours can.
struct Refused : th::Error {
  using th::Error::Error;
};

/// An algorithm that the library proposes for a case.
struct Proposal {
  int algorithm;
  bool works;
  bool deterministic;
  int64_t workspace;     ///< bytes
  int math;              ///< the library's number for the kind of arithmetic
  bool refused = false;  ///< its workspace could not be had the last time
};

/// Those that may be used, in the library's order: the fastest first, as measured or as guessed.
using Plan = std::vector<Proposal>;

inline Plan usable(std::span<const Proposal> proposals, const VendorOptions& options) {
  Plan plan;
  for (const Proposal& p : proposals) {
    if (p.works && p.workspace <= options.workspace &&
        (!options.deterministic || p.deterministic)) {
      plan.push_back(p);
    }
  }
  return plan;
}

/// Everything a plan depends on: the pass, the operands' type, sizes and device, the steps, and the
/// options, so that a plan made under others is not taken for this one's.
using Case = std::vector<int64_t>;

inline Case case_of(int pass, const TH_Tensor& images, const TH_Tensor& weight, const Conv2d& p,
                    const VendorOptions& o) {
  Case c{pass,     images.device, images.dtype,    p.dH,   p.dW,       p.padH, p.padW,
         p.groups, o.benchmark,   o.deterministic, o.tf32, o.workspace};
  c.insert(c.end(), images.sizes, images.sizes + 4);
  c.insert(c.end(), weight.sizes, weight.sizes + 4);
  return c;
}

/// The plans made so far. For one thread, as the handles are.
class Plans {
 public:
  /// `propose` is asked once for each case: the library's proposals, the fastest first. Where it
  /// is refused there are none.
  template <class Propose>
  Plan& find(const Case& c, const VendorOptions& options, Propose&& propose) {
    if (generation_ != options.generation) {
      plans_.clear();
      generation_ = options.generation;
    }
    const auto found = plans_.find(c);
    if (found != plans_.end()) {
      return found->second;
    }
    Plan plan;
    try {
      plan = usable(propose(), options);
    } catch (const Refused&) {
    }
    return plans_[c] = std::move(plan);
  }

  size_t size() const { return plans_.size(); }

 private:
  std::map<Case, Plan> plans_;
  int64_t generation_ = 0;
};

/// run(proposal) with the first algorithm of the plan that the library runs and whose memory can be
/// had. The first time that there is no memory passes on, so that unreachable tensors are collected
/// and the call is made again; an algorithm that gets none then either is dropped, as is one that
/// the library refuses. False: none is left.
template <class Run>
bool run_first(Plan& plan, Run&& run) {
  while (!plan.empty()) {
    Proposal& p = plan.front();
    try {
      run(p);
      p.refused = false;
      return true;
    } catch (const th::OutOfMemory&) {
      if (!p.refused || p.workspace == 0) {
        p.refused = true;
        throw;
      }
      plan.erase(plan.begin());
    } catch (const Refused&) {
      plan.erase(plan.begin());
    }
  }
  return false;
}

}  // namespace thc
