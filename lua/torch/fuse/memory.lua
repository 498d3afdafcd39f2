--- Whether tensors meet in memory.
-- @module torch.fuse.memory
local ffi = require 'ffi'
local shapes = require 'torch.functions.shapes'
local types = require 'torch.types'

local C = require('torch.ffi').C

local M = {}

local bytes = ffi.typeof 'const char *'

-- The first byte of a tensor and the one behind its last.
local function reach(t)
   local last = 0
   for d = 0, t.ndim - 1 do
      last = last + (t.sizes[d] - 1) * t.strides[d]
   end
   local size = types.sizes[t.dtype]
   local first = ffi.cast(bytes, t.store.data) + t.offset * size
   return first, first + (last + 1) * size
end

--- Whether the bytes between first and last elements meet: also of tensors whose elements lie
-- between each other's.
function M.meet(a, b)
   if a.ndim == 0 or b.ndim == 0 then
      return false
   end
   local aFirst, aEnd = reach(a)
   local bFirst, bEnd = reach(b)
   return aFirst < bEnd and bFirst < aEnd
end

--- Whether writing r, of that shape then, may change x, other than each element over its own.
function M.displaces(r, x, shape)
   if not shapes.has(r, shape) then
      return r.store ~= nil -- which may have to grow, and x lie in it
   end
   return M.meet(r, x) and not C.TH_isSetTo(r, x)
end

return M
