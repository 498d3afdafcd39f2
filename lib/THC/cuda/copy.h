// Copies that need not be finished on return.
#pragma once

#include "TH.h"

namespace thc {

/// As th::copy, but where the host's side lies compactly in pinned memory it returns at once: that
/// memory must not be read or written before the device's current stream has passed.
void copy_async(TH_Tensor& r, const TH_Tensor& x);

}  // namespace thc
