#include "core/gradient/record.h"

#include <algorithm>

#include "core/call/signature.h"
#include "core/gradient/anomaly.h"
#include "core/gradient/derivative.h"
#include "core/gradient/value.h"
#include "core/operations.h"
#include "core/runtime/error.h"

namespace th::gradient {
namespace {

bool reads(int role) { return role == TH_ROLE_IN || role == TH_ROLE_INOUT; }
bool writes(int role) { return role == TH_ROLE_OUT || role == TH_ROLE_INOUT; }

size_t saved_bytes(int dimensions) {
  return sizeof(Saved) + 2 * sizeof(int64_t) * static_cast<size_t>(dimensions);
}

/// A leaf, or a view of one, may not be written while calls are recorded: nobody could say then
/// what its gradient is.
void check_writable(const TH_Tensor& t) {
  const Variable* v = variable_of(t);
  if (v == nullptr) {
    return;
  }
  const bool view = v->view != nullptr;
  const Node* node = (view ? v->view->base : v)->producer.node;
  TH_CHECK(node == nullptr || node->op != kLeaf, "writes into ", view ? "a view of " : "",
           "a Variable that backward() gives a gradient; write a result of its own, as in y = "
           "torch.add(x, 1), or change it outside of the record: torch.noGrad(function() ... end)");
}

constexpr const char* kIntoView =
    "writes what has a gradient into a view of a plain tensor, which would not know of it; write "
    "into the tensor itself, as in x:copy(v) or x[{ { 1, 3 } }] = v, or call x:requiresGrad(false) "
    "before the view is taken; where nobody else reads the tensor, as in torch.ones(6):view(2, 3), "
    "which counts until it is collected, write into a copy: view:clone()";

bool is_seen(const TH_Tensor& t) { return t.store != nullptr && t.store->references > 1; }

/// Other handles of the memory would show what was written, and not know of its gradient. Where
/// results may go into views, one that is only overwritten is a buffer, which is read by the handle
/// it was given as.
void check_whole(Op op, std::span<const TH_Parameter> parameters, const TH_Value* values) {
  for (size_t r = 0; r < parameters.size(); ++r) {
    const TH_Tensor* t = values[r].tensor;
    if (!writes(parameters[r].role) || t == nullptr || !is_seen(*t) || is_variable(*t)) {
      continue;
    }
    if (!state().fills_views) {
      check_no_view(*t);
      continue;
    }
    bool in_place = op == Op::copy || parameters[r].role == TH_ROLE_INOUT;
    for (size_t i = 0; i < parameters.size(); ++i) {
      in_place = in_place || (parameters[i].role == TH_ROLE_IN && values[i].tensor == t);
    }
    TH_CHECK(!in_place || (numel(*t) >= t->store->length && is_contiguous(*t)), kIntoView);
  }
}

Value unrecorded_copy(const TH_Tensor& t) {
  const Enabled off(false);
  return copied(Value(t));
}

}  // namespace

void check_no_view(const TH_Tensor& t) {
  TH_CHECK(t.is_view == 0 || is_variable(t) || !is_seen(t), kIntoView);
}

Recording::Recording(Op op, const TH_Value* values)
    : op_(op), values_(values), number_(std::exchange(state().number, nullptr)) {
  view_ = is_view(op);
  if (op == Op::alias && values[0].tensor != values[1].tensor) {
    stays_ = stays_leaf(*values[0].tensor, sizes_of(*values[1].tensor));
  }
  if (!resizes() && state().enabled) {
    active_ = true;
    begin();
  } else if (!view_) {
    note_results();
  }
}

Recording::~Recording() { release(node_); }

void Recording::begin() {
  const auto parameters = parameters_of(static_cast<int>(op_));
  const int count = static_cast<int>(parameters.size());
  const Derivative& derivative = derivative_of(static_cast<int>(op_));
  int inputs = 0, outputs = 0, most = 1;
  int64_t last_integer = 0;
  size_t bytes = 0;
  uint32_t wanted = 0;
  bool overwrites = false;
  const auto operand = [&](int i, const TH_Tensor* t) {
    bytes += saved_bytes(t->ndim);
    most = std::max<int>(most, t->ndim);
    if (is_variable(*t) && producer(*t).node != nullptr) {
      ++inputs;
      wanted |= 1u << i;
    }
  };
  for (int i = 0; i < count; ++i) {
    const int role = parameters[static_cast<size_t>(i)].role;
    const TH_Value& value = values_[i];
    if (reads(role) && value.tensor != nullptr) {
      operand(i, value.tensor);
    } else if (role == TH_ROLE_INS) {
      bytes += sizeof(Saved*) * static_cast<size_t>(values_[i + 1].integer);
      for (int64_t k = 0; k < values_[i + 1].integer; ++k) {
        operand(i, value.tensors[k]);
      }
    } else if (role == TH_ROLE_INTEGER) {
      last_integer = value.integer;
    } else if (role == TH_ROLE_INTEGERS && value.integers != nullptr) {
      bytes += sizeof(int64_t) * static_cast<size_t>(std::max<int64_t>(last_integer, 0));
      most = std::max<int>(most, static_cast<int>(last_integer));
    }
    if (writes(role)) {
      ++outputs;
      overwrites = overwrites || (value.tensor != nullptr && value.tensor->store != nullptr);
      if (value.tensor != nullptr && is_variable(*value.tensor) && !view_) {
        check_writable(*value.tensor);
        if (const Variable* v = variable_of(*value.tensor);
            v->view != nullptr || v->references > 1) {
          note_sizes(value.tensor);
        }
      }
    } else if (role == TH_ROLE_RESULT) {
      ++outputs;
    }
  }
  if (view_) {
    copy_handle(viewed_, *values_[1].tensor);
  }
  if (inputs == 0 || derivative.kind == Derivative::Kind::Constant) {
    return;
  }
  if (!view_) {
    check_whole(op_, parameters, values_);
  }
  most = std::min(most + 2, TH_MAX_DIMS);
  bytes += saved_bytes(most) * static_cast<size_t>(outputs);
  if (derivative.kind == Derivative::Kind::Known) {
    for (int i = 0; i < count; ++i) {
      if ((wanted >> i & 1) != 0) {
        kept_ |= derivative.reads[static_cast<size_t>(i)];
      }
    }
  }
  if ((overwrites || state().copies) && kept_ != 0 && !view_) {
    copy_overwritten();
  }
  node_ = new_node(static_cast<int>(op_), inputs, outputs, count, bytes, &room_);
  end_ = room_ + bytes;
  int edge = 0;
  const auto keep_operand = [&](int i, const TH_Tensor* t) {
    const bool memory = (kept_ >> i & 1) != 0;
    Saved* saved = place(memory ? as_read(i, *t) : *t, memory);
    if (is_variable(*t)) {
      if (const Edge from = producer(*t); from.node != nullptr) {
        retain(from.node);
        node_->edges[edge] = from;
        saved->edge = edge++;
        node_->hollow |= t->ndim == 0;
      }
    }
    return saved;
  };
  last_integer = 0;
  for (int i = 0; i < count; ++i) {
    const TH_Value& value = values_[i];
    Argument& argument = node_->arguments[i];
    switch (parameters[static_cast<size_t>(i)].role) {
      case TH_ROLE_IN:
      case TH_ROLE_INOUT:
        argument.tensor = value.tensor == nullptr ? nullptr : keep_operand(i, value.tensor);
        break;
      case TH_ROLE_INS: {
        const auto n = static_cast<size_t>(values_[i + 1].integer);
        argument.tensors = reinterpret_cast<Saved**>(room_);
        room_ += sizeof(Saved*) * n;
        std::fill_n(argument.tensors, n, nullptr);
        for (size_t k = 0; k < n; ++k) {
          argument.tensors[k] = keep_operand(i, value.tensors[k]);
        }
        break;
      }
      case TH_ROLE_INTEGER:
        last_integer = value.integer;
        argument.integer = value.integer;
        break;
      case TH_ROLE_INTEGERS:
        if (value.integers != nullptr) {
          const auto n = static_cast<size_t>(std::max<int64_t>(last_integer, 0));
          argument.integers = reinterpret_cast<int64_t*>(room_);
          std::copy_n(value.integers, n, reinterpret_cast<int64_t*>(room_));
          room_ += sizeof(int64_t) * n;
        } else {
          argument.integers = nullptr;
        }
        break;
      case TH_ROLE_NUMBER:
        argument.number = value.number;
        break;
      case TH_ROLE_FLAG:
        argument.integer = value.integer;
        break;
      default:
        break;
    }
  }
}

/// An operand in whose memory the call writes its result, as in x:cmul(y): the derivative reads
/// what was there.
void Recording::copy_overwritten() {
  const auto parameters = parameters_of(static_cast<int>(op_));
  const auto is_written = [&](const TH_Tensor& t) {
    for (size_t r = 0; r < parameters.size(); ++r) {
      if (writes(parameters[r].role) && values_[r].tensor != nullptr &&
          values_[r].tensor->store == t.store) {
        return true;
      }
    }
    return false;
  };
  for (size_t i = 0; i < parameters.size(); ++i) {
    const TH_Tensor* t = values_[i].tensor;
    if (parameters[i].role == TH_ROLE_IN && (kept_ >> i & 1) != 0 && t != nullptr &&
        t->store != nullptr && (state().copies || is_written(*t))) {
      overwritten_.emplace_back(static_cast<int>(i), unrecorded_copy(*t));
    }
  }
}

const TH_Tensor& Recording::as_read(int parameter, const TH_Tensor& t) const {
  for (const auto& [i, copy] : overwritten_) {
    if (i == parameter) {
      return copy;
    }
  }
  return t;
}

Saved* Recording::place(const TH_Tensor& t, bool memory) {
  const size_t bytes = saved_bytes(t.ndim);
  TH_CHECK(room_ + bytes <= end_, "the record has no room for a result of ", t.ndim,
           " dimensions; please report this");
  auto* saved = reinterpret_cast<Saved*>(room_);
  room_ += bytes;
  saved->store = memory ? t.store : nullptr;
  if (saved->store != nullptr) {
    th::retain(saved->store);
    saved->version = *t.store->version;
  }
  saved->offset = t.offset;
  saved->ndim = t.ndim;
  saved->device = t.device;
  saved->dtype = t.dtype;
  saved->device_type = t.device_type;
  saved->edge = -1;
  saved->output = -1;
  for (int d = 0; d < t.ndim; ++d) {  // a call to copy two numbers would take longer
    saved->geometry[d] = t.sizes[d];
    saved->geometry[t.ndim + d] = t.strides[d];
  }
  return saved;
}

void Recording::result(int parameter, TH_Tensor* t) {
  const int output = outputs_++;
  Edge edge{};
  if (node_ != nullptr && is_floating(t->dtype)) {
    edge = {node_, output};
    retain(node_);
  }
  if (view_) {
    if (edge.node != nullptr || (is_variable(viewed_) && is_floating(t->dtype))) {
      attach_view(*t, viewed_, edge);
    } else {
      drop(*t);
    }
  } else if (edge.node != nullptr || is_variable(*t)) {
    attach_written(*t, edge);
  }
  // Behind the write, which moved the version. Of what is read and written, a derivative reads what
  // the call has left.
  if (node_ == nullptr) {
    return;
  }
  if (Saved* operand = node_->arguments[parameter].tensor; operand != nullptr) {
    operand->version = operand->store == nullptr ? 0 : *operand->store->version;
  } else {
    const bool memory = (kept_ >> parameter & 1) != 0;
    Saved* saved = state().copies && memory ? place(unrecorded_copy(*t), true) : place(*t, memory);
    saved->output = static_cast<int16_t>(output);
    node_->arguments[parameter].tensor = saved;
  }
}

void Recording::finish() {
  check_sizes();
  if (!active_ && view_) {
    if (!stays_ && values_[0].tensor != values_[1].tensor && op_ != Op::resize &&
        op_ != Op::resizeAs) {
      drop(*const_cast<TH_Tensor*>(values_[0].tensor));
    }
    return;
  }
  const auto parameters = parameters_of(static_cast<int>(op_));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int role = parameters[i].role;
    if (writes(role) && active_) {
      if (values_[i].tensor != nullptr) {
        result(static_cast<int>(i), const_cast<TH_Tensor*>(values_[i].tensor));
      } else {
        ++outputs_;
      }
    } else if (role == TH_ROLE_RESULT) {
      if (TH_Tensor* r = number_; r != nullptr) {
        const int64_t one = 1;
        {
          const Enabled off(false);
          resize(*r, {&one, 1});
          ops::fill(r, *static_cast<const double*>(values_[i].other));
        }
        if (active_) {
          result(static_cast<int>(i), r);
        }
      }
    }
  }
  release(std::exchange(node_, nullptr));
}

void attend(Op op, bool variables, const TH_Value* values, void (*run)(const void*),
            const void* f) {
  const auto tell = [&](int status, bool after) {
    if (watched()) {
      th::detail::tell(op, status, after, values);
    }
  };
  if (!variables) {
    tell(TH_OK, false);
    try {
      run(f);
    } catch (const OutOfMemory&) {
      tell(TH_OUT_OF_MEMORY, true);
      throw;
    } catch (...) {
      tell(TH_ERROR, true);
      throw;
    }
    tell(TH_OK, true);
    return;
  }
  if (reshape(op, values)) {
    return;
  }
  Recording recording(op, values);
  {
    const Enabled off(false);  // what a composite calls is its own matter
    attend(op, false, values, run, f);
  }
  recording.finish();
  if (state().anomalies) {
    look_for_anomaly(op, values);
  }
}

}  // namespace th::gradient
