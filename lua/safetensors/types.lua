--- The element types of safetensors and ours.
-- @module safetensors.types
local elements = require 'torch.io.elements'

local M = {}

-- Name -> kind.
local KINDS = {
   BOOL = 'u1', U8 = 'u1', U16 = 'u2', U32 = 'u4', U64 = 'u8', I8 = 'i1', I16 = 'i2', I32 = 'i4',
   I64 = 'i8', F16 = 'f2', BF16 = 'bf2', F32 = 'f4', F64 = 'f8',
}

-- Bits of an element, of types that there are none of here.
local FOREIGN = {
   F8_E4M3 = 8, F8_E5M2 = 8, F8_E8M0 = 8, F8_E4M3FNUZ = 8, F8_E5M2FNUZ = 8, F4 = 4, F6_E2M3 = 6,
   F6_E3M2 = 6, C64 = 64,
}

local names = {}
for name, kind in pairs(KINDS) do
   if name ~= 'BOOL' then
      names[kind] = name
   end
end

-- As the reference implementation orders tensors: by alignment, the largest first.
local order = {}
for i, name in ipairs { 'I64', 'F64', 'F32', 'I32', 'BF16', 'F16', 'I16', 'I8', 'U8', 'BOOL' } do
   order[name] = i
end
M.order = order

--- What elements of that name are to us: entry of torch.io.elements; nil where there is none.
function M.find(name)
   return elements.kinds[KINDS[name]]
end

--- Bits of an element of that name; nil for one that is not known.
function M.bits(name)
   local kind = M.find(name)
   return kind and 8 * kind.bytes or FOREIGN[name]
end

--- Name of a dtype's elements.
function M.name(dtype)
   return names[elements.written[dtype]]
end

return M
