// Room for those who take memory of a device behind the pools' backs: libraries and their kernels.
#pragma once

namespace thc {

/// Gives all caches back. True: the current device is full even so, so that what failed may have
/// failed for that.
bool make_room();

}  // namespace thc
