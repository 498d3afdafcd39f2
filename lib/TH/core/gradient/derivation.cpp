#include "core/gradient/derivation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "core/call/signature.h"
#include "core/gradient/anomaly.h"

namespace th::gradient {

// --- arguments ----------------------------------------------------------------------------------

Operand::operator Value() const {
  if (saved_ == nullptr || saved_->ndim == 0) {
    return {};
  }
  Node& node = d_->node();
  const TH_Parameter& parameter = parameters_of(node.op)[static_cast<size_t>(parameter_)];
  TH_CHECK(saved_->store != nullptr, "the derivative of ", TH_signature(node.op)->name, " reads ",
           parameter.name, ", which was not kept; please report this");
  if (*saved_->store->version != saved_->version) {
    fail_changed(node, *saved_, parameter.name);
  }
  Value v;
  v.store = saved_->store;
  th::retain(v.store);
  v.offset = saved_->offset;
  v.ndim = saved_->ndim;
  v.dtype = saved_->dtype;
  v.device_type = saved_->device_type;
  v.device = saved_->device;
  for (int d = 0; d < v.ndim; ++d) {
    v.sizes[d] = saved_->geometry[d];
    v.strides[d] = saved_->geometry[v.ndim + d];
  }
  if (state().enabled) {
    Edge edge{};
    if (saved_->edge >= 0) {
      edge = node.edges[saved_->edge];
    } else if (saved_->output >= 0 && is_floating(saved_->dtype)) {
      edge = {&node, saved_->output};
    }
    if (edge.node != nullptr) {
      retain(edge.node);
      v.gradient = new_variable(edge);
      v.flags |= TH_REQUIRES_GRADIENT;
    }
  }
  return v;
}

namespace {

Value empty_like(const Saved& saved) {
  TH_Tensor like{};
  like.dtype = saved.dtype;
  like.device_type = saved.device_type;
  like.device = saved.device;
  return Value::like(like);
}

/// A result of the node, by the order of results.
Saved* saved_result(const Node& node, int output) {
  if (node.op == kPatch || node.op == kRegion) {
    return node.arguments[0].tensor;
  } else if (node.op == kFunction) {
    return node.arguments[node.count - node.outputs + output].tensor;
  }
  const auto parameters = parameters_of(node.op);
  int k = 0;
  for (int i = 0; i < node.count; ++i) {
    const int role = parameters[static_cast<size_t>(i)].role;
    if (role == TH_ROLE_OUT || role == TH_ROLE_INOUT || role == TH_ROLE_RESULT) {
      if (k++ == output) {
        return node.arguments[i].tensor;
      }
    }
  }
  return nullptr;
}

}  // namespace

const Value& Derivation::gradient(int output) {
  Value& gradient = gradients_[static_cast<size_t>(output)];
  if (!gradient.defined()) {
    const Saved* saved = saved_result(node_, output);
    TH_CHECK(saved != nullptr, "a result has no sizes; please report this");
    gradient = zeros(empty_like(*saved), saved->sizes());
  }
  return gradient;
}

namespace {

/// Calls f with each operand that has an edge.
template <class F>
void each_operand(const Node& node, F f) {
  const auto call = [&](const Saved* saved) {
    if (saved != nullptr && saved->edge >= 0) {
      f(*saved);
    }
  };
  const bool row = node.op >= 0;
  for (int i = 0; i < node.count; ++i) {
    const int role = row ? parameters_of(node.op)[static_cast<size_t>(i)].role : TH_ROLE_IN;
    if (role == TH_ROLE_IN || role == TH_ROLE_INOUT) {
      call(node.arguments[i].tensor);
    } else if (role == TH_ROLE_INS) {
      for (int64_t k = 0; k < node.arguments[i + 1].integer; ++k) {
        call(node.arguments[i].tensors[k]);
      }
    }
  }
}

}  // namespace

bool Derivation::is_empty() {
  if (std::ranges::none_of(gradients_, &Value::defined)) {
    each_operand(node_, [&](const Saved& x) {
      results_[static_cast<size_t>(x.edge)] = zeros(empty_like(x), x.sizes());
    });
    return true;
  }
  bool rest = !node_.hollow;
  if (node_.hollow) {
    each_operand(node_, [&](const Saved& x) {
      if (x.ndim == 0) {
        results_[static_cast<size_t>(x.edge)] = empty_like(x);
      }
      rest |= x.ndim > 0;
    });
  }
  return !rest;
}

void Derivation::give(const Operand& x, Value gradient) {
  const Saved& saved = x.saved();
  if (gradient.dtype != saved.dtype) {
    gradient = converted(gradient, saved.dtype, saved.device_type, saved.device);
  }
  if (!same_sizes(gradient.shape(), saved.sizes())) {
    TH_CHECK(numel(gradient) == count_of(x), "the derivative of ", describe(node_), " has sizes ",
             th::shape(gradient), " for an operand of ", th::shape(saved.sizes()),
             "; please report this");
    gradient = viewed(gradient, saved.sizes());
  }
  Value& place = results_[static_cast<size_t>(saved.edge)];
  place = place.defined() ? place + gradient : std::move(gradient);
}

void Derivation::give(const Operand& x, Factors gradient) {
  const Saved& saved = x.saved();
  if (factors_ == nullptr || state().enabled || gradient.a.dtype != saved.dtype) {
    give(x, gradient.multiplied());
  } else {
    gradient.edge = saved.edge;
    factors_->push_back(std::move(gradient));
  }
}

// --- the table ----------------------------------------------------------------------------------

namespace {

constexpr auto kCount = static_cast<size_t>(Op::count);

/// Goes through the words of a row's clauses and notes which parameters each reads.
class Reader {
 public:
  Reader(Derivative& row, std::span<const TH_Parameter> parameters, std::string_view text)
      : row_(row), parameters_(parameters), text_(text) {
    row_.reads.assign(parameters.size(), 0);
  }

  void read() {
    int depth = 0, clause_depth = 0;
    uint32_t clause = 0;  // parameters that the clause gives a gradient; 0 between clauses
    bool all = false;
    uint32_t all_read = 0, all_named = 0;
    std::string before, last;
    for (std::string word = next(); !word.empty(); before = last, last = word, word = next()) {
      if (word == "(") {
        ++depth;
        if (clause == 0 && !all && (last == "D" || last == "ALL")) {
          clause_depth = depth;
          all = last == "ALL";
          if (!all) {
            clause = bit(next());
            row_.covered |= clause;
          }
        }
      } else if (word == ")") {
        if (depth-- == clause_depth) {
          clause = 0;
          all = false;
          clause_depth = 0;
        }
      } else if (const uint32_t named = bit(word); named != 0) {
        all_named |= all ? named : 0;
        const bool geometry = last == "(" && before.ends_with("_of");
        if (geometry) {
          continue;
        }
        all_read |= all ? named : 0;
        for (size_t i = 0; i < parameters_.size(); ++i) {
          if ((clause >> i & 1) != 0) {
            row_.reads[i] |= named;
          }
        }
      }
    }
    row_.covered |= all_named;
    for (uint32_t& reads : row_.reads) {
      reads |= all_read;
    }
  }

 private:
  std::string next() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0]))) {
      text_.remove_prefix(1);
    }
    size_t n = 0;
    const auto part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    while (n < text_.size() && part(text_[n])) {
      ++n;
    }
    n = n == 0 && !text_.empty() ? 1 : n;
    std::string word(text_.substr(0, n));
    text_.remove_prefix(n);
    return word;
  }

  uint32_t bit(std::string_view word) const {
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (word == parameters_[i].name) {
        return 1u << i;
      }
    }
    return 0;
  }

  Derivative& row_;
  std::span<const TH_Parameter> parameters_;
  std::string_view text_;
};

[[noreturn]] void refuse(Op op, const std::string& text) {
  std::cerr << "derivative of " << TH_signature(static_cast<int>(op))->name << ": " << text << '\n';
  std::abort();
}

std::array<Derivative, kCount> make_table() {
  std::array<Derivative, kCount> table;
  for (const auto define :
       {define_views, define_pointwise, define_pointwise_gradients, define_reduce, define_index,
        define_blas, define_linalg, define_signal, define_nn, define_normalization, define_loss,
        define_spatial, define_sequence, define_cells, define_constants}) {
    define(table.data());
  }
  return table;
}

}  // namespace

void define(Derivative* table, Op op, const char* parameters, const char* clauses,
            void (*derive)(Derivation& d)) {
  Derivative& row = table[static_cast<size_t>(op)];
  const auto all = parameters_of(static_cast<int>(op));
  std::string wanted = "NAMES(";
  for (const TH_Parameter& parameter : all) {
    wanted += str(&parameter == all.data() ? "" : ", ", parameter.name);
  }
  if (wanted + ")" != parameters || row.kind != Derivative::Kind::Unknown) {
    refuse(op, str("the row has ", parameters, ", the operation ", wanted, ")"));
  }
  row.kind = Derivative::Kind::Known;
  row.clauses = clauses;
  row.derive = derive;
  Reader(row, all, clauses).read();
  row.covers_all = true;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool read = all[i].role == TH_ROLE_IN || all[i].role == TH_ROLE_INOUT;
    row.covers_all = row.covers_all && (!read || (row.covered >> i & 1) != 0);
  }
}

void define(Derivative* table, Op op, Derivative::Kind kind, const char* because) {
  Derivative& row = table[static_cast<size_t>(op)];
  if (row.kind != Derivative::Kind::Unknown) {
    refuse(op, "has two rows");
  }
  row.kind = kind;
  row.because = because;
}

const Derivative& derivative_of(int operation) {
  static const auto table = make_table();
  return table[static_cast<size_t>(operation)];
}

}  // namespace th::gradient
