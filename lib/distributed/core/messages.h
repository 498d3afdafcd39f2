// send and receive: between two ranks, while others work on.
#pragma once

#include "core/group.h"
#include "core/work.h"

namespace distributed {

bool is_message(int kind);
void start_message(const Group& group, Work& work);
/// Whether it is done; throws where sender and receiver disagree, or where the other does not come.
bool advance_message(const Group& group, Work& work, double seconds);

}  // namespace distributed
