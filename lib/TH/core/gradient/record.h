// How a call comes into the graph.
#pragma once

#include <utility>
#include <vector>

#include "core/call/call.h"
#include "core/gradient/graph.h"

namespace th::gradient {

namespace detail {

template <class T>
bool flagged(const T&) {
  return false;
}
inline bool flagged(const TH_Tensor* t) { return t != nullptr && is_variable(*t); }
inline bool flagged(TH_Tensor* t) { return t != nullptr && is_variable(*t); }

inline bool any_flagged() { return false; }
template <class... Rest>
bool any_flagged(const TH_Tensor* const* list, int count, const Rest&... rest);
template <class T, class... Rest>
bool any_flagged(const T& first, const Rest&... rest) {
  return flagged(first) | any_flagged(rest...);
}
template <class... Rest>
bool any_flagged(const TH_Tensor* const* list, int count, const Rest&... rest) {
  bool any = any_flagged(rest...);
  for (int i = 0; i < count; ++i) {
    any |= flagged(list[i]);
  }
  return any;
}

}  // namespace detail

/// Whether a call has an argument that differentiation follows: has_variables(arguments...).
template <class... Args>
bool has_variables(const Args&... args) {
  return detail::any_flagged(args...);
}

/// An error where t is plain and a view: the tensor that it shows, and its other views, would not
/// know that what is written into t has a gradient. A view that outlives all others is none.
void check_no_view(const TH_Tensor& t);

/// One call while it runs. Without Variables among the arguments, or while recording is off, it
/// does nothing.
class Recording {
 public:
  Recording(Op op, const TH_Value* values);
  ~Recording();
  Recording(const Recording&) = delete;
  /// The call has ended well: its results are Variables, or constants.
  void finish();

 private:
  bool resizes() const;
  void begin();
  void note_sizes(const TH_Tensor* t);
  void note_results();
  void check_sizes();
  void copy_overwritten();
  const TH_Tensor& as_read(int parameter, const TH_Tensor& t) const;
  Saved* place(const TH_Tensor& t, bool memory);
  void result(int parameter, TH_Tensor* t);

  Op op_;
  const TH_Value* values_;
  bool active_ = false;
  bool view_ = false;
  bool stays_ = false;  // of a view: the handle is a leaf, and remains one
  Node* node_ = nullptr;
  char* room_ = nullptr;
  char* end_ = nullptr;
  uint32_t kept_ = 0;  // parameters whose memory the derivative reads
  int outputs_ = 0;
  TH_Tensor* number_;  // where the number that the call gives goes, too
  TH_Tensor viewed_;   // of a view: the operand's handle as it was
  std::vector<std::pair<int, Value>> overwritten_;      // parameters, as the derivative reads them
  std::vector<std::pair<TH_Tensor*, Geometry>> fixed_;  // results that share memory with Variables
};

/// Whether a call was a resize that shows all elements of a result in another form, as layers of
/// Torch7 do with what they have computed: recorded as a view in place, and done.
bool reshape(Op op, const TH_Value* values);

/// Runs a call that somebody watches, or that has Variables: tells, records, runs.
void attend(Op op, bool variables, const TH_Value* values, void (*run)(const void*), const void* f);

/// Attended{op, has_variables(arguments...), run}(arguments...).
template <class Run>
struct Attended {
  Op op;
  bool variables;
  const Run& run;

  template <class... Args>
  void operator()(const Args&... args) const {
    const TH_Value values[] = {th::detail::value(args)...};
    attend(
        op, variables, values, [](const void* f) { (*static_cast<const Run*>(f))(); }, &run);
  }
};

// Clang 14, which fuzzes, does not find this by itself.
template <class Run>
Attended(Op, bool, const Run&) -> Attended<Run>;

}  // namespace th::gradient
