// Variables keep their sizes: what their history is of, and where views find their elements.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "core/call/signature.h"
#include "core/gradient/record.h"
#include "core/runtime/error.h"
#include "core/tensor/views.h"

namespace th::gradient {
namespace {

/// The sizes that a call of `resize` or `resizeAs` asks for.
std::span<const int64_t> asked_sizes(Op op, const TH_Value* values) {
  return op == Op::resizeAs
             ? sizes_of(*values[1].tensor)
             : std::span<const int64_t>(values[2].integers, static_cast<size_t>(values[1].integer));
}

}  // namespace

bool reshape(Op op, const TH_Value* values) {
  if ((op != Op::resize && op != Op::resizeAs) || !state().enabled) {
    return false;
  }
  auto& t = *const_cast<TH_Tensor*>(values[0].tensor);
  const auto sizes = asked_sizes(op, values);
  const bool strided = op == Op::resize && values[3].integers != nullptr;
  if (!is_variable(t) || strided || t.ndim == 0 || sizes.empty() || !is_contiguous(t) ||
      same_sizes(sizes, sizes_of(t)) ||
      std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>()) != numel(t)) {
    return false;
  }
  if (const Node* node = producer(t).node; node != nullptr && node->op == kLeaf) {
    return false;
  }
  const std::vector<int64_t> kept(sizes.begin(), sizes.end());
  views::view(&t, &t, static_cast<int>(kept.size()), kept.data());
  return true;
}

/// Of a call that changes a tensor's sizes: a Variable has to keep them, a leaf unrecorded, too.
bool Recording::resizes() const {
  if (op_ != Op::resize && op_ != Op::resizeAs) {
    return false;
  }
  const TH_Tensor& t = *values_[0].tensor;
  if (is_variable(t) &&
      (state().enabled || (producer(t).node != nullptr && producer(t).node->op == kLeaf))) {
    TH_CHECK(same_sizes(asked_sizes(op_, values_), sizes_of(t)), "a Variable of ", shape(t),
             " keeps its sizes; x:view(...) and x:reshape(...) give others");
  }
  return true;
}

void Recording::note_sizes(const TH_Tensor* t) {
  fixed_.emplace_back(const_cast<TH_Tensor*>(t), *t);
}

/// What is written unrecorded keeps its history, which is of its sizes.
void Recording::note_results() {
  const auto parameters = parameters_of(static_cast<int>(op_));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int role = parameters[i].role;
    const bool written = role == TH_ROLE_OUT || role == TH_ROLE_INOUT;
    const TH_Tensor* t = written ? values_[i].tensor : nullptr;
    if (t != nullptr && is_variable(*t) && producer(*t).node != nullptr) {
      note_sizes(t);
    }
  }
}

/// Views find their elements in the whole by its sizes.
void Recording::check_sizes() {
  for (const auto& [t, before] : fixed_) {
    const std::span<const int64_t> sizes(before.sizes, static_cast<size_t>(before.ndim));
    if (same_sizes(sizes, sizes_of(*t))) {
      continue;
    }
    const std::string given = shape(*t);
    t->offset = before.offset;
    t->ndim = before.ndim;
    std::copy_n(before.sizes, before.ndim, t->sizes);
    std::copy_n(before.strides, before.ndim, t->strides);
    const char* why = variable_of(*t)->view != nullptr ? ", a view of another"
                      : active_                        ? ", of which there are views"
                                                       : ", unrecorded";
    if (active_) {
      attach_written(*t, {});
    }
    fail("writes a result of ", given, " into a Variable of ", shape(*t), why,
         ": it keeps its sizes; write a result of its own");
  }
}

}  // namespace th::gradient
