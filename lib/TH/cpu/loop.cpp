// Loops that were compiled while the program runs: the engine of element-wise operations for any
// number of operands and results, of sizes that are broadcast.
#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "TH_kernel.h"
#include "core/call/call.h"
#include "core/gradient/record.h"
#include "core/runtime/error.h"
#include "core/tensor/aliasing.h"
#include "cpu/blocks.h"
#include "cpu/parallel.h"
#include "cpu/past_caches.h"

namespace th::cpu {
namespace {

constexpr size_t kMost = TH_LOOP_TENSORS;

using Sizes = std::vector<int64_t>;

/// The sizes that all operands can be expanded to: from the last dimension on they are equal or 1.
Sizes common_sizes(std::span<const TH_Tensor* const> operands) {
  size_t ndim = 0;
  for (const TH_Tensor* t : operands) {
    ndim = std::max(ndim, static_cast<size_t>(t->ndim));
  }
  Sizes sizes(ndim, 1);
  for (const TH_Tensor* t : operands) {
    const size_t lead = ndim - static_cast<size_t>(t->ndim);
    for (size_t d = lead; d < ndim; ++d) {
      const int64_t size = t->sizes[d - lead];
      TH_CHECK(sizes[d] == 1 || size == 1 || size == sizes[d], "sizes ", shape(sizes), " and ",
               shape(*t), " do not agree; from the last dimension on they must be equal or 1");
      sizes[d] = sizes[d] == 1 ? size : sizes[d];
    }
  }
  return sizes;
}

/// t with those sizes, without a reference of its own: dimensions that it lacks have stride 0.
TH_Tensor expanded(const TH_Tensor& t, const Sizes& sizes) {
  TH_Tensor view;
  copy_handle(view, t);
  const size_t lead = sizes.size() - static_cast<size_t>(t.ndim);
  for (size_t d = 0; d < sizes.size(); ++d) {
    view.sizes[d] = sizes[d];
    view.strides[d] = d < lead || t.sizes[d - lead] != sizes[d] ? 0 : t.strides[d - lead];
  }
  view.ndim = static_cast<int16_t>(sizes.size());
  return view;
}

/// What one call works on: results first.
struct Work {
  const TH_LoopCall& call;
  std::vector<Operand> all;

  int64_t count() const { return numel(*all[0].tensor); }
  bool plain() const {
    bool plain = true;
    for (const Operand& o : all) {
      plain = plain && o.tensor->dtype == o.dtype && is_contiguous(*o.tensor);
    }
    return plain;
  }
};

int64_t grain_of(const TH_LoopCall& call) { return kGrain / std::max(call.cost, 1); }

/// Elements [begin, end) of operands in any strides and types, block by block. The ports lie on the
/// stack: nothing may fail on a thread.
void run_blocks(const TH_LoopCall& call, std::span<const Strided> all, int64_t begin, int64_t end) {
  const auto results = static_cast<size_t>(call.result_count);
  // As much as these need: the most there can be would be half a megabyte.
  constexpr size_t kBits = 8 * alignof(Port);
  auto* const ports =
      static_cast<Port*>(__builtin_alloca_with_align(all.size() * sizeof(Port), kBits));
  for (size_t i = 0; i < all.size(); ++i) {
    new (ports + i) Port(all[i], begin);
  }
  void* pointers[kMost];
  for (int64_t position = begin; position < end;) {
    int64_t n = end - position;
    for (size_t i = 0; i < all.size(); ++i) {
      n = std::min(n, ports[i].limit());
    }
    for (size_t i = 0; i < all.size(); ++i) {
      pointers[i] = i < results ? ports[i].write() : ports[i].read(n);
    }
    call.loop(pointers, n, call.numbers);
    for (size_t i = 0; i < results; ++i) {
      ports[i].commit(n);
    }
    position += n;
  }
}

/// n elements of each of `count` tensors where they lie.
void run_plain(const TH_LoopCall& call, void* const* pointers, int count, int64_t n) {
  const bool passes =
      call.past_caches != nullptr && worth_passing_caches(count * n * element_size(call.dtype),
                                                          pointers, call.result_count, count);
  const TH_Loop loop = passes ? call.past_caches : call.loop;
  parallel_for(n, grain_of(call), [&](int64_t begin, int64_t end) {
    void* from[kMost];
    for (int i = 0; i < count; ++i) {
      from[i] = static_cast<char*>(pointers[i]) + begin * element_size(call.dtype);
    }
    loop(from, end - begin, call.numbers);
  });
}

void run(const Work& work) {
  const TH_LoopCall& call = work.call;
  if (work.plain()) {
    void* pointers[kMost];
    for (size_t i = 0; i < work.all.size(); ++i) {
      pointers[i] = bytes(*work.all[i].tensor);
    }
    run_plain(call, pointers, static_cast<int>(work.all.size()), work.count());
    return;
  }
  const std::vector<Strided> all(work.all.begin(), work.all.end());
  parallel_for(work.count(), grain_of(call),
               [&](int64_t begin, int64_t end) { run_blocks(call, all, begin, end); });
}

bool is_plain(const TH_Tensor& t, const TH_LoopCall& call) {
  return t.dtype == call.dtype && t.device_type == TH_CPU && is_contiguous(t);
}

/// What most calls are: operands of one size that lie compactly, in the loop's type; results that
/// are new, or lie so as well, each over an operand's very elements or apart from all.
/// @return false where a call is not like that; nothing has changed then
bool run_if_plain(const TH_LoopCall& call) {
  const TH_Tensor& first = *call.operands[0];
  const int64_t n = numel(first);
  const int64_t size = n * element_size(call.dtype);
  const int count = call.result_count + call.operand_count;
  bool plain = n > 0;
  void* pointers[kMost];
  for (int i = 0; i < call.operand_count; ++i) {
    const TH_Tensor& x = *call.operands[i];
    plain = plain && is_plain(x, call) && same_sizes(x, first);
    pointers[call.result_count + i] = bytes(x);
  }
  for (int i = 0; plain && i < call.result_count; ++i) {
    const TH_Tensor& r = *call.results[i];
    if (r.ndim == 0 && r.store == nullptr) {
      plain = r.dtype == call.dtype && r.device_type == TH_CPU &&
              std::find(call.results, call.results + i, &r) == call.results + i;
      continue;
    }
    plain = is_plain(r, call) && same_sizes(r, first);
    char* const begin = bytes(r);
    const auto meets = [&](const void* other) {
      const int64_t distance = static_cast<const char*>(other) - begin;
      return distance < size && -distance < size;
    };
    for (int k = call.result_count; k < count; ++k) {
      plain = plain && (pointers[k] == begin || !meets(pointers[k]));
    }
    for (int k = 0; k < i; ++k) {
      plain = plain && call.results[k]->store != nullptr && !meets(pointers[k]);
    }
    pointers[i] = begin;
  }
  if (!plain) {
    return false;
  }
  const auto each_new = [&](const auto& f) {
    for (int i = 0; i < call.result_count; ++i) {
      if (call.results[i]->ndim == 0) {
        f(*call.results[i], std::span(first.sizes, static_cast<size_t>(first.ndim)), pointers[i]);
      }
    }
  };
  each_new([](TH_Tensor& r, auto sizes, auto&) { reserve(r, sizes); });  // all of them, or none
  each_new([](TH_Tensor& r, auto sizes, auto& at) {
    resize(r, sizes);
    at = bytes(r);
  });
  run_plain(call, pointers, count, n);
  for (int i = 0; i < call.result_count; ++i) {
    count_write(call.results[i]);
  }
  return true;
}

bool has_variables(const TH_Tensor* const* tensors, int count) {
  return gradient::has_variables(tensors, count);
}

/// Whether a call is nobody's concern: no hook's, and no record's.
bool goes_unnoticed(const TH_LoopCall& call) {
  if (!noticed()) {
    return true;
  }
  const auto& state = gradient::state();
  return !watched() && !has_variables(call.results, call.result_count) &&
         ((!state.enabled && !state.anomalies) ||
          !has_variables(call.operands, call.operand_count));
}

void check(const TH_LoopCall& call) {
  TH_CHECK(call.loop != nullptr && call.result_count >= 1 && call.operand_count >= 1,
           "needs a loop, a result and an operand");
  TH_CHECK(call.result_count + call.operand_count <= TH_LOOP_TENSORS, "takes ", TH_LOOP_TENSORS,
           " tensors at most, got ", call.result_count + call.operand_count);
  TH_CHECK(call.dtype == TH_FLOAT || call.dtype == TH_DOUBLE,
           "computes in float or double, not in type ", call.dtype);
  for (int i = 0; i < call.result_count + call.operand_count; ++i) {
    const TH_Tensor* t =
        i < call.result_count ? call.results[i] : call.operands[i - call.result_count];
    TH_CHECK(t != nullptr, "a tensor is missing");
    TH_CHECK(t->device_type == TH_CPU, "a ", type_name(*t), " is not on the CPU");
    TH_CHECK(i < call.result_count || t->ndim > 0, "an operand is empty");
  }
}

/// The call with results whose memory it may write: a tensor of its own stands in for one that
/// operands are still read from, that several elements share, or that lies over another result.
void run_call(const TH_LoopCall& call) {
  if (run_if_plain(call)) {
    return;
  }
  const std::span results(call.results, static_cast<size_t>(call.result_count));
  const std::span operands(call.operands, static_cast<size_t>(call.operand_count));
  const Sizes sizes = common_sizes(operands);
  std::vector<TH_Tensor> views;
  for (const TH_Tensor* t : operands) {
    views.push_back(expanded(*t, sizes));
  }
  std::vector<Tensor> own(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    TH_Tensor& r = *results[i];
    const bool sized = std::equal(sizes.begin(), sizes.end(), r.sizes, r.sizes + r.ndim);
    bool apart = sized && may_overlap_itself(r);
    for (const TH_Tensor& x : views) {
      apart = apart || (sized ? displaces(r, x) : shares_memory(r, x));
    }
    for (size_t k = 0; k < i; ++k) {
      apart = apart || (shares_memory(r, *results[k]) && overlaps(r, *results[k]));
    }
    if (apart) {
      own[i] = Tensor::like(r, r.dtype, sizes);
    }
    reserve(r, sizes);
  }
  Work work{call, {}};
  for (size_t i = 0; i < results.size(); ++i) {
    if (own[i].ndim == 0) {
      resize(*results[i], sizes);
    }
    work.all.push_back({own[i].ndim > 0 ? &own[i] : results[i], call.dtype});
  }
  for (const TH_Tensor& view : views) {
    work.all.push_back({&view, call.dtype});
  }
  run(work);
  for (size_t i = 0; i < results.size(); ++i) {
    if (own[i].ndim > 0) {
      resize(*results[i], sizes);
      copy(*results[i], own[i]);
    }
    count_write(results[i]);
  }
}

}  // namespace
}  // namespace th::cpu

int TH_runLoop(const TH_LoopCall* call) {
  return th::guarded("fused", [&] {
    th::cpu::check(*call);
    const auto run = [&] { th::cpu::run_call(*call); };
    const bool variables = th::cpu::has_variables(call->operands, call->operand_count) ||
                           th::cpu::has_variables(call->results, call->result_count);
    if (!th::watched() && !variables) [[likely]] {
      run();
    } else {
      th::gradient::Attended{th::Op::fused, variables, run}(call->results[0], call->operands,
                                                            call->operand_count);
    }
  });
}

int TH_runPlainLoop(const TH_LoopCall* call) {
  bool ran = false;
  const int status = th::guarded(
      "fused", [&] { ran = th::cpu::goes_unnoticed(*call) && th::cpu::run_if_plain(*call); });
  return ran ? TH_OK : status == TH_OK ? TH_ERROR : status;
}
