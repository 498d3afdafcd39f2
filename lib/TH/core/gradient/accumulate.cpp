#include "core/gradient/accumulate.h"

#include "core/tensor/aliasing.h"

namespace th::gradient {

bool is_alone(const Value& v) {
  return v.store->references == 1 && is_contiguous(v) && seen_by_one(*v.store);
}
bool is_own(const Value& v) { return v.gradient == nullptr && is_alone(v); }

void add(Value& sum, const Value& gradient) {
  if (!state().enabled && is_own(sum)) {
    ops::add_scaled(&sum, &sum, 1, &gradient);
  } else {
    sum = sum + gradient;
  }
}

void accumulate(Value& sum, Value&& gradient) {
  if (!sum.defined()) {
    // Memory that only this gradient has is kept; other may be another tensor's gradient, too.
    sum = is_own(gradient) ? std::move(gradient) : copied(gradient);
  } else if (!state().enabled && sum.gradient == nullptr && !may_overlap_itself(sum)) {
    ops::add_scaled(&sum, &sum, 1, &gradient);  // handles that a script holds see it
  } else {
    sum = sum + gradient;
  }
}

}  // namespace th::gradient
