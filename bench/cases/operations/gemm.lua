-- Square float products, and the same by a direct call of oneDNN's sgemm.
local ffi = require 'ffi'
local torch = require 'torch'
local bench = require 'bench.harness'

ffi.cdef [[
int dnnl_sgemm(char transa, char transb, int64_t M, int64_t N, int64_t K, float alpha,
   const float *A, int64_t lda, const float *B, int64_t ldb, float beta, float *C, int64_t ldc);
]]

for _, n in ipairs { 64, 256, 1024 } do
   local a = torch.FloatTensor(n, n):uniform(-1, 1)
   local b = torch.FloatTensor(n, n):uniform(-1, 1)
   local r = torch.FloatTensor(n, n)
   bench.case(('gemm %d, float'):format(n), function(count)
      for _ = 1, count do
         torch.mm(r, a, b)
      end
   end)
   local found, onednn = pcall(ffi.load, 'libdnnl.so.2')
   if found then
      bench.case(('gemm %d, float (oneDNN itself)'):format(n), function(count)
         local N = ('N'):byte()
         for _ = 1, count do
            onednn.dnnl_sgemm(N, N, n, n, n, 1, a:data(), n, b:data(), n, 0, r:data(), n)
         end
      end)
   end
end
