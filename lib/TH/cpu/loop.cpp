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
/// Bytes per result of a block that goes past the caches.
constexpr int64_t kStreamBlock = 4096;

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
  TH_Loop loop;
  const double* numbers;
  size_t results;
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

/// Elements [begin, end) of operands in any strides and types, block by block. The ports lie on the
/// stack: nothing may fail on a thread.
void run_blocks(const Work& work, std::span<const Strided> all, int64_t begin, int64_t end) {
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
      pointers[i] = i < work.results ? ports[i].write() : ports[i].read(n);
    }
    work.loop(pointers, n, work.numbers);
    for (size_t i = 0; i < work.results; ++i) {
      ports[i].commit(n);
    }
    position += n;
  }
}

/// Elements [begin, end) where they lie.
void run_plain(const Work& work, int64_t begin, int64_t end) {
  void* pointers[kMost];
  for (size_t i = 0; i < work.all.size(); ++i) {
    const TH_Tensor& t = *work.all[i].tensor;
    pointers[i] = bytes(t) + begin * element_size(t.dtype);
  }
  work.loop(pointers, end - begin, work.numbers);
}

/// The same with results that are written past the caches; begin is a multiple of 64.
void run_past_caches(const Work& work, int64_t begin, int64_t end) {
  alignas(64) char buffers[kMost][kStreamBlock];
  const int64_t size = element_size(work.all[0].dtype);
  const int64_t block = kStreamBlock / size;
  const auto store = convert_kernels().past_caches;
  void* pointers[kMost];
  for (int64_t position = begin; position < end; position += block) {
    const int64_t n = std::min(block, end - position);
    for (size_t i = 0; i < work.all.size(); ++i) {
      pointers[i] = i < work.results ? buffers[i] : bytes(*work.all[i].tensor) + position * size;
    }
    work.loop(pointers, n, work.numbers);
    const int64_t whole = n * size / 64 * 64;
    for (size_t i = 0; i < work.results; ++i) {
      char* to = bytes(*work.all[i].tensor) + position * size;
      store(to, buffers[i], whole);
      std::memcpy(to + whole, buffers[i] + whole, static_cast<size_t>(n * size - whole));
    }
  }
  convert_kernels().finish_past_caches();
}

/// Whether the results would leave the caches anyway, and can be written by whole lines. Not where
/// a result is an operand: its lines are read in any case.
bool worth_passing(const Work& work, int64_t n) {
  int64_t span = 0;
  for (const Operand& o : work.all) {
    span += n * element_size(o.dtype);
  }
  if (!exceeds_caches(span)) {
    return false;
  }
  for (size_t i = 0; i < work.results; ++i) {
    const char* to = bytes(*work.all[i].tensor);
    for (size_t k = work.results; k < work.all.size(); ++k) {
      if (bytes(*work.all[k].tensor) == to) {
        return false;
      }
    }
    if (reinterpret_cast<uintptr_t>(to) % 64 != 0) {
      return false;
    }
  }
  return true;
}

void run(const Work& work, int64_t grain) {
  const int64_t n = work.count();
  if (work.plain()) {
    const auto part = worth_passing(work, n) ? run_past_caches : run_plain;
    parallel_for(n, grain, [&](int64_t begin, int64_t end) { part(work, begin, end); });
    return;
  }
  const std::vector<Strided> all(work.all.begin(), work.all.end());
  parallel_for(n, grain, [&](int64_t begin, int64_t end) { run_blocks(work, all, begin, end); });
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
  Work work{call.loop, call.numbers, results.size(), {}};
  for (size_t i = 0; i < results.size(); ++i) {
    if (own[i].ndim == 0) {
      resize(*results[i], sizes);
    }
    work.all.push_back({own[i].ndim > 0 ? &own[i] : results[i], call.dtype});
  }
  for (const TH_Tensor& view : views) {
    work.all.push_back({&view, call.dtype});
  }
  run(work, kGrain / std::max(call.cost, 1));
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
    const bool variables =
        th::gradient::has_variables(call->operands, call->operand_count) ||
        th::gradient::has_variables(static_cast<const TH_Tensor* const*>(call->results),
                                    call->result_count);
    if (!th::watched() && !variables) [[likely]] {
      run();
    } else {
      th::gradient::Attended{th::Op::fused, variables, run}(call->results[0], call->operands,
                                                            call->operand_count);
    }
  });
}
