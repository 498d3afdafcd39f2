// What messages refer to; see threads.h.
#pragma once

#include <vector>

#include "threads.h"

namespace threads {

/// A parcel of these tensors; 0 where there are none.
double make_parcel(const std::vector<const TH_Tensor*>& tensors);

/// Frees the parcel's references, if it is there.
void drop_parcel(double id);

/// What the calling thread made since threads_parcel_watch is sent, or else nobody will have it:
/// what is not claimed yet is dropped. It is watched no longer.
void end_watch(bool sent);

}  // namespace threads
