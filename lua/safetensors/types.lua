--- The element types of safetensors and ours.
-- @module safetensors.types
local ffi = require 'ffi'
local th = require 'torch.ffi'
local storages = require 'torch.Storage'
local types = require 'torch.types'

local C = th.C

local M = {}

-- Name -> type of the elements in the file, and what they are widened to.
local known = {
   BOOL = { C.TH_BYTE }, U8 = { C.TH_BYTE }, I8 = { C.TH_CHAR }, I16 = { C.TH_SHORT },
   I32 = { C.TH_INT }, I64 = { C.TH_LONG }, F16 = { C.TH_HALF }, BF16 = { C.TH_BFLOAT16 },
   F32 = { C.TH_FLOAT }, F64 = { C.TH_DOUBLE },
   U16 = { C.TH_SHORT, C.TH_INT }, U32 = { C.TH_INT, C.TH_LONG }, U64 = { C.TH_LONG, C.TH_LONG },
}

-- Bits of an element, of types that there are none of here.
local foreign = {
   F8_E4M3 = 8, F8_E5M2 = 8, F8_E8M0 = 8, F8_E4M3FNUZ = 8, F8_E5M2FNUZ = 8, F4 = 4, F6_E2M3 = 6,
   F6_E3M2 = 6, C64 = 64,
}

local names = {}
for name, entry in pairs(known) do
   if not entry[2] and name ~= 'BOOL' then
      names[entry[1]] = name
   end
end

-- As the reference implementation orders tensors: by alignment, the largest first.
local order = {}
for i, name in ipairs { 'I64', 'F64', 'F32', 'I32', 'BF16', 'F16', 'I16', 'I8', 'U8', 'BOOL' } do
   order[name] = i
end
M.order = order

--- Bits of an element of that name; nil for one that is not known.
function M.bits(name)
   local entry = known[name]
   return entry and 8 * types.sizes[entry[1]] or foreign[name]
end

--- Class number of the tensors that elements of that name become, and that of the elements as they
-- lie; nil where there is none.
function M.find(name)
   local entry = known[name]
   if entry then
      return entry[2] or entry[1], entry[1]
   end
end

--- Name of a dtype's elements.
function M.name(dtype)
   return names[dtype]
end

--- Elements as they lie -> as they are used.
-- @return storage; or nil and the place of one that has no place in the type
function M.widen(name, storage)
   local wide, own = M.find(name)
   if name == 'U64' then
      local data = storage:data()
      for i = 0, #storage - 1 do
         if data[i] < 0 then
            return nil, i + 1
         end
      end
      return storage
   elseif wide == own then
      return storage
   end
   local result = storages.allocate(wide, #storage)
   local from = ffi.cast(name == 'U16' and 'const uint16_t *' or 'const uint32_t *',
      storage:data())
   local to = result:data()
   for i = 0, #storage - 1 do
      to[i] = from[i]
   end
   return result
end

--- Whether elements of that name are used as they lie.
function M.plain(name)
   local wide, own = M.find(name)
   return wide == own and name ~= 'U64'
end

return M
