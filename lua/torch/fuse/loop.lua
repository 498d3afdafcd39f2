--- A program as a loop of the CPU: C, the library it becomes, the function in it.
-- @module torch.fuse.loop
local ffi = require 'ffi'
local code = require 'torch.fuse.code'
local compiler = require 'torch.native.compiler'
local inline = require 'torch.fuse.inline'
local library = require 'torch.native.library'
local th = require 'torch.ffi'

local C = th.C

local M = {}

local SYMBOL, PAST_CACHES = 'luatorch_loop', 'luatorch_loop_past_caches'
for _, symbol in ipairs { SYMBOL, PAST_CACHES } do
   ffi.cdef(('void %s(void *const *pointers, int64_t n, const double *numbers);'):format(symbol))
end

-- As for our own kernels (lib/TH/CMakeLists.txt): the same instruction set, vectors of the same
-- width, and freedom to call libmvec. A bound such as exp's becomes several masks where gcc threads
-- jumps.
local FLAGS, FLAGS_OF_GCC = '-O3 -fno-math-errno -fno-trapping-math -w ', '-fno-thread-jumps '
local WIDTH = { ['x86-64-v4'] = ' -mprefer-vector-width=512' }

-- An element's result may depend on nothing but its operands, and what libm makes of a number and
-- of a vector differs in the last bits. So the loop has LANES elements at a time, a whole number of
-- vectors, and the rest is filled up. The loop of LANES must not be unrolled before it becomes
-- vectors.
--
-- Results go past the caches vector by vector: `out` lies in registers, once the loop has become
-- vectors. By way of a buffer of 4 KiB the processor reads and writes by turns, which took 1e7
-- floats through three operands 3.9 ms instead of 2.7.
local TEXT = [[
#include <features.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
typedef $type T;
typedef bool Logical;
#define M(name) name$suffix
#define NOT_A_NUMBER ((T)__builtin_nan(""))
#define INFINITE ((T)__builtin_inf())
#define LANES 16
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#define BY_VECTORS __attribute__((const, nothrow))
#else
#define INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#if defined(__x86_64__) && defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
#define BY_VECTORS __attribute__((simd("notinbranch"), const, nothrow))
#else
#define BY_VECTORS __attribute__((const, nothrow))
#endif
#endif
#define AHEAD(from) \
  for (int line = 0; line < (int)(LANES * sizeof(T)); line += 64) \
    __builtin_prefetch((const char *)(from) + line + 1024);
#ifdef __AVX512F__
#define WIDTH 64
#define STORE __builtin_ia32_movntps512
#elif defined(__AVX__)
#define WIDTH 32
#define STORE __builtin_ia32_movntps256
#else
#define WIDTH 16
#define STORE __builtin_ia32_movntps
#endif
static inline __attribute__((always_inline)) void store_past_caches(T *to, const T *from) {
#ifdef __x86_64__
  typedef float Vector __attribute__((vector_size(WIDTH)));
  for (unsigned i = 0; i < LANES * sizeof(T) / WIDTH; ++i) {
    Vector part;
    memcpy(&part, (const char *)from + i * WIDTH, WIDTH);
#ifdef __clang__
    __builtin_nontemporal_store(part, (Vector *)to + i);
#else
    STORE((float *)to + i * (WIDTH / 4), part);
#endif
  }
#else
  memcpy(to, from, LANES * sizeof(T));
#endif
}
$prototypes
static inline __attribute__((always_inline)) void blocks(void *const *p, int64_t parts,
                                                         const double *numbers, bool past) {
$pointers
  for (int64_t first = 0; first < LANES * parts; first += LANES) {
    T out[$results][LANES] __attribute__((aligned(64)));
$ahead
    INDEPENDENT
    for (int64_t i = first; i < first + LANES; ++i) {
$body
    }
    if (past) {
$past
    }
  }
}
static __attribute__((noinline)) void whole(void *const *p, int64_t parts, const double *numbers) {
  blocks(p, parts, numbers, false);
}
static __attribute__((noinline)) void past(void *const *p, int64_t parts, const double *numbers) {
  blocks(p, parts, numbers, true);
}
static void rest(void *const *p, int64_t n, const double *numbers) {
  const int64_t rest = n % LANES, done = n - rest;
  if (rest == 0) return;
  T part[$count][LANES];
  void *parts[$count];
  for (int k = 0; k < $count; ++k) {
    parts[k] = part[k];
    if (k < $results) continue;
    const T *from = (const T *)p[k] + done;
    for (int i = 0; i < LANES; ++i) part[k][i] = from[i < rest ? i : 0];
  }
  whole(parts, 1, numbers);
  for (int k = 0; k < $results; ++k) memcpy((T *)p[k] + done, part[k], rest * sizeof(T));
}
void ]] .. SYMBOL .. [[(void *const *p, int64_t n, const double *numbers) {
  whole(p, n / LANES, numbers);
  rest(p, n, numbers);
}
void ]] .. PAST_CACHES .. [[(void *const *p, int64_t n, const double *numbers) {
  past(p, n / LANES, numbers);
#ifdef __x86_64__
  __builtin_ia32_sfence(); // such stores are not ordered with those that follow
#endif
  rest(p, n, numbers);
}
]]

-- libmvec has no vector form of these; the compiler has instructions for most.
local PLAIN = { fabs = true, sqrt = true, floor = true, ceil = true, round = true, trunc = true,
   fmod = true }

local function isClang()
   local compiled = compiler.find 'c'
   return compiled and compiled.version:find 'clang'
end

-- Of the functions of libm: those that stand in the loop, those that are called by vectors, and the
-- text that declares both.
local function mathematics(called, isDouble)
   local inlined, calls, list = {}, {}, {}
   for name, operands in pairs(called) do
      local stands = not isDouble and inline.has(name)
      if stands then
         inlined[#inlined + 1] = name
      else
         list[#list + 1] = ('T M(%s)(T%s)%s;'):format(name, operands == 2 and ', T' or '',
            PLAIN[name] and '' or ' BY_VECTORS')
         calls[#calls + 1] = not PLAIN[name] and name or nil
      end
   end
   for _, names in ipairs { inlined, calls, list } do
      table.sort(names)
   end
   return calls, table.concat(list, '\n') .. '\n' .. inline.text(inlined)
end

-- Where the loop finds its operands: tensors behind the results, numbers among `numbers`.
local function source(program, isNumber, isDouble)
   local element = code.element(program)
   local calls, prototypes = mathematics(element.called, isDouble)
   local pointers, ahead, body, stores, past = {}, {}, {}, {}, {}
   local results, tensors, numbers = #program.outputs, 0, 0
   for k, result in ipairs(element.results) do
      pointers[k] = ('  T *r%d = (T *)p[%d];'):format(k, k - 1)
      stores[k] = ('      (past ? out[%d] : r%d + first)[i - first] = %s;'):format(k - 1, k, result)
      past[k] = ('      store_past_caches(r%d + first, out[%d]);'):format(k, k - 1)
   end
   for i = 1, #program.arguments do
      if isNumber[i] then
         pointers[#pointers + 1] = ('  const T x%d = (T)numbers[%d];'):format(i, numbers)
         numbers = numbers + 1
      else
         local place = results + tensors
         pointers[#pointers + 1] = ('  const T *p%d = (const T *)p[%d];'):format(i, place)
         if element.read[i] then
            -- Calls between the loads keep a processor from running far ahead of itself, and its
            -- own guess of what comes next ends with each page. In the caches that costs nothing;
            -- without calls it takes a tenth of the memory's speed.
            ahead[#ahead + 1] = calls[1] and ('    AHEAD(p%d + first)'):format(i)
            body[#body + 1] = ('      const T x%d = p%d[i];'):format(i, i)
         end
         tensors = tensors + 1
      end
   end
   for _, statement in ipairs(element.statements) do
      body[#body + 1] = '      ' .. statement
   end
   for _, store in ipairs(stores) do
      body[#body + 1] = store
   end
   local filled = TEXT:gsub('%$(%l+)', {
      type = isDouble and 'double' or 'float', suffix = isDouble and '' or '##f',
      prototypes = prototypes, pointers = table.concat(pointers, '\n'),
      past = table.concat(past, '\n'), ahead = table.concat(ahead, '\n'),
      body = table.concat(body, '\n'),
      count = results + tensors, results = results,
   })
   return filled, element.cost, calls
end

--- The loop for a program.
-- @param program torch.fuse.Program
-- @param isNumber table: the places of arguments that are numbers
-- @param isDouble whether it computes in double instead of float
-- @return function pointer, the one that writes past the caches, cost, what has to stay alive; or
-- nil and why there is none
function M.make(program, isNumber, isDouble)
   local text, cost, calls = source(program, isNumber, isDouble)
   -- clang knows few functions of libmvec: called element by element, they take longer than the
   -- operations do.
   if calls[1] and isClang() then
      return nil, ('clang has no vectors of %s; gcc has (CC, or gcc on the PATH)'):format(calls[1])
   end
   local set = ffi.string(C.TH_instructionSet())
   local x86 = set:find('x86', 1, true)
   local flags = FLAGS .. (isClang() and '' or FLAGS_OF_GCC)
      .. (x86 and '-march=' .. set .. (WIDTH[set] or '') or '')
   local lib, reason = library.load('c', text, flags, x86 and '-lmvec -lm' or '-lm')
   if not lib then
      return nil, reason
   end
   return ffi.cast('TH_Loop', lib[SYMBOL]), ffi.cast('TH_Loop', lib[PAST_CACHES]), cost, lib
end

return M
