--- Pictures at several scales.
-- @module image.filter.pyramid
local errors = require 'torch.errors'
local th = require 'torch.ffi'
local native = require 'image.native'
local types = require 'torch.types'
local scale = require('image.shape.scale').public.scale
local convolve = require('image.filter.convolve').public.convolve
local gaussian = require('image.filter.windows').public.gaussian

local M = {}
local public = {}
M.public = public

-- Without what a picture of `factor` times the size cannot show.
local function blurred(src, factor)
   local size = math.ceil(2 / factor) + 1 - math.ceil(2 / factor) % 2
   if factor >= 1 or size < 3 then
      return src
   end
   local kernel = gaussian { size = size, sigma = 0.25, normalize = true }
   local x = types.isFloating(src.dtype) and src or src:double()
   kernel = kernel:typeAs(x)
   local weight = x:dim() == 3 and x[1]:clone():fill(1) or x:clone():fill(1)
   weight = convolve(weight, kernel, 'same') -- what of the kernel lies on the picture
   local r = convolve(x, kernel, 'same')
   r:cdiv(r:dim() == 3 and weight:view(1, weight:size(1), weight:size(2)):expandAs(r) or weight)
   return x ~= src and r:add(0.5):typeAs(src) or r
end

--- A picture at several scales, smoothed by a Gaussian of half a pixel of the smaller picture
-- before it is made smaller.
-- @param[opt] dst table, whose tensors take the results
-- @param src H x W or C x H x W
-- @param scales table of numbers: 0.5 halves both sides
-- @return table of pictures
-- @usage image.gaussianpyramid([dst,] src, scales) -> dst
-- @example image.gaussianpyramid(torch.ones(8, 8), {1, 0.5})[2]:size(1) --> 4
function public.gaussianpyramid(dst, src, scales)
   local name = 'image.gaussianpyramid'
   if th.isTensor(dst) then
      dst, src, scales = {}, dst, src
   end
   native.checkPicture(name, src)
   if type(dst) ~= 'table' or type(scales) ~= 'table' then
      errors.raise(('%s: wanted a table of scales, got %s'):format(name, native.describe(scales)))
   end
   local dims = src:dim()
   if dims < 2 or dims > 3 then
      errors.raise(('%s: wanted a picture of C x H x W or H x W, got %s'):format(name,
         native.describe(src)))
   end
   for i, factor in ipairs(scales) do
      factor = native.checkNumber(name, 'a scale', factor)
      if factor <= 0 or factor ~= factor then
         errors.raise(('%s: a scale is %s, wanted more than 0'):format(name, factor))
      end
      local width = math.max(1, math.floor(src:size(dims) * factor + 1e-9))
      local height = math.max(1, math.floor(src:size(dims - 1) * factor + 1e-9))
      local picture = scale(blurred(src, factor), width, height)
      dst[i] = dst[i] and dst[i]:resizeAs(picture):copy(picture) or picture
   end
   return dst
end

return M
