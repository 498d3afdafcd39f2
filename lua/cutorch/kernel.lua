--- Kernels of CUDA C that a script brings along.
-- @module cutorch.kernel
local M = {}

--- A kernel from CUDA C.
--
-- The parameters of the `__global__` function say what it takes: pointers to numbers get tensors of
-- that type (`float *`: torch.CudaTensor, `int *`: torch.CudaIntTensor, `__half *`, `void *`: any),
-- numbers get numbers. Tensors behind `const` are only read; others count as written. A launch goes
-- to the current stream of the tensors' device and returns before the kernel is done.
--
-- On devices NVRTC compiles it, with CUDA's headers (`cuda_fp16.h`, ...) where the toolkit is
-- installed: at `$CUDA_HOME`, beside NVRTC, in /usr/local/cuda. Of C's library it has the names of
-- `<cstdint>` and `<cmath>`. On simulated devices the host's C++ compiler does, and threads,
-- `__shared__`, `__syncthreads`, shuffles and atomic functions are simulated. Code stays in
-- `$XDG_CACHE_HOME/luatorch` (`~/.cache/luatorch`).
--
-- A kernel that touches memory which is not its own is a fault of the device: calls from then on
-- say so, as for any other kernel. Within the memory of tensors nobody checks its indices.
-- @param source string
-- @param name string: of the `__global__` function
-- @param[opt] options table: strided (false), whether tensors that are not contiguous may be given
-- @return cutorch.Kernel
-- @raise "cutorch.kernel: the source does not compile: kernel.cu(3): error: ...", with the lines
-- @usage cutorch.kernel(source, name [, options]) -> cutorch.Kernel
-- @example
-- local scale = cutorch.kernel([[
--    __global__ void scale(float *y, const float *x, float factor, int n) {
--      int i = blockIdx.x * blockDim.x + threadIdx.x;
--      if (i < n) y[i] = factor * x[i];
--    }
-- ]], 'scale')
-- local x = torch.CudaTensor { 1, 2, 3 }
-- local y = x:clone()
-- scale:launch { grid = 1, block = 32, y, x, 2, 3 }
-- y --> { 2, 4, 6 }
function M.kernel(source, name, options)
   return require('cutorch').Kernel(source, name, options)
end

return M
