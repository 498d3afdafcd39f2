local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local cutorch = require 'cutorch'
local environment = require 'test.support.environment'
local raises = require 'test.support.raises'
local C = require('cutorch.ffi').C

local SCALE = [[
/* __global__ void commented(int x) { } */
__global__ void __launch_bounds__(256) scale(float *y, const float *__restrict__ x, float factor,
                                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // __global__ void other(
  if (i < n) y[i] = factor * x[i];
}
]]

describe('cutorch.kernel #cuda', function()
   local scale

   setup(function()
      environment.ownCache()
      cutorch.setDevice(1)
      scale = cutorch.kernel(SCALE, 'scale')
   end)

   teardown(environment.withoutOwnCache)

   before_each(function()
      cutorch.setDevice(1)
      torch.manualSeed(2)
   end)

   it('runs CUDA C on tensors', function()
      local x = torch.CudaTensor(1000):uniform()
      local y = torch.CudaTensor(1000)
      assert.equal(scale, scale:launch { grid = 8, block = 128, y, x, 2, 1000 })
      assert.equal(0, (y - x * 2):abs():max())
      scale({ 16 }, { 64, 1, 1 }, y, x, 0.5, 10)
      assert.equal(0, (y:narrow(1, 1, 10) - x:narrow(1, 1, 10) * 0.5):abs():max())
      assert.equal(0, (y:narrow(1, 11, 990) - x:narrow(1, 11, 990) * 2):abs():max())
      local part = y:narrow(1, 501, 100)
      scale(1, 100, part, x:narrow(1, 1, 100), -1, 100)
      assert.equal(0, (part + x:narrow(1, 1, 100)):abs():max())
      assert.equal('cutorch.Kernel: scale(float *y, const float *x, float factor, int n)',
         tostring(scale))
   end)

   it('has blocks and threads in three dimensions', function()
      local k = cutorch.kernel([[
         __device__ int flat(dim3 sizes, int x, int y, int z) {
           return x + sizes.x * (y + sizes.y * z);
         }
         __global__ void places(long long *r) {
           dim3 grid = gridDim, block = blockDim;
           int b = flat(grid, blockIdx.x, blockIdx.y, blockIdx.z);
           int t = flat(block, threadIdx.x, threadIdx.y, threadIdx.z);
           r[b * (block.x * block.y * block.z) + t] = 1000 * b + t;
         }
      ]], 'places')
      local r = torch.CudaLongTensor(24 * 30):fill(-1)
      k({ 2, 3, 4 }, { 5, 3, 2 }, r)
      for b = 0, 23 do
         for t = 0, 29 do
            assert.equal(1000 * b + t, r[b * 30 + t + 1])
         end
      end
   end)

   it('has the names of cstdint and cmath, and may have the name of a function of CUDA', function()
      local body = [[
         float half_of(float x) { return x / 2; }
         __global__ void max(float *y, uint64_t count, int64_t n) {
           y[0] = INFINITY; y[1] = -NAN; y[2] = half_of(M_PI); y[3] = fmaxf(count, n);
         }
      ]]
      for _, headers in ipairs { '', '#include <cstdint>\n#include <cmath>\n' } do
         local y = torch.CudaTensor(4)
         cutorch.kernel(headers .. body, 'max')(1, 1, y, 3, -5)
         assert.equal(math.huge, y[1])
         assert.is_true(y[2] ~= y[2])
         assert.near(math.pi / 2, y[3], 1e-6)
         assert.equal(3, y[4])
      end
   end)

   it('has shared memory, barriers, shuffles and atomic functions', function()
      local source = [[
         __global__ void total(double *y, int *counts, const double *x, int n) {
           extern __shared__ double partial[];
           __shared__ int seen;
           if (threadIdx.x == 0) seen = 0;
           double v = 0;
           for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i];
           partial[threadIdx.x] = v;
           __syncthreads();
           for (int k = blockDim.x / 2; k > 0; k /= 2) {
             if (threadIdx.x < k) partial[threadIdx.x] += partial[threadIdx.x + k];
             __syncthreads();
           }
           atomicAdd(&seen, 1);
           for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
           int lane = threadIdx.x % warpSize;
           int of_next = __shfl_xor_sync(0xffffffffu, lane, 1);
           unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
           __syncthreads();
           if (lane == 0) atomicAdd(y + 1, v);
           if (threadIdx.x == 0) {
             y[0] = partial[0];
             counts[0] = seen;
             counts[1] = of_next;
             counts[2] = odd == 0xaaaaaaaau;
           }
         }
      ]]
      local x = torch.CudaDoubleTensor(1000):uniform()
      local y, counts = torch.CudaDoubleTensor(2):zero(), torch.CudaIntTensor(3)
      cutorch.kernel(source, 'total'):launch { grid = 1, block = 128, shared = 128 * 8,
         y, counts, x, 1000 }
      assert.near(x:sum(), y[1], 1e-10)
      assert.near(x:sum(), y[2], 1e-10)
      assert.same({ 128, 1, 1 }, counts:totable())
   end)

   it('passes numbers of all types', function()
      local k = cutorch.kernel([[
         __global__ void all(double *r, bool b, char c, unsigned char uc, short s,
             unsigned short us, int i, unsigned u, int64_t l, uint64_t ul, float f,
             const double d, size_t z) {
           r[0] = b; r[1] = c; r[2] = uc; r[3] = s; r[4] = us; r[5] = i; r[6] = u; r[7] = l;
           r[8] = ul; r[9] = f; r[10] = d; r[11] = z;
         }
      ]], 'all')
      local r = torch.CudaDoubleTensor(12)
      local values = { true, -128, 255, -32768, 65535, -2147483648, 4294967295, -2 ^ 53, 2 ^ 53,
         0.5, 1e300, 3 }
      k(1, 1, r, unpack(values))
      values[1] = 1
      assert.same(values, r:totable())
      raises('cutorch.kernel: all: c is 128, expected a whole number from -128 to 127', k, 1, 1, r,
         true, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      raises('uc is -1, expected a whole number from 0 to 255', k, 1, 1, r, true, 0, -1, 0, 0, 0,
         0, 0, 0, 0, 0, 0)
      raises('i is 0.5, expected a whole number from -2147483648 to 2147483647', k, 1, 1, r, true,
         0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0)
      raises('b is 1, expected true or false', k, 1, 1, r, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
   end)

   it('refuses the first integers beyond 64 bits', function()
      local k = cutorch.kernel([[
         __global__ void top(int64_t *r, int64_t l, uint64_t u) {
           r[0] = l; r[1] = u == 1ull << 63;
         }
      ]], 'top')
      local r = torch.CudaLongTensor(2)
      k(1, 1, r, -2 ^ 63, 2 ^ 63)
      assert.equal(-2 ^ 63, tonumber(r[1]))
      assert.equal(1, r[2])
      raises('top: l is 9.2233720368548e+18, expected a whole number from -9223372036854775808 to '
         .. '9223372036854775807', k, 1, 1, r, 2 ^ 63, 0)
      raises('expected a whole number from 0 to 18446744073709551615', k, 1, 1, r, 0, 2 ^ 64)
      raises('top: u is inf', k, 1, 1, r, 0, math.huge)
   end)

   it('asks the threads of the mask alone', function()
      local k = cutorch.kernel([[
         __global__ void ask(int *r) {
           unsigned lower = 0x0000ffffu, all = 0xffffffffu;
           int lane = threadIdx.x;
           int few = lane < 16, odd = lane & 1;
           int every = 0, any = 0;
           unsigned ballot = 0;
           if (lane < 16) {
             every = __all_sync(lower, few);
             any = __any_sync(lower, !few);
             ballot = __ballot_sync(lower, odd);
           } else {
             __all_sync(~lower, few);
             __any_sync(~lower, !few);
             __ballot_sync(~lower, odd);
           }
           int whole = __all_sync(all, few), some = __any_sync(all, few);
           if (lane == 0) {
             r[0] = every; r[1] = any; r[2] = (int)ballot; r[3] = whole; r[4] = some;
           }
         }
      ]], 'ask')
      local r = torch.CudaIntTensor(5)
      k(1, 32, r)
      assert.same({ 1, 0, 0xaaaa, 0, 1 }, r:totable())
   end)

   it('is saved as its source', function()
      local strided = cutorch.kernel(SCALE, 'scale', { strided = true })
      local copy = torch.deserialize(torch.serialize(strided))
      local x, y = torch.CudaTensor(4, 4):fill(1), torch.CudaTensor(4, 4)
      copy(1, 16, y, x:t(), 3, 16)
      assert.equal(48, y:sum())
      assert.equal(tostring(strided), tostring(copy))
   end)

   it('refuses tensors that the pointers are not for', function()
      local x, y = torch.CudaTensor(4, 4):fill(1), torch.CudaTensor(4, 4)
      raises('cutorch.kernel: scale: x is a 4x4 CudaDoubleTensor, expected a tensor of floats on a '
         .. 'device (torch.CudaTensor)', scale, 1, 16, y, x:cudaDouble(), 1, 16)
      raises('cutorch.kernel: scale: y is a 4x4 FloatTensor', scale, 1, 16, y:float(), x, 1, 16)
      raises('cutorch.kernel: scale: x is 7, expected a tensor of floats', scale, 1, 16, y, 7, 1,
         16)
      raises('cutorch.kernel: scale: factor is a 4x4 CudaTensor, expected a number', scale, 1, 16,
         y, x, x, 16)
      raises('cutorch.kernel: scale: x is not contiguous', scale, 1, 16, y, x:t(), 1, 16)
      raises('cutorch.kernel: scale: 3 arguments, expected 4: y, x, factor, n', scale, 1, 16, y,
         x, 1)
      raises('cutorch.kernel: scale: x is a Variable', scale, 1, 16, y, x:clone():requiresGrad(), 1,
         16)
      local strided = cutorch.kernel(SCALE, 'scale', { strided = true })
      strided(1, 16, y, x:t(), 3, 16)
      assert.equal(48, y:sum())
      if cutorch.getDeviceCount() > 1 then
         local other = cutorch.withDevice(2, function() return torch.CudaTensor(16):fill(1) end)
         raises('cutorch.kernel: scale: x is on device 2, the tensor before it on device 1', scale,
            1, 16, y, other, 1, 16)
         local r = cutorch.withDevice(2, function() return torch.CudaTensor(16) end)
         scale(1, 16, r, other, 5, 16) -- where its tensors are
         assert.equal(80, r:sum())
         assert.equal(1, cutorch.getDevice())
      end
   end)

   it('refuses sizes that no device has', function()
      local x = torch.CudaTensor(4)
      raises('cutorch.kernel: scale: the grid is nil, expected a number or up to three',
         scale.launch, scale, { block = 1, x, x, 1, 4 })
      raises('the block has 0 at place 2, expected a whole number from 1 on', scale, 1, { 4, 0 }, x,
         x, 1, 4)
      raises('kernel: a block of 2048 threads in x, expected 1 to 1024', scale, 1, 2048, x, x, 1, 4)
      raises('kernel: a block of 2048 threads, of which 1024 are the most', scale, 1, { 64, 32 }, x,
         x, 1, 4)
      raises('kernel: a grid of 100000 blocks in y', scale, { 1, 100000 }, 1, x, x, 1, 4)
      raises('bytes of shared memory, of which 49152 are the most', scale.launch, scale,
         { grid = 1, block = 1, shared = 50000, x, x, 1, 4 })
      raises("scale: there is no option 'blocks'; the options are block, grid, shared",
         scale.launch, scale, { blocks = 1, grid = 1, x, x, 1, 4 })
   end)

   it('reads what it takes from the source, or says why not', function()
      raises("cutorch.kernel: there is no __global__ function 'scales'; near: scale",
         cutorch.kernel, SCALE, 'scales')
      raises("there is no __global__ function 'commented'", cutorch.kernel, SCALE, 'commented')
      raises("there is no __global__ function 'f' in the source, nor any other", cutorch.kernel,
         'void f() {}', 'f')
      raises('cutorch.kernel: f is a template', cutorch.kernel,
         'template <class T> __global__ void f(float *x) {}', 'f')
      raises('cutorch.kernel: f: the parameter "flaot *x" is none that a script can give',
         cutorch.kernel, '__global__ void f(flaot *x) {}', 'f')
      raises('near: float', cutorch.kernel, '__global__ void f(flaot *x) {}', 'f')
      raises('the parameter "float **x"', cutorch.kernel, '__global__ void f(float **x) {}', 'f')
      for text, wanted in pairs { ['bool *x'] = 'char', ['unsigned int *x'] = 'int',
         ['const uint64_t *x'] = 'long', ['unsigned short *x'] = 'short' } do
         raises(('cutorch.kernel: f: no tensor has elements for the parameter %q; take %s * or '
            .. 'void *'):format(text, wanted), cutorch.kernel,
            ('__global__ void f(%s) {}'):format(text), 'f')
      end
      raises('cutorch.kernel: expected the source as a string, got nil', cutorch.kernel)
      raises('cutorch.kernel: expected the name of a __global__ function, got nil', cutorch.kernel,
         SCALE)
   end)

   it('knows comments and texts from the source', function()
      local k = cutorch.kernel([[
         // as in kernels/*.cu
         __device__ const char *url = "http://x /* \"// ";
         __global__ void yes(int *r, int /* n, */ n) { r[0] = n + (url[4] == ':') + ('"' == 34); }
         /* __global__ void no(int x) // " */
         __global__ void last(int *r) { r[0] = '\'' + 1'000; }
      ]], 'yes')
      local r = torch.CudaIntTensor(1)
      k(1, 1, r, 5)
      assert.equal(7, r[1])
      assert.equal('cutorch.Kernel: last(int *r)', tostring(cutorch.kernel(k.source, 'last')))
      raises("there is no __global__ function 'no'", cutorch.kernel, k.source, 'no')
   end)

   it('shows the lines that do not compile', function()
      local message = raises('cutorch.kernel: the source does not compile:', cutorch.kernel, [[
__global__ void f(float *x) {
  x[0] = 1;
  x[1] = undefined_name;
}]], 'f')
      assert.matches('kernel.cu', message, 1, true)
      assert.matches("undefined_name", message, 1, true)
      assert.matches('  x[1] = undefined_name;', message, 1, true)
   end)

   it('goes to the current stream', function()
      cutorch.reserveStreams(2)
      local x, y = torch.CudaTensor(64):fill(3), torch.CudaTensor(64):zero()
      cutorch.synchronize()
      cutorch.setStream(2)
      for _ = 1, 20 do
         scale(1, 64, y, x, 2, 64)
         scale(1, 64, x, y, 0.5, 64)
      end
      cutorch.streamSynchronize(2)
      cutorch.setDefaultStream()
      assert.equal(64 * 6, y:sum())
   end)

   it('counts as a write of what is not const, and as a call', function()
      local x, y = torch.CudaTensor(4):fill(3), torch.CudaTensor(4)
      local read, written = x.store.version[0], y.store.version[0]
      local calls = torch.calls(function() scale(1, 4, y, x, 2, 4) end)
      assert.equal('launch', calls[1].name)
      assert.equal(read, x.store.version[0])
      assert.equal(written + 1, y.store.version[0])
      -- A pointer that is constant itself writes; one to what is constant does not.
      local k = cutorch.kernel('__global__ void set(float *const y, float const *x, const int n) '
         .. '{ y[n] = x[n]; }', 'set')
      k(1, 1, y, x, 0)
      assert.equal(read, x.store.version[0])
      assert.equal(written + 2, y.store.version[0])
      assert.equal(3, y[1])
   end)

   if os.getenv 'THC_SIM_DEVICES' then
      local function faults(text, f)
         f()
         raises(text, cutorch.synchronize)
         raises(text, cutorch.synchronize) -- it stays
         C.THC_Sim_reset()
         local x, y = torch.CudaTensor(4):fill(3), torch.CudaTensor(4)
         scale(1, 4, y, x, 2, 4)
         assert.equal(24, y:sum())
      end

      it('that touches what is not its own is a fault of the device', function()
         local wild = cutorch.kernel([[
            __global__ void wild(float *x, long long at) { x[at] = 1; }
            __global__ void null(float *x, long long at) { *(float *)at = x[0]; }
         ]], 'wild')
         local x = torch.CudaTensor(4)
         faults('a kernel touched memory that is not its own', function()
            wild(1, 1, x, 2 ^ 44)
         end)
         x = torch.CudaTensor(4)
         local null = cutorch.kernel(wild.source, 'null')
         faults('a kernel touched memory that is not its own', function()
            null(1, 1, x, 16)
         end)
      end)

      it('whose fault is not taken for the lack of a compiler', function()
         local wild = cutorch.kernel('__global__ void wild(float *x, long long at) { x[at] = 1; }',
            'wild')
         local f, x = torch.fuse 'y = a * 3.25 + 1', torch.CudaTensor(4)
         environment.set('TMPDIR', '/nowhere')
         finally(function() environment.restore 'TMPDIR' end)
         wild(1, 1, x, 2 ^ 44)
         raises('a kernel touched memory that is not its own', f.how, f, x)
         C.THC_Sim_reset()
         x = torch.CudaTensor(4):fill(2)
         local how, reason = f:how(x)
         assert.equal('composed', how)
         assert.matches('no folder can be made in /nowhere', reason, 1, true)
         environment.restore 'TMPDIR'
         assert.equal(30, f(x):sum())
         assert.equal('compiled', (f:how(x)))
      end)

      it('that fails an assertion, or has threads that miss each other, is one, too', function()
         local source = [[
            __global__ void claims(int n) { assert(n > 3); }
            __global__ void parts(float *x) {
              if (threadIdx.x == 3) return;
              x[0] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1);
            }
         ]]
         local claims, parts = cutorch.kernel(source, 'claims'), cutorch.kernel(source, 'parts')
         claims(1, 4, 4)
         cutorch.synchronize()
         faults('assertion failed: n > 3', function() claims(1, 4, 3) end)
         local x = torch.CudaTensor(32)
         faults('threads of a warp part ways', function() parts(1, 32, x) end)
      end)
   end
end)
