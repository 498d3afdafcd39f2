--- Colours for numbers.
-- @module image.colour.maps
local torch = require 'torch'
local errors = require 'torch.errors'
local native = require 'image.native'

local M = {}
local public = {}
M.public = public

local function checkCount(name, n)
   n = native.checkNumber(name, 'the number of colours', n)
   if n < 1 then
      errors.raise(('%s: %s colours, wanted at least 1'):format(name, n))
   end
   return math.floor(n)
end

--- n colours that are as far from each other as hues can be: evenly spread on the wheel, full
-- saturation and value.
-- @param n number
-- @return n x 3: red, green, blue, 0..1
-- @example image.colormap(3)[2][2] --> 1
function public.colormap(n)
   n = checkCount('image.colormap', n)
   local hsv = torch.DoubleTensor(3, 1, n):fill(1)
   hsv[1][1]:copy(torch.range(0, n - 1):div(n))
   return require('image').hsv2rgb(hsv)[{ {}, 1 }]:t():contiguous():type(
      torch.getdefaulttensortype())
end

--- n colours from dark blue over cyan, yellow and red to dark red. Colour i is, for x = i / n, red
-- 1.5 - |4 x - 3|, green 1.5 - |4 x - 2|, blue 1.5 - |4 x - 1|, within 0..1.
-- @param n number
-- @return n x 3: red, green, blue, 0..1
-- @example image.jetColormap(8)[8][1] --> 0.5
function public.jetColormap(n)
   n = checkCount('image.jetColormap', n)
   local map = torch.Tensor(n, 3)
   for channel = 1, 3 do
      map[{ {}, channel }]:copy(torch.range(1, n):mul(4 / n):add(channel - 4):abs():mul(-1):add(1.5)
         :clamp(0, 1))
   end
   return map
end

--- Levels 1..L, L being the highest, in the colours of image.jetColormap(L).
-- @param[opt] dst result
-- @param src levels: L numbers, H x W or 1 x H x W; those below 1 count as 1, fractions are left
-- out
-- @return 3 x H x W (H is 1 for a list): 0..1, or bytes for bytes
-- @usage image.y2jet([dst,] src) -> dst
-- @example image.y2jet(torch.Tensor{1, 2, 3}):size(3) --> 3
function public.y2jet(...)
   local dst, src = native.pair('image.y2jet', ...)
   local dims = src:dim()
   if dims > 3 or dims == 3 and src:size(1) ~= 1 then
      errors.raise('image.y2jet: wanted levels of H x W or 1 x H x W, got ' .. native.describe(src))
   end
   local height, width = dims > 1 and src:size(dims - 1) or 1, src:size(dims)
   local levels = torch.DoubleTensor():floor(src:double()):clamp(1, math.huge)
   local highest = levels:max() -- nan where one is
   if highest ~= highest then
      errors.raise 'image.y2jet: a level is nan, wanted numbers'
   elseif highest > 2 ^ 24 then
      errors.raise(('image.y2jet: the highest level is %.0f, wanted at most 2^24'):format(highest))
   end
   levels = levels:long()
   local map = public.jetColormap(highest):double()
   if src.new():type() == 'torch.ByteTensor' then
      map:mul(255):round()
   end
   local colours = map:index(1, levels:contiguous():view(-1)):t():contiguous()
   return dst:resize(3, height, width):copy(colours)
end

return M
