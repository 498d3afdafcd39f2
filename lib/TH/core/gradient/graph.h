// The record of differentiable calls: a graph of nodes, made while calls run, that backward walks.
//
// A Node is a call: what it was called with, and an edge to the node that made each operand that
// has a gradient. A leaf is a node without a call: there gradients are accumulated. A Variable is
// what a tensor handle points at (`gradient`): the node that made its elements, which changes when
// the tensor is written in place. Handles and views hold Variables, Variables and edges hold nodes,
// nodes hold no Variable, but for the gradients that a leaf and a retained result keep: with
// createGraph these lead back to the node. They go with the last Variable of the node, which alone
// shows them, so that no cycle stays. All of it belongs to one thread, as tensors do.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/memory/small_blocks.h"
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
  int16_t output;      // of a result: which, otherwise -1
  int32_t edge;        // of an operand: which of the node's edges, -1 for a constant
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
  Value() { clear_handle(*this); }
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
  /// Of an empty tensor: without elements, but not for want of a gradient.
  bool is_empty() const { return ndim == 0 && is_floating(dtype); }
  std::span<const int64_t> shape() const { return sizes_of(*this); }

  /// Empty, of x's type, where x lives.
  static Value like(const TH_Tensor& x) {
    Value r;
    init(r, x.dtype, x.device_type, x.device);
    return r;
  }

 private:
  void move(TH_Tensor& other) {
    copy_handle(*this, other);
    other.store = nullptr;
    other.gradient = nullptr;
    other.flags = 0;
    other.ndim = 0;
  }
  void take(const TH_Tensor& other) {
    copy_handle(*this, other);
    if (store != nullptr) {
      th::retain(store);
    }
    if (gradient != nullptr) {
      retain(variable_of(*this));
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
  std::string name;           // what errors call that function
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
  int32_t inputs;
  int32_t outputs;
  int16_t op;      // Op, or one of the above
  bool released;   // what backward needs is gone
  bool hollow;     // an operand that needs a gradient is empty
  int32_t shown;   // by so many Variables
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
  explicit Geometry(const TH_Tensor& t) : offset(t.offset), ndim(t.ndim) {
    copy_dimensions(t.sizes, t.strides);
  }
  Geometry(const Geometry& other) : offset(other.offset), ndim(other.ndim) {
    copy_dimensions(other.sizes, other.strides);
  }
  Geometry& operator=(const Geometry& other) {
    offset = other.offset;
    ndim = other.ndim;
    copy_dimensions(other.sizes, other.strides);
    return *this;
  }

 private:
  void copy_dimensions(const int64_t* from_sizes, const int64_t* from_strides) {
    for (int d = 0; d < ndim; ++d) {
      sizes[d] = from_sizes[d];
      strides[d] = from_strides[d];
    }
  }
};

/// The same, where it is kept.
struct GeometryView {
  int64_t offset;
  int16_t ndim;
  const int64_t* sizes;
  const int64_t* strides;
  GeometryView(const TH_Tensor& t)  // NOLINT: a tensor has one
      : offset(t.offset), ndim(t.ndim), sizes(t.sizes), strides(t.strides) {}
  GeometryView(int64_t first, int16_t dimensions, const int64_t* numbers)
      : offset(first), ndim(dimensions), sizes(numbers), strides(numbers + dimensions) {}
};

/// Of a view: what it is a view of, so that writing to one is seen by the other. As long as the
/// geometries are: collections of Lua's leave thousands of these in far caches.
struct ViewOf {
  Variable* base;
  int64_t own_offset;
  int64_t whole_offset;
  int32_t generation;  // of the base when the view's edge was made
  int16_t own_ndim;
  int16_t whole_ndim;
  int64_t numbers[];  // sizes and strides of the view, then those of the base

  GeometryView own() const { return {own_offset, own_ndim, numbers}; }
  GeometryView whole() const { return {whole_offset, whole_ndim, numbers + 2 * own_ndim}; }

  struct Free {
    void operator()(ViewOf* view) const { give_block(view, bytes(view->own(), view->whole())); }
  };
  using Owned = std::unique_ptr<ViewOf, Free>;
  static Owned make(const GeometryView& own, const GeometryView& whole);

 private:
  static size_t bytes(const GeometryView& own, const GeometryView& whole) {
    return sizeof(ViewOf) + 2 * sizeof(int64_t) * static_cast<size_t>(own.ndim + whole.ndim);
  }
};

struct Variable : InBlocks {
  int32_t references = 1;
  int32_t generation = 0;  // how often the elements were written
  Edge producer;           // owns a reference
  ViewOf::Owned view;
};

/// Of an edge, whose reference it takes over.
Variable* new_variable(Edge edge);
/// The handle is a plain tensor from now on.
void drop(TH_Tensor& t);
/// Makes a node the producer; takes over the reference that `edge` has.
void set_producer(Variable& v, Edge edge);

/// Whether t is a leaf, and stays one while its handle is set to other memory: an error where that
/// would be recorded, or would change its sizes.
bool stays_leaf(const TH_Tensor& t, std::span<const int64_t> sizes);
/// What made the elements of t as they are now: a view of a tensor that was written since learns of
/// it here. No reference is added.
Edge producer(const TH_Tensor& t);

/// r was made a view of t, which had the handle's fields `t` then (r may be the same handle): r
/// gets a Variable of its own, made by `edge`, whose reference it takes.
void attach_view(TH_Tensor& r, const TH_Tensor& t, Edge edge);
/// r's elements were written, by `edge`, whose reference it takes.
void attach_written(TH_Tensor& r, Edge edge);

/// What a thread has. Constant at first and without a destructor, so that nothing asks whether it
/// is there already.
struct State {
  bool enabled = true;          // whether calls are recorded
  bool anomalies = false;       // whether somebody looks for them
  bool copies = false;          // whether derivatives get copies of what they read
  bool fills_views = false;     // whether results may go into views of plain tensors
  int32_t place = 0;            // the line of the script, in anomaly mode
  int64_t sequence = 0;         // of the last node
  TH_Tensor* number = nullptr;  // where the next number that a call gives shall go
};
namespace detail {
[[gnu::tls_model("initial-exec")]] extern constinit thread_local State own_state;
}
inline State& state() { return detail::own_state; }
/// Functions of the binding that no node of this thread needs any more.
std::vector<int>& dropped_functions();

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
