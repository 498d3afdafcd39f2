// What messages refer to; see threads.h.
#pragma once

namespace threads {

/// Frees the parcel's references, if it is there.
void drop_parcel(double id);

}  // namespace threads
