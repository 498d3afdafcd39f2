--- Elements as files have them, and what they become here.
--
-- A kind is named by what it is of and its bytes: u1 .. u8 unsigned integers, i1 .. i8 those with a
-- sign, f2, f4, f8 floating, bf2 bfloat16. Each format has its own names of them. Unsigned integers
-- of 2, 4 and 8 bytes, which we do not have, are read as the next larger type that there is.
-- @module torch.io.elements
local ffi = require 'ffi'
local storages = require 'torch.Storage'
local th = require 'torch.ffi'
local types = require 'torch.types'

local C = th.C

local M = {}

--- Kind -> `stored`, the dtype whose elements have its bytes; `dtype`, as which it is read;
-- `bytes` of an element; `unsigned`: whether it wants more than its bytes to be read.
M.kinds = {
   u1 = { stored = C.TH_BYTE }, i1 = { stored = C.TH_CHAR },
   i2 = { stored = C.TH_SHORT }, u2 = { stored = C.TH_SHORT, dtype = C.TH_INT },
   i4 = { stored = C.TH_INT }, u4 = { stored = C.TH_INT, dtype = C.TH_LONG },
   i8 = { stored = C.TH_LONG }, u8 = { stored = C.TH_LONG, dtype = C.TH_LONG },
   f2 = { stored = C.TH_HALF }, bf2 = { stored = C.TH_BFLOAT16 },
   f4 = { stored = C.TH_FLOAT }, f8 = { stored = C.TH_DOUBLE },
}

--- dtype -> name of the kind as which its elements are written.
M.written = {}

for name, kind in pairs(M.kinds) do
   kind.bytes = types.sizes[kind.stored]
   kind.unsigned = kind.dtype ~= nil
   if not kind.unsigned then
      kind.dtype = kind.stored
      M.written[kind.dtype] = name
   end
end

local views = { [2] = 'const uint16_t *', [4] = 'const uint32_t *' }

local function widened(kind, storage)
   local wider = storages.allocate(kind.dtype, #storage)
   local from, to = ffi.cast(views[kind.bytes], storage:data()), wider:data()
   for i = 0, #storage - 1 do
      to[i] = from[i]
   end
   return wider
end

--- The first unsigned number of 64 bits that no LongTensor holds.
-- @param data pointer to n of them as int64_t
-- @return what is wrong with it; nil where all are below 2^63
function M.tooLarge(data, n)
   for i = 0, n - 1 do
      if data[i] < 0 then
         return ('element %d is 2^63 or more, which no LongTensor holds'):format(i + 1)
      end
   end
end

--- Elements as they are stored -> as they are read.
-- @param kind entry of `kinds`
-- @param storage of its `stored`
-- @return storage of its `dtype`, the same where nothing is to be done; or nil and what is wrong
function M.read(kind, storage)
   if not kind.unsigned then
      return storage
   elseif kind.bytes < 8 then
      return widened(kind, storage)
   end
   local problem = M.tooLarge(storage:data(), #storage)
   return not problem and storage or nil, problem
end

return M
