--- What a kernel takes: the parameters of a `__global__` function, read from CUDA C.
-- @module cutorch.kernel.signature
local ffi = require 'ffi'
local near = require 'torch.near'
local raise = require('torch.errors').raise
local C = require('torch.ffi').C

local M = {}

--- Places for arguments, of which each kind of number takes a field.
M.Slots = ffi.typeof [[
   union {
      uint64_t bits; float single; double twice; bool logical;
      int8_t i8; int16_t i16; int32_t i32; int64_t i64;
      uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
   }[?]
]]

-- name -> field of a slot, element type of a tensor (nil: none is made of such), range
local function integer(bits, signed, dtype)
   return { field = (signed and 'i' or 'u') .. bits, bits = bits, signed = signed, dtype = dtype }
end
local types = {
   float = { field = 'single', real = true, dtype = C.TH_FLOAT },
   double = { field = 'twice', real = true, dtype = C.TH_DOUBLE },
   bool = { field = 'logical', logical = true },
   char = integer(8, true, C.TH_CHAR), ['signed char'] = integer(8, true, C.TH_CHAR),
   ['unsigned char'] = integer(8, false, C.TH_BYTE),
   short = integer(16, true, C.TH_SHORT), ['unsigned short'] = integer(16, false),
   int = integer(32, true, C.TH_INT), ['unsigned int'] = integer(32, false),
   unsigned = integer(32, false), signed = integer(32, true, C.TH_INT),
   long = integer(64, true, C.TH_LONG), ['unsigned long'] = integer(64, false),
   ['long long'] = integer(64, true, C.TH_LONG), ['unsigned long long'] = integer(64, false),
   size_t = integer(64, false), ptrdiff_t = integer(64, true, C.TH_LONG),
   __half = { pointed = true, dtype = C.TH_HALF }, half = { pointed = true, dtype = C.TH_HALF },
   __nv_bfloat16 = { pointed = true, dtype = C.TH_BFLOAT16 },
   void = { pointed = true },
}
local signed = { [8] = 'char', [16] = 'short', [32] = 'int', [64] = 'long' }
for _, bits in ipairs { 8, 16, 32, 64 } do
   types[('int%d_t'):format(bits)] = types[signed[bits]]
   types[('uint%d_t'):format(bits)] = types['unsigned ' .. signed[bits]]
end

-- Comments, texts and characters.
local SKIPPED = { '^/%*.-%*/', '^//[^\n]*', '^"[^"\n]*"', "^'[^'\n][^'\n]?'" }

-- The source without that of which nothing is to be read: what begins first counts.
local function plain(source)
   source = source:gsub('\\[\\"\'\n]', '  ') -- none of these ends a text or a line
   local parts, at = {}, 1
   while at <= #source do
      local first = source:find('["\'/]', at) or #source + 1
      local last = first
      for _, pattern in ipairs(SKIPPED) do
         last = math.max(last, (select(2, source:find(pattern, first))) or 0)
      end
      parts[#parts + 1] = source:sub(at, first - 1)
      at = last + 1
   end
   return table.concat(parts, ' ')
end

local IGNORED = { const = true, volatile = true, restrict = true, __restrict__ = true,
   __restrict = true }

-- One parameter: name, type, whether it is a pointer and what is behind it constant.
local function parameter(kernel, text)
   local words, pointers = {}, 0
   for word in text:gsub('=.*', ''):gmatch '[%w_]+' do
      words[#words + 1] = word
   end
   for _ in text:gmatch '%*' do
      pointers = pointers + 1
   end
   local name = table.remove(words)
   local kind = {}
   for _, word in ipairs(words) do
      if not IGNORED[word] then
         kind[#kind + 1] = word
      end
   end
   local typeName = table.concat(kind, ' ')
   local known = types[typeName] or types[typeName:gsub(' int$', '')]
   if not known or pointers > 1 or text:find '[&%[<]' or (known.pointed and pointers == 0) then
      raise(('cutorch.kernel: %s: the parameter %q is none that a script can give: pointers to '
         .. 'numbers and numbers can be, of types such as float, int and int64_t%s'):format(kernel,
         text:match '^%s*(.-)%s*$', near.hint(typeName, types)))
   elseif pointers == 1 and not known.dtype and typeName ~= 'void' then
      raise(('cutorch.kernel: %s: no tensor has elements for the parameter %q; take %s * or void *')
         :format(kernel, text:match '^%s*(.-)%s*$', signed[known.bits or 8]))
   end
   local behind = text:match '^[^*]*'
   return { name = name, type = known, typeName = typeName, pointer = pointers == 1,
      constant = behind:find '%f[%w_]const%f[^%w_]' ~= nil,
      volatile = behind:find '%f[%w_]volatile%f[^%w_]' ~= nil }
end

local function split(list)
   local parts = {}
   for part in (list .. ','):gmatch '([^,]*),' do
      if part:find '%S' and part:match '^%s*(.-)%s*$' ~= 'void' then
         parts[#parts + 1] = part
      end
   end
   return parts
end

--- The parameters of a kernel.
-- @param source string: CUDA C
-- @param name string
-- @return list of { name, type, typeName, pointer, constant, volatile }
-- @raise "cutorch.kernel: there is no __global__ function 'scal'; near: scale"
function M.read(source, name)
   local text = plain(source):gsub('__launch_bounds__%s*%b()', ' ')
   local found = {}
   for before, declared, parameters in text:gmatch '([^;{}]*)__global__[%w_%s]-([%w_]+)%s*(%b())' do
      found[declared] = { before = before, list = parameters:sub(2, -2) }
   end
   local kernel = found[name]
   if not kernel then
      raise(("cutorch.kernel: there is no __global__ function '%s'%s"):format(name,
         next(found) and near.hint(name, found) or ' in the source, nor any other'))
   elseif kernel.before:find '%f[%w_]template%f[^%w_]' then
      raise(('cutorch.kernel: %s is a template; write a __global__ function without parameters of '
         .. 'its own that calls it'):format(name))
   end
   local list = {}
   for i, part in ipairs(split(kernel.list)) do
      list[i] = parameter(name, part)
   end
   return list
end

--- The kernel's address as C++ writes it: with its type, for CUDA may have functions of its name.
-- @param name string
-- @param parameters what M.read gave
-- @return string: '(void (*)(float *, int))scale'
function M.address(name, parameters)
   local list = {}
   for i, p in ipairs(parameters) do
      list[i] = p.pointer and ('%s%s%s *'):format(p.constant and 'const ' or '',
         p.volatile and 'volatile ' or '', p.typeName) or p.typeName
   end
   return ('(void (*)(%s))%s'):format(table.concat(list, ', '), name)
end

local least = { [8] = -0x80, [16] = -0x8000, [32] = -0x80000000, [64] = -2 ^ 63 }

--- Which numbers are of an integer type: the least, the first beyond them (the greatest of 64 bits
-- is no double), and what there is, in words.
function M.range(kind)
   local from = kind.signed and least[kind.bits] or 0
   local beyond = 2 ^ (kind.bits - (kind.signed and 1 or 0))
   local most = kind.bits < 64 and ('%.0f'):format(beyond - 1)
      or kind.signed and '9223372036854775807' or '18446744073709551615'
   return from, beyond, ('a whole number from %.0f to %s'):format(from, most)
end

return M
