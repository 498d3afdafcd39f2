// Views of tensors that are written: the two operations by which a graph follows.
#pragma once

#include "core/gradient/graph.h"

namespace th::gradient {

/// The region `own` of a tensor of geometry `of` (made by `whole`) that a view t of it shows. The
/// result has a reference.
Edge region_of(Edge whole, const TH_Tensor& t, const GeometryView& own, const GeometryView& of);

/// A tensor of geometry `of` (made by `whole`) of which the region `own` that a view r shows was
/// made by `part`. The result has a reference; that of `whole` stays the caller's.
Edge patched(Edge whole, Edge part, const TH_Tensor& r, const GeometryView& own,
             const GeometryView& of);

}  // namespace th::gradient
