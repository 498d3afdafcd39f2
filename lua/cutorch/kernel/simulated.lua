--- Kernels of CUDA C for simulated devices: what is put before and behind a source, so that the
-- host's C++ compiler makes a library of it that lib/THC/sim/script_kernel.cpp can run.
--
-- A thread is a fiber, and all that run at once do so on one thread of the host: so where a thread
-- is can be a global variable, which is put back after each wait, what is shared by a block is
-- static, and an atomic operation is an ordinary one.
-- @module cutorch.kernel.simulated
local compiler = require 'torch.native.compiler'
local library = require 'torch.native.library'

local M = {}

local BEFORE = [[
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
extern "C" {
struct luatorch_Size { unsigned x, y, z; };
struct luatorch_Thread {
  luatorch_Size thread, block, blocks, threads;
  void* shared;
  const void* self;
  void (*sync)(const void* self);
  uint64_t (*exchange)(const void* self, uint64_t value, int lane);
};
}
static const luatorch_Thread* luatorch_now;
using dim3 = luatorch_Size;
#define threadIdx (luatorch_now->thread)
#define blockIdx (luatorch_now->block)
#define gridDim (luatorch_now->blocks)
#define blockDim (luatorch_now->threads)
#define __global__ __attribute__((visibility("hidden")))
#define __device__ static
#define __host__
#define __constant__ static
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define assert(...) \
  ((__VA_ARGS__) ? (void)0 : throw std::runtime_error("assertion failed: " #__VA_ARGS__))
static const int warpSize = 32;
template <class T> struct luatorch_Shared {
  operator T*() const { return static_cast<T*>(luatorch_now->shared); }
};
static inline void __syncthreads() {
  const luatorch_Thread* self = luatorch_now;
  self->sync(self->self);
  luatorch_now = self;
}
static inline int luatorch_lane() {
  const luatorch_Thread& t = *luatorch_now;
  return (t.thread.x + t.threads.x * (t.thread.y + t.threads.y * t.thread.z)) % 32;
}
#define TEMPLATE template <class T> static inline
TEMPLATE T luatorch_exchange(T value, int lane) {
  static_assert(sizeof(T) <= 8, "a shuffle moves 8 bytes at most");
  const luatorch_Thread* self = luatorch_now;
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  bits = self->exchange(self->self, bits, lane >= 0 && lane < 32 ? lane : luatorch_lane());
  luatorch_now = self;
  memcpy(&value, &bits, sizeof(T));
  return value;
}
static inline void __syncwarp(unsigned = ~0u) { luatorch_exchange(0, 0); }
TEMPLATE T __shfl_sync(unsigned, T x, int i) { return luatorch_exchange(x, i & 31); }
TEMPLATE T __shfl_xor_sync(unsigned, T x, int mask) {
  return luatorch_exchange(x, luatorch_lane() ^ mask);
}
TEMPLATE T __shfl_down_sync(unsigned, T x, unsigned n) {
  return luatorch_exchange(x, luatorch_lane() + (int)n);
}
TEMPLATE T __shfl_up_sync(unsigned, T x, unsigned n) {
  return luatorch_exchange(x, luatorch_lane() - (int)n);
}
static inline unsigned __ballot_sync(unsigned m, int x) {
  unsigned lanes = 0;
  for (int i = 0; i < 32; ++i) lanes |= (unsigned)(luatorch_exchange(x, i) != 0) << i;
  return lanes & m;
}
static inline int __any_sync(unsigned m, int x) { return __ballot_sync(m, x) != 0; }
static inline int __all_sync(unsigned m, int x) { return __ballot_sync(m, x) == m; }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
TEMPLATE T __ldg(const T* p) { return *p; }
TEMPLATE T luatorch_replace(T* p, T x) { T old = *p; *p = x; return old; }
#undef TEMPLATE
#define TEMPLATE template <class T, class U> static inline
TEMPLATE T atomicAdd(T* p, U x) { return luatorch_replace(p, (T)(*p + (T)x)); }
TEMPLATE T atomicSub(T* p, U x) { return luatorch_replace(p, (T)(*p - (T)x)); }
TEMPLATE T atomicMax(T* p, U x) { return luatorch_replace(p, (T)x > *p ? (T)x : *p); }
TEMPLATE T atomicMin(T* p, U x) { return luatorch_replace(p, (T)x < *p ? (T)x : *p); }
TEMPLATE T atomicExch(T* p, U x) { return luatorch_replace(p, (T)x); }
TEMPLATE T atomicAnd(T* p, U x) { return luatorch_replace(p, (T)(*p & (T)x)); }
TEMPLATE T atomicOr(T* p, U x) { return luatorch_replace(p, (T)(*p | (T)x)); }
TEMPLATE T atomicXor(T* p, U x) { return luatorch_replace(p, (T)(*p ^ (T)x)); }
template <class T, class U, class V> static inline T atomicCAS(T* p, U wanted, V x) {
  return luatorch_replace(p, *p == (T)wanted ? (T)x : *p);
}
#undef TEMPLATE
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
#define __expf expf
#define __logf logf
#define __powf powf
#define __sinf sinf
#define __cosf cosf
static inline float __fdividef(float a, float b) { return a / b; }
template <class To, class From> static inline To luatorch_bits(From x) {
  static_assert(sizeof(To) == sizeof(From), "bits of another size");
  To r;
  memcpy(&r, &x, sizeof(r));
  return r;
}
static inline float __int_as_float(int x) { return luatorch_bits<float>(x); }
static inline int __float_as_int(float x) { return luatorch_bits<int>(x); }
static inline double __longlong_as_double(long long x) { return luatorch_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return luatorch_bits<long long>(x); }
#line 1 "kernel.cu"
]]

local BEHIND = [[

extern "C" void luatorch_kernel(const luatorch_Thread* thread, const uint64_t* a) {
  luatorch_now = thread;
  %s(%s);
}
]]

-- gcc would show lines of a file named kernel.cu, if there is one where the script runs.
local FLAGS = '-std=c++17 -O1 -g0 -w -fno-strict-aliasing'
local FLAGS_OF_GCC = FLAGS .. ' -fno-diagnostics-show-caret'

local function argument(place, parameter)
   local kind = parameter.pointer and (parameter.constant and 'const ' or '') .. parameter.typeName
      .. ' *' or parameter.typeName
   return ('*(%s const *)(a + %d)'):format(kind, place - 1)
end

--- The kernel; or nil and what the compiler says.
-- @param source string: CUDA C
-- @param name string
-- @param parameters what cutorch.kernel.signature read
-- @param open function(path of a library): the kernel
function M.open(source, name, parameters, open)
   local compiled, reason = compiler.find 'c++'
   if not compiled then
      return nil, reason
   end
   -- C++ has no array without a size that is somewhere else in each block.
   local text = source:gsub('extern%s+__shared__%s+(.-)([%w_]+)%s*%[%s*%]%s*;',
      'static luatorch_Shared<%1> %2;')
   local arguments = {}
   for i, parameter in ipairs(parameters) do
      arguments[i] = argument(i, parameter)
   end
   return library.load('c++', BEFORE .. text .. BEHIND:format(name, table.concat(arguments, ', ')),
      compiled.version:find 'clang' and FLAGS or FLAGS_OF_GCC, '', open)
end

return M
