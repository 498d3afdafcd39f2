--- Parts of a picture, and pictures moved.
-- @module image.shape.crop
local errors = require 'torch.errors'
local th = require 'torch.ffi'
local native = require 'image.native'

local floor, raise = math.floor, errors.raise

local M = {}
local public = {}
M.public = public

local function sizeOf(x)
   local dims = x:dim()
   return x:size(dims), x:size(dims - 1)
end

-- Columns x1..x2 and rows y1..y2 (from 0, the last ones not included) of src into dst.
local function copyPart(name, dst, src, x1, y1, x2, y2)
   if src:dim() < 2 then
      raise(('%s: wanted a picture of C x H x W or H x W, got %s'):format(name,
         native.describe(src)))
   end
   local width, height = sizeOf(src)
   local within = x1 >= 0 and y1 >= 0 and x2 <= width and y2 <= height
   if not (within and x2 > x1 and y2 > y1) then -- NaN is nowhere
      raise(('%s: columns %d to %d and rows %d to %d (counted from 0, the last ones not included) '
         .. 'of a picture of %d x %d (width x height)'):format(name, x1, x2, y1, y2, width, height))
   end
   local dims = src:dim()
   local part = src:narrow(dims, x1 + 1, x2 - x1):narrow(dims - 1, y1 + 1, y2 - y1)
   if dst:storage() and src:storage() and dst:storage() == src:storage() then
      part = part:clone()
   end
   return dst:resizeAs(part):copy(part)
end

local corners = { c = { 0.5, 0.5 }, tl = { 0, 0 }, tr = { 1, 0 }, bl = { 0, 1 }, br = { 1, 1 } }

--- A part of a picture, as a copy.
-- @param[opt] dst result
-- @param src picture
-- @param x1 first column, counted from 0; or the place of a part of a given size: 'c' (centre),
-- 'tl', 'tr', 'bl', 'br' (top or bottom, left or right)
-- @param y1 first row; or the width
-- @param[opt] x2 the column after the last one; or the height. Without x2 and y2 the part has dst's
-- size, or ends where src ends
-- @param[opt] y2 the row after the last one
-- @usage image.crop([dst,] src, x1, y1 [, x2, y2]) -> dst
-- image.crop([dst,] src, 'c'|'tl'|'tr'|'bl'|'br', width, height) -> dst
-- @example image.crop(torch.range(1, 9):resize(3, 3), 1, 1, 3, 2)[1][2] --> 6
-- image.crop(torch.range(1, 9):resize(3, 3), 'br', 1, 1)[1][1] --> 9
function public.crop(...)
   local given = th.isTensor((select(2, ...))) and (...)
   local dst, src, a, b, c, d = native.pair('image.crop', ...)
   local width, height = src:size(src:dim()), src:dim() > 1 and src:size(src:dim() - 1) or 1
   if type(a) == 'string' and not tonumber(a) then
      local place = native.choice(corners, 'image.crop', 'the place', a)
      local w = floor(native.checkNumber('image.crop', 'the width', b))
      local h = floor(native.checkNumber('image.crop', 'the height', c))
      local x1, y1 = floor((width - w) * place[1]), floor((height - h) * place[2])
      return copyPart('image.crop', dst, src, x1, y1, x1 + w, y1 + h)
   end
   local x1 = floor(native.checkNumber('image.crop', 'x1', a))
   local y1 = floor(native.checkNumber('image.crop', 'y1', b))
   if c == nil then
      local sized = given and given:dim() > 1
      c = sized and x1 + given:size(given:dim()) or width
      d = sized and y1 + given:size(given:dim() - 1) or height
   end
   return copyPart('image.crop', dst, src, x1, y1, floor(native.checkNumber('image.crop', 'x2', c)),
      floor(native.checkNumber('image.crop', 'y2', d)))
end

--- A picture moved to the right and down; what is left free is 0.
-- @param[opt] dst result
-- @param src picture
-- @param x pixels to the right
-- @param y pixels down
-- @usage image.translate([dst,] src, x, y) -> dst
-- @example image.translate(torch.Tensor{{1, 2}, {3, 4}}, 1, 0)[2][2] --> 3
function public.translate(...)
   local dst, src, x, y = native.pair('image.translate', ...)
   x = floor(native.checkNumber('image.translate', 'x', x))
   y = floor(native.checkNumber('image.translate', 'y', y))
   local dims = src:dim()
   if dims < 2 then
      raise('image.translate: wanted a picture of C x H x W or H x W, got ' .. native.describe(src))
   end
   local width, height = sizeOf(src)
   local from = src:clone()
   dst:resizeAs(from):zero()
   local w, h = width - math.abs(x), height - math.abs(y)
   if w > 0 and h > 0 then
      dst:narrow(dims, 1 + math.max(x, 0), w):narrow(dims - 1, 1 + math.max(y, 0), h):copy(
         from:narrow(dims, 1 + math.max(-x, 0), w):narrow(dims - 1, 1 + math.max(-y, 0), h))
   end
   return dst
end

return M
