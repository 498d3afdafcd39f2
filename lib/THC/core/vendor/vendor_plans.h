// Which of a library's algorithms a convolution takes. Apart from the library, so that the choice
// can be tested without one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "TH_core.h"
#include "core/plan_cache.h"
#include "core/runtime/error.h"
#include "core/vendor/vendor.h"

namespace thc {

/// A library will not do what it was asked for. Another algorithm may, and kernels of ours can.
struct Refused : th::Error {
  using th::Error::Error;
};

/// A library cannot be used in this process at all.
struct Unusable : th::Error {
  using th::Error::Error;
};

/// A library tried and failed, in the midst of writing perhaps.
struct Failed : th::Error {
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

/// Everything a plan depends on: the pass, the operands' device, type and sizes, the steps, and the
/// options, so that a plan made under others is not taken for this one's.
inline th::PlanKey case_of(int pass, const TH_Tensor& t, const th::ConvShape& s,
                           const VendorOptions& o) {
  return {pass,   t.device,   t.dtype, s.dims,      s.groups,
          s.N,    s.C,        s.K,     s.D,         s.H,
          s.W,    s.kD,       s.kH,    s.kW,        s.dD,
          s.dH,   s.dW,       s.padD,  s.padH,      s.padW,
          s.dilD, s.dilH,     s.dilW,  o.benchmark, o.deterministic,
          o.tf32, o.workspace};
}

/// The plans made so far. For one thread, as the handles are. They take no memory of a device, and
/// remember what could not be had: they stay when a call that lacked memory is made again, and go
/// when somebody asks for that (`generation`).
class Plans {
 public:
  /// `propose` is asked once for each case: the library's proposals, the fastest first. Where it
  /// is refused there are none.
  template <class Propose>
  std::shared_ptr<Plan> find(const th::PlanKey& key, const VendorOptions& options,
                             Propose&& propose) {
    if (generation_ != options.generation) {
      plans_.clear();
      generation_ = options.generation;
    }
    return plans_.find<Plan>(key, [&]() -> Plan {
      try {
        return usable(propose(), options);
      } catch (const Refused&) {
        return {};
      }
    });
  }

  size_t size() const { return plans_.size(); }

 private:
  th::PlanCache plans_;
  int64_t generation_ = 0;
};

/// run(proposal) with the first algorithm of the plan that the library runs and whose memory can be
/// had. The first time that there is no memory passes on, so that unreachable tensors are collected
/// and the call is made again; an algorithm that gets none then either is dropped, as is one that
/// the library refuses. False: none is left.
///
/// One that fails is run once more, with the caches given back, where it writes afresh
/// (`repeatable`); where it fails again the next one runs, or the error passes on. Where it adds to
/// what is there its first failure is the caller's: another run would add to a sum that is half
/// done. `make_room` gives the caches back, and says whether the device is full even so: then the
/// algorithm is not to blame.
template <class Run, class MakeRoom>
bool run_first(Plan& plan, bool repeatable, Run&& run, MakeRoom&& make_room) {
  bool made_room = false;
  bool full = false;
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
    } catch (const Failed& failure) {
      if (repeatable && !made_room) {
        full = make_room();
        made_room = true;
        continue;
      }
      if (repeatable && full) {
        throw th::OutOfMemory(failure.what());
      }
      plan.erase(plan.begin());
      if (!repeatable || plan.empty()) {
        throw;
      }
    }
  }
  return false;
}

}  // namespace thc
