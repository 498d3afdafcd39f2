// send and receive: between two ranks, while others work on.
#pragma once

#include "core/group.h"
#include "core/work.h"

namespace distributed {

bool is_message(int kind);
void start_message(const Group& group, Work& work);
/// Whether it is done. Throws where it never will be, as when the other does not come: MPI then
/// keeps the work's memory.
/// Where sender and receiver disagree, the work's `refusal` says so.
bool advance_message(const Group& group, Work& work, double seconds);

}  // namespace distributed
