// What a program may choose between, for the whole process.
#pragma once

#include <atomic>

namespace th::options {

/// Whether convolutions of floats may be computed by Winograd's way: faster, less exact.
inline std::atomic<bool> winograd{true};

}  // namespace th::options
