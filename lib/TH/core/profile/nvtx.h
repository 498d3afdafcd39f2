// NVTX: names for what a thread does, which Nsight and its kin show beside the device's work.
#pragma once

namespace th::profile {

/// Of libnvToolsExt; nullptr where it is not installed.
struct Nvtx {
  int (*push)(const char* name);
  int (*pop)();
};

/// Looked for when first asked.
const Nvtx& nvtx();

}  // namespace th::profile
