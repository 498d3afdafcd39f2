--- A program as a loop of the CPU: C, the library it becomes, the function in it.
-- @module torch.fuse.loop
local ffi = require 'ffi'
local code = require 'torch.fuse.code'
local compiler = require 'torch.native.compiler'
local library = require 'torch.native.library'
local th = require 'torch.ffi'

local C = th.C

local M = {}

local SYMBOL = 'luatorch_loop'
ffi.cdef(('void %s(void *const *pointers, int64_t n, const double *numbers);'):format(SYMBOL))

-- As for our own kernels (lib/TH/CMakeLists.txt): the same instruction set, vectors of the same
-- width, and freedom to call libmvec.
local FLAGS = '-O3 -fno-math-errno -fno-trapping-math -w '
local WIDTH = { ['x86-64-v4'] = ' -mprefer-vector-width=512' }

-- An element's result may depend on nothing but its operands, and what libm makes of a number and
-- of a vector differs in the last bits. So the loop has LANES elements at a time, a whole number of
-- vectors, and the rest is filled up.
--
-- Calls between the loads keep a processor from running far ahead of itself, and its own guess of
-- what comes next ends with each page: so operands are asked for 1 KiB ahead. Where they lie in the
-- caches already, that costs nothing that could be measured. The loop of LANES must not be unrolled
-- before it becomes vectors.
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
$prototypes
static __attribute__((noinline)) void whole(void *const *p, int64_t parts, const double *numbers) {
$pointers
  for (int64_t first = 0; first < LANES * parts; first += LANES) {
$ahead
    INDEPENDENT
    for (int64_t i = first; i < first + LANES; ++i) {
$body
    }
  }
}
void ]] .. SYMBOL .. [[(void *const *p, int64_t n, const double *numbers) {
  const int64_t rest = n % LANES, done = n - rest;
  if (done > 0) whole(p, done / LANES, numbers);
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
]]

-- libmvec has no vector form of these; the compiler has instructions for most.
local PLAIN = { fabs = true, sqrt = true, floor = true, ceil = true, round = true, trunc = true,
   fmod = true }

-- A function that the compiler would call element by element; clang knows few of libmvec's. Then
-- the operations are faster.
local function slow(called)
   local compiled = compiler.find 'c'
   for name in pairs(compiled and compiled.version:find 'clang' and called or {}) do
      if not PLAIN[name] then
         return name
      end
   end
end

local function prototypes(called)
   local list = {}
   for name, operands in pairs(called) do
      list[#list + 1] = ('T M(%s)(T%s)%s;'):format(name, operands == 2 and ', T' or '',
         PLAIN[name] and '' or ' BY_VECTORS')
   end
   table.sort(list)
   return table.concat(list, '\n')
end

-- Where the loop finds its operands: tensors behind the results, numbers among `numbers`.
local function source(program, isNumber, isDouble)
   local element = code.element(program)
   local pointers, ahead, body, stores = {}, {}, {}, {}
   local results, tensors, numbers = #program.outputs, 0, 0
   for k, result in ipairs(element.results) do
      pointers[k] = ('  T *r%d = (T *)p[%d];'):format(k, k - 1)
      stores[k] = ('      r%d[i] = %s;'):format(k, result)
   end
   for i = 1, #program.arguments do
      if isNumber[i] then
         pointers[#pointers + 1] = ('  const T x%d = (T)numbers[%d];'):format(i, numbers)
         numbers = numbers + 1
      else
         local place = results + tensors
         pointers[#pointers + 1] = ('  const T *p%d = (const T *)p[%d];'):format(i, place)
         if element.read[i] then
            ahead[#ahead + 1] = ('    AHEAD(p%d + first)'):format(i)
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
      prototypes = prototypes(element.called), pointers = table.concat(pointers, '\n'),
      ahead = table.concat(ahead, '\n'), body = table.concat(body, '\n'),
      count = results + tensors, results = results,
   })
   return filled, element
end

--- The loop for a program.
-- @param program torch.fuse.Program
-- @param isNumber table: the places of arguments that are numbers
-- @param isDouble whether it computes in double instead of float
-- @return function pointer, cost, what has to stay alive; or nil and why there is none
function M.make(program, isNumber, isDouble)
   local text, element = source(program, isNumber, isDouble)
   local name = slow(element.called)
   if name then
      return nil, ('clang has no vectors of %s; gcc has (CC, or gcc on the PATH)'):format(name)
   end
   local set = ffi.string(C.TH_instructionSet())
   local x86 = set:find('x86', 1, true)
   local flags = FLAGS .. (x86 and '-march=' .. set .. (WIDTH[set] or '') or '')
   local lib, reason = library.load('c', text, flags, x86 and '-lmvec -lm' or '-lm')
   if not lib then
      return nil, reason
   end
   return ffi.cast('TH_Loop', lib[SYMBOL]), element.cost, lib
end

return M
