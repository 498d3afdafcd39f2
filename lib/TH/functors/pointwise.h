// What each element-wise operation is: one struct, its formula and its gradient.
//
// forward(x, ...) and backward(g, x, y, ...) take and return float, double or an integer type; the
// 16-bit types are widened by the loops. g is dL/dy, y = forward(x, ...); backward returns dL/dx. A
// backward exists for floating types only. Scalars arrive already converted to the element type.
#pragma once

#include "functors/pointwise/activation.h"
#include "functors/pointwise/binary.h"
#include "functors/pointwise/compare.h"
#include "functors/pointwise/scaled.h"
#include "functors/pointwise/trigonometric.h"
#include "functors/pointwise/unary.h"
