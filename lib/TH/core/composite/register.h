// Operations written once, over other operations. A backend that has a faster way of its own puts
// it into its table; composites take the places that a backend leaves empty.
#pragma once

#include "core/tables/forward.h"

namespace th::composite {

/// A composite for every empty place that has one.
void complete(Backend& b);

void register_joining(FillTable& b);
void register_reduce(ReduceTable& b);
void register_conv(ConvTable& b);
void register_attention(AttentionTable& b);
void register_recurrent(RecurrentTable& b);
void register_quantized(QuantizedTable& b);

/// The place of an operation in a table, if no backend has taken it.
template <class Function>
void offer(Function*& place, Function* composite) {
  if (place == nullptr) {
    place = composite;
  }
}

}  // namespace th::composite
