// Where threads of pooling work: a thread for each output, or for each input.
#pragma once

#include "core/checks/pooling.h"
#include "cuda/nn/grid.h"

namespace thc {

inline VolumeGrid outputs_of(const th::Pooling& p) {
  const auto& axes = p.shape.axes;
  return {p.planes, axes[0].out, axes[1].out, axes[2].out};
}

inline VolumeGrid inputs_of(const th::Pooling& p) {
  const auto& axes = p.shape.axes;
  return {p.planes, axes[0].in, axes[1].in, axes[2].in};
}

}  // namespace thc
