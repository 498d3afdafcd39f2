// The record of differentiable calls: a graph of nodes, made while calls run, that backward walks.
//
// A Node is a call: what it was called with, and an edge to the node that made each operand that
// has a gradient. A leaf is a node without a call: there gradients are accumulated. A Variable is
// what a tensor handle points at (`gradient`): the node that made its elements, which changes when
// the tensor is written in place. Handles and views hold Variables, Variables and edges hold nodes,
// nodes hold no Variable: there are no cycles. All of it belongs to one thread, as tensors do.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/gradient/blocks.h"
#include "core/tensor/tensor.h"

namespace th::gradient {

struct Node;

/// One result of a node. Without a node it is a constant.
struct Edge {
  Node* node = nullptr;
  int output = 0;
};

/// A tensor of a call as its node keeps it: geometry always, memory where a derivative reads it.
struct Saved {
  TH_Storage* store;  // NULL: not kept
  int64_t offset;
  int32_t version;  // of the memory, when the derivative's values were in it
  int16_t ndim;
  int16_t device;
  uint8_t dtype;
  uint8_t device_type;
  int16_t edge;        // of an operand: which of the node's edges, -1 for a constant
  int16_t output;      // of a result: which, otherwise -1
  int64_t geometry[];  // sizes, then strides

  std::span<const int64_t> sizes() const { return {geometry, static_cast<size_t>(ndim)}; }
};

union Argument {
  Saved* tensor;    // NULL where NULL was passed
  Saved** tensors;  // as many as the next argument says
  double number;
  int64_t integer;
  const int64_t* integers;
};

struct Variable;
inline Variable* variable_of(const TH_Tensor& t) { return static_cast<Variable*>(t.gradient); }
inline bool is_variable(const TH_Tensor& t) { return (t.flags & TH_REQUIRES_GRADIENT) != 0; }
void retain(Variable* v);
void release(Variable* v);

/// A handle that owns its storage's reference and its Variable. May be undefined: no tensor.
class Value : public TH_Tensor {
 public:
  Value() { clear(); }  // sizes and strides beyond ndim mean nothing, and cost time
  /// The same elements, made by the same node.
  Value(const TH_Tensor& t) { take(t); }      // NOLINT: tensors are values here
  Value(const Value& other) { take(other); }  // NOLINT
  Value(Value&& other) noexcept { move(other); }
  Value& operator=(const Value& other) {
    if (this != &other) {
      give_back();
      take(other);
    }
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    if (this != &other) {
      give_back();
      move(other);
    }
    return *this;
  }
  ~Value() { give_back(); }

  bool defined() const { return ndim > 0; }
  std::span<const int64_t> shape() const { return sizes_of(*this); }

  /// Empty, of x's type, where x lives.
  static Value like(const TH_Tensor& x) {
    Value r;
    init(r, x.dtype, x.device_type, x.device);
    return r;
  }

 private:
  void clear() {
    store = nullptr;
    offset = 0;
    gradient = nullptr;
    ndim = 0;
    layout = 0;
    flags = 0;
    dtype = 0;
    device_type = 0;
    device = 0;
  }
  void move(TH_Tensor& other) {
    fields(other);
    other.store = nullptr;
    other.gradient = nullptr;
    other.flags = 0;
    other.ndim = 0;
  }
  void take(const TH_Tensor& other) {
    fields(other);
    if (store != nullptr) {
      th::retain(store);
    }
    if (gradient != nullptr) {
      retain(variable_of(*this));
    }
  }
  void fields(const TH_Tensor& other) {
    store = other.store;
    offset = other.offset;
    gradient = other.gradient;
    ndim = other.ndim;
    layout = other.layout;
    flags = other.flags;
    dtype = other.dtype;
    device_type = other.device_type;
    device = other.device;
    for (int d = 0; d < ndim; ++d) {
      sizes[d] = other.sizes[d];
      strides[d] = other.strides[d];
    }
  }
  void give_back() {
    if (store != nullptr) {
      th::release(store);
    }
    if (gradient != nullptr) {
      release(variable_of(*this));
    }
  }
};

/// What few nodes have.
struct Extras {
  struct Hook {
    int output;
    int function;
  };
  std::vector<Hook> hooks;
  std::vector<int> retained;  // outputs whose gradient is to be kept
  std::vector<Value> kept;    // their gradients, in the same order
  int function = 0;           // of a node whose backward is the binding's: its number there
  Value leaf;                 // of a leaf: the accumulated gradient
};

struct Pending;

constexpr int kLeaf = -1;      // accumulates
constexpr int kFunction = -2;  // the binding knows the derivative
constexpr int kPatch = -3;     // a tensor, a region of which was written through a view
constexpr int kRegion = -4;    // a view of a tensor that was written since
constexpr int kGone = -5;      // backward has passed: stands for all such

struct Node {
  int64_t sequence;  // greater than those of all nodes it has edges to
  int32_t references;
  int16_t op;  // Op, or one of the above
  int16_t inputs;
  int16_t outputs;
  bool released;   // what backward needs is gone
  int32_t place;   // line of the script, in anomaly mode
  int32_t count;   // of arguments
  uint32_t bytes;  // of the block that all of it lies in
  Edge* edges;
  Argument* arguments;
  Pending* pending;  // gradients that have come, while backward runs
  Variable* made;    // of the one result, if it lives: told when the node goes
  std::unique_ptr<Extras> extras;

  Extras& more() {
    if (extras == nullptr) {
      extras = std::make_unique<Extras>();
    }
    return *extras;
  }
};

/// A node of so many edges and arguments, with room for what `bytes` says behind them.
Node* new_node(int op, int inputs, int outputs, int arguments, size_t bytes, char** room);
inline void retain(Node* node) {
  if (node->op != kGone) {
    ++node->references;
  }
}
/// Without recursion: graphs are as deep as loops are long.
void release(Node* node);
/// Give back memory and edges. The node stays for other nodes; its result's Variable lets it go, so
/// that nothing waits for the collector of the binding's handles.
void clear(Node& node);

struct Geometry {
  int64_t offset;
  int16_t ndim;
  int64_t sizes[TH_MAX_DIMS];
  int64_t strides[TH_MAX_DIMS];
  Geometry() = default;
  explicit Geometry(const TH_Tensor& t);
};

/// Of a view: what it is a view of, so that writing to one is seen by the other.
struct ViewOf : InBlocks {
  Variable* base;
  int32_t generation;  // of the base when the view's edge was made
  Geometry own;
  Geometry whole;  // the base's
};

struct Variable : InBlocks {
  int32_t references = 1;
  int32_t generation = 0;  // how often the elements were written
  Edge producer;           // owns a reference
  std::unique_ptr<ViewOf> view;
};

/// The handle is a plain tensor from now on.
void drop(TH_Tensor& t);
/// Makes a node the producer; takes over the reference that `edge` has.
void set_producer(Variable& v, Edge edge);

/// What made the elements of t as they are now: a view of a tensor that was written since learns of
/// it here. No reference is added.
Edge producer(const TH_Tensor& t);

/// r was made a view of t, which had the handle's fields `t` then (r may be the same handle): r
/// gets a Variable of its own, made by `edge`, whose reference it takes.
void attach_view(TH_Tensor& r, const TH_Tensor& t, Edge edge);
/// r's elements were written, by `edge`, whose reference it takes.
void attach_written(TH_Tensor& r, Edge edge);

/// What a thread has.
struct State {
  bool enabled = true;  // whether calls are recorded
  int64_t sequence = 0;
  TH_Tensor* number = nullptr;  // where the next number that a call gives shall go
  int32_t place = 0;
  bool anomalies = false;    // whether somebody looks for them
  std::vector<int> dropped;  // functions of the binding that no node needs any more
};
State& state();

/// Calls are not recorded, or are, while it lives.
class Enabled {
 public:
  explicit Enabled(bool on) : before_(state().enabled) { state().enabled = on; }
  ~Enabled() { state().enabled = before_; }
  Enabled(const Enabled&) = delete;

 private:
  bool before_;
};

}  // namespace th::gradient
