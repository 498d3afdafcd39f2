--- How CUDA devices carry out a call of a fused function: a kernel of CUDA C.
-- @module cutorch.fuse
local code = require 'torch.fuse.code'
local memory = require 'torch.fuse.memory'
local shapes = require 'torch.functions.shapes'
local th = require 'torch.ffi'

local C, isTensor, like = th.C, th.isTensor, th.like

local M = {}

local TEXT = [[
typedef $type T;
typedef bool Logical;
typedef long long Index;
#define M(name) name$suffix
#define NOT_A_NUMBER ((T)__longlong_as_double(0x7ff8000000000000LL))
#define INFINITE ((T)__longlong_as_double(0x7ff0000000000000LL))
#ifdef __CUDACC_RTC__
__device__ inline float from_half(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
__device__ inline unsigned short to_half(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#else
inline float from_half(unsigned short bits) { _Float16 x; memcpy(&x, &bits, 2); return x; }
inline unsigned short to_half(float x) {
  const _Float16 y = x;
  unsigned short bits;
  memcpy(&bits, &y, 2);
  return bits;
}
#endif
__device__ inline float from_bfloat16(unsigned short bits) {
  return __int_as_float((int)((unsigned)bits << 16));
}
__device__ inline unsigned short to_bfloat16(float x) {
  const unsigned bits = (unsigned)__float_as_int(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (unsigned short)(bits >> 16 | 0x40);
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
extern "C" __global__ void fused($parameters) {
  const Index step = (Index)gridDim.x * blockDim.x;
  for (Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
$body
  }
}
]]

-- dtype -> type of an element in memory, and how it is read and written
local ELEMENTS = {
   [tonumber(C.TH_BYTE)] = { 'unsigned char' }, [tonumber(C.TH_CHAR)] = { 'signed char' },
   [tonumber(C.TH_SHORT)] = { 'short' }, [tonumber(C.TH_INT)] = { 'int' },
   [tonumber(C.TH_LONG)] = { 'long long' }, [tonumber(C.TH_FLOAT)] = { 'float' },
   [tonumber(C.TH_DOUBLE)] = { 'double' },
   [tonumber(C.TH_HALF)] = { 'unsigned short', 'half' },
   [tonumber(C.TH_BFLOAT16)] = { 'unsigned short', 'bfloat16' },
}

local function reading(dtype, pointer, place)
   local kind = ELEMENTS[dtype]
   local element = ('((const %s *)%s)[%s]'):format(kind[1], pointer, place)
   return kind[2] and ('from_%s(%s)'):format(kind[2], element) or '(T)' .. element
end

-- The source for tensors of those element types; `dimensions` of 0: all lie compactly.
local function source(program, isNumber, dtypes, isDouble, dimensions)
   local element = code.element(program)
   local results = #program.outputs
   local parameters, body, stores = {}, {}, {}
   local function place(k) -- of tensor k among all, results first
      return dimensions == 0 and 'i' or 'at' .. k
   end
   if dimensions > 0 then
      body[1] = '    Index rest = i;'
      for d = dimensions, 1, -1 do
         body[#body + 1] = ('    const Index d%d = rest %% size%d; rest /= size%d;'):format(d, d, d)
      end
   end
   for k = 1, #dtypes do
      parameters[k] = ('%svoid *p%d'):format(k > results and 'const ' or '', k)
      local terms = {}
      for d = 1, dimensions do
         terms[d] = ('d%d * stride%d_%d'):format(d, k, d)
      end
      if dimensions > 0 then
         body[#body + 1] = ('    const Index at%d = %s;'):format(k, table.concat(terms, ' + '))
      end
   end
   local k = results
   for i = 1, #program.arguments do
      if isNumber[i] then
         parameters[#parameters + 1] = ('%s x%d'):format(isDouble and 'double' or 'float', i)
      else
         k = k + 1
         if element.read[i] then
            body[#body + 1] = ('    const T x%d = %s;'):format(i, reading(dtypes[k], 'p' .. k,
               place(k)))
         end
      end
   end
   for _, statement in ipairs(element.statements) do
      body[#body + 1] = '    ' .. statement
   end
   for r, result in ipairs(element.results) do
      local kind = ELEMENTS[dtypes[r]]
      stores[r] = ('    ((%s *)p%d)[%s] = %s;'):format(kind[1], r, place(r),
         kind[2] and ('to_%s(%s)'):format(kind[2], result) or result)
   end
   parameters[#parameters + 1] = 'long long n'
   for d = 1, dimensions do
      parameters[#parameters + 1] = 'long long size' .. d
   end
   for each = 1, dimensions > 0 and #dtypes or 0 do
      for d = 1, dimensions do
         parameters[#parameters + 1] = ('long long stride%d_%d'):format(each, d)
      end
   end
   return (TEXT:gsub('%$(%l+)', {
      type = isDouble and 'double' or 'float', suffix = isDouble and '' or '##f',
      parameters = table.concat(parameters, ', '),
      body = table.concat(body, '\n') .. '\n' .. table.concat(stores, '\n'),
   }))
end

-- --- geometry -----------------------------------------------------------------------------------

-- Tensors of one shape as few dimensions as they all allow: sizes, and strides of each tensor.
local function joined(tensors, shape)
   local sizes, strides = {}, {}
   for k = 1, #tensors do
      strides[k] = {}
   end
   for d = 1, #shape do
      local size, last = shape[d], #sizes
      local joins = last > 0
      for k, t in ipairs(tensors) do
         joins = joins and strides[k][last] == size * tonumber(t.strides[d - 1])
      end
      if size ~= 1 then
         local at = joins and last or last + 1
         sizes[at] = joins and sizes[last] * size or size
         for k, t in ipairs(tensors) do
            strides[k][at] = tonumber(t.strides[d - 1])
         end
      end
   end
   return sizes, strides
end

local function compact(sizes, strides)
   if #sizes > 1 then
      return false
   end
   for k = 1, #strides do
      if #sizes == 1 and strides[k][1] ~= 1 then
         return false
      end
   end
   return true
end

-- --- a call -------------------------------------------------------------------------------------

local THREADS, MOST_BLOCKS = 256, 65536

local function launch(kernel, tensors, numbers, sizes, strides, plain)
   local n = 1
   for _, size in ipairs(sizes) do
      n = n * size
   end
   local given = { grid = math.min(math.ceil(n / THREADS), MOST_BLOCKS), block = THREADS }
   for k, t in ipairs(tensors) do
      given[k] = t
   end
   for _, number in ipairs(numbers) do
      given[#given + 1] = number
   end
   given[#given + 1] = n
   if not plain then
      for _, size in ipairs(sizes) do
         given[#given + 1] = size
      end
      for k = 1, #tensors do
         for d = 1, #sizes do
            given[#given + 1] = strides[k][d]
         end
      end
   end
   kernel:launch(given)
end

local function cutorch()
   return require 'cutorch'
end

--- A function(results, arguments) that does it; nil and the reason where nothing compiles.
function M.way(program, isNumber, arguments, float)
   local isDouble = float.dtype == C.TH_DOUBLE
   local results = #program.outputs
   local kernels = {}

   local function kernel(dtypes, dimensions)
      local key = table.concat(dtypes, ' ') .. ':' .. dimensions
      kernels[key] = kernels[key] or cutorch().kernel(source(program, isNumber, dtypes, isDouble,
         dimensions), 'fused', { strided = true })
      return kernels[key]
   end

   local function types(dtype, tensors) -- of results and operands
      local list = {}
      for k = 1, results do
         list[k] = tonumber(dtype)
      end
      for _, t in ipairs(tensors) do
         list[#list + 1] = tonumber(t.dtype)
      end
      return list
   end

   local operands = {}
   for i, x in ipairs(arguments) do
      operands[#operands + 1] = not isNumber[i] and x or nil
   end
   local made, reason = pcall(kernel, types(float.dtype, operands), 0)
   if not made then
      -- A device that has failed says so here: composed operations would fail, too.
      cutorch().withDevice(float.device + 1, cutorch().synchronize)
      return nil, reason
   end

   return function(given, values)
      local list, numbers, tensors = {}, {}, {}
      for _, x in ipairs(values) do
         if isTensor(x) then
            list[#list + 1] = x
         else
            numbers[#numbers + 1] = x
         end
      end
      local shape = shapes.common(list)
      if not shape then
         return false -- and the caller says why
      end
      local dtypes = types(given[1].dtype, list)
      for k, r in ipairs(given) do
         local apart = false
         for _, x in ipairs(list) do
            apart = apart or memory.displaces(r, x, shape)
         end
         for before = 1, k - 1 do
            apart = apart or memory.meet(r, given[before])
         end
         tensors[k] = apart and like(r) or r
         if not shapes.has(tensors[k], shape) then
            tensors[k]:resize(unpack(shape))
         end
      end
      for _, x in ipairs(list) do
         tensors[#tensors + 1] = shapes.expand(x, shape)
      end
      local sizes, strides = joined(tensors, shape)
      local plain = compact(sizes, strides)
      launch(kernel(dtypes, plain and 0 or #sizes), tensors, numbers, sizes, strides, plain)
      for k, r in ipairs(given) do
         if tensors[k] ~= r then
            r:resizeAs(tensors[k]):copy(tensors[k])
         end
      end
      return true
   end
end

return M
