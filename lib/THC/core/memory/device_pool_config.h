// How the pools of devices behave.
#pragma once

#include "core/memory/block_pool/pool.h"

namespace thc {

/// Granules keep every block aligned for all loads and for the fast paths of vendor libraries. The
/// limit of small blocks comes from bench/replay: with 1 MiB, two heaps whose peaks come at
/// different times cost up to a sixth of the live bytes, with 256 KiB a twentieth; below that,
/// small blocks that live long begin to stand between large ones.
inline th::PoolConfig device_pool_config(size_t range_bytes = 0) {
  th::PoolConfig config;
  config.granule = 512;
  config.small_limit = size_t(256) << 10;
  config.page = size_t(2) << 20;
  config.range_bytes = range_bytes;
  return config;
}

}  // namespace thc
