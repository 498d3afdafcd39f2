// The operations in which all ranks of a group take part, when all of them have come.
#pragma once

#include "core/group.h"

namespace distributed {

void run_collective(Group& group, const distributed_Request& request);

}  // namespace distributed
