--- Mirrored pictures.
-- @module image.shape.flip
local native = require 'image.native'
local errors = require 'torch.errors'

local C, call = native.C, native.call

local M = {}
local public = {}
M.public = public

--- Any tensor, backwards along a dimension.
-- @param[opt] dst result; may be src
-- @param src tensor of any number of dimensions and any type of the CPU
-- @param dim counted from 1
-- @usage image.flip([dst,] src, dim) -> dst
-- @example image.flip(torch.Tensor{1, 2, 3}, 1)[1] --> 3
function public.flip(...)
   local dst, src, dim = native.pair('image.flip', ...)
   dim = native.checkNumber('image.flip', 'the dimension', dim)
   if dim ~= math.floor(dim) then
      errors.raise(('image.flip: the dimension is %s, wanted a whole number, 1 to %d'):format(dim,
         src:dim()))
   end
   call(C.THImage_flip, dst, src, dim - 1)
   return dst
end

-- The dimension that lies so many before the last.
local function along(name, before, ...)
   local dst, src = native.pair(name, ...)
   local dim = src:dim() - before
   if dim < 1 then
      errors.raise(('%s: wanted a picture of C x H x W or H x W, got %s'):format(name,
         native.describe(src)))
   end
   call(C.THImage_flip, dst, src, dim - 1)
   return dst
end

--- Left and right exchanged.
-- @param[opt] dst result; may be src
-- @param src picture
-- @usage image.hflip([dst,] src) -> dst
-- @example image.hflip(torch.Tensor{{1, 2}})[1][1] --> 2
function public.hflip(...)
   return along('image.hflip', 0, ...)
end

--- Upside down.
-- @param[opt] dst result; may be src
-- @param src picture
-- @usage image.vflip([dst,] src) -> dst
-- @example image.vflip(torch.Tensor{{1}, {2}})[1][1] --> 2
function public.vflip(...)
   return along('image.vflip', 1, ...)
end

return M
