// Included before everything else. Where CUDA's headers lie in a folder that compilers look in by
// themselves, CCCL (Thrust's library) finds and includes them, and they clash with the simulated
// runtime. This is what its cuda/std/__cccl/cuda_toolkit.h says on a machine that has none.
#pragma once

#define __CCCL_CUDA_TOOLKIT_H
#define _CCCL_HAS_CTK() 0
#define _CCCL_CTK_BELOW(...) 0
#define _CCCL_CTK_AT_LEAST(...) 0
