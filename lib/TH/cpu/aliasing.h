// core/aliasing.h by the name it had when it was the CPU's alone.
#pragma once

#include "core/aliasing.h"

namespace th::cpu {

using th::clone;
using th::may_overlap_itself;
using th::Result;
using th::same_elements;
using th::shares_memory;
using th::unaliased;

}  // namespace th::cpu
