--- Convolutions, and contrast by neighbourhood.
-- @module image.filter.convolve
local torch = require 'torch'
local errors = require 'torch.errors'
local th = require 'torch.ffi'
local native = require 'image.native'
local types = require 'torch.types'
local windows = require('image.filter.windows').public

local raise = errors.raise

local M = {}
local public = {}
M.public = public

local letters = { valid = 'V', full = 'F', same = 'F' }

-- The part in the middle of a full convolution: as large as the picture was.
local function middle(full, src, kernel)
   local dims, of = full:dim(), src:dim()
   local rows, columns = kernel:size(kernel:dim() - 1), kernel:size(kernel:dim())
   return full:narrow(dims - 1, math.floor((rows - 1) / 2) + 1, src:size(of - 1))
      :narrow(dims, math.floor((columns - 1) / 2) + 1, src:size(of))
end

-- What a picture of so many planes gives with a kernel of so many.
local function planes(src, kernel, letter)
   if src:dim() == kernel:dim() then
      return torch.conv2(src, kernel, letter)
   end
   local one, several = src, kernel
   if src:dim() == 3 then
      one, several = kernel, src
   end
   local parts = {}
   for i = 1, several:size(1) do
      local plane = src:dim() == 3 and torch.conv2(several[i], one, letter)
         or torch.conv2(one, several[i], letter)
      parts[i] = plane:view(1, plane:size(1), plane:size(2))
   end
   return torch.cat(parts, 1)
end

--- A picture convolved with a kernel (torch.conv2: the kernel is mirrored).
-- @param[opt] dst result
-- @param src H x W or C x H x W
-- @param kernel h x w: the same for each plane; or C x h x w: one for each
-- @param[opt='valid'] mode 'valid': where the kernel lies wholly within, H - h + 1 rows; 'full':
-- every overlap, H + h - 1 rows; 'same': the middle of that, H rows
-- @usage image.convolve([dst,] src, kernel [, mode]) -> dst
-- @example image.convolve(torch.ones(3, 4, 4), torch.ones(3, 3)):size(3) --> 2
function public.convolve(...)
   local three = th.isTensor((select(3, ...)))
   local dst, src, kernel, mode
   if three then
      dst, src, kernel, mode = ...
   else
      src, kernel, mode = ...
   end
   native.checkPicture('image.convolve', src)
   native.checkPicture('image.convolve', kernel)
   local letter = native.choice(letters, 'image.convolve', 'the mode', mode, 'valid')
   if src:dim() < 2 or src:dim() > 3 or kernel:dim() < 2 or kernel:dim() > 3 then
      raise(('image.convolve: wanted a picture and a kernel of 2 or 3 dimensions, got %s and %s')
         :format(native.describe(src), native.describe(kernel)))
   end
   local r = planes(src, kernel, letter)
   if mode == 'same' then
      r = middle(r, src, kernel)
   end
   if not dst then
      return r:contiguous()
   end
   return dst:resizeAs(r):copy(r)
end

--- Local contrast: what a pixel differs from its neighbours' mean, divided by their standard
-- deviation.
--
-- The picture's mean is taken away first, and it is divided by its standard deviation. A deviation
-- below 1e-4 counts as that, so that an even area becomes 0. At the border neighbours off the
-- picture are 0.
-- @param src H x W or C x H x W, each plane by itself; float or double
-- @param[opt] kernel weights of neighbours, an odd number of rows and columns; by default a
-- Gaussian of 9 x 9 with a standard deviation of 1.591 pixels
-- @return as src
function public.lcn(src, kernel)
   native.checkPicture('image.lcn', src)
   if not types.isFloating(src.dtype) then
      raise(('image.lcn: got %s, wanted a FloatTensor or DoubleTensor; use x:float()'):format(
         native.describe(src)))
   end
   kernel = kernel or windows.gaussian { size = 9, sigma = 1.591 / 9, normalize = true }
   native.checkPicture('image.lcn', kernel)
   kernel = (kernel / kernel:sum()):typeAs(src)
   local x = src - src:mean()
   local deviation = x:nElement() > 1 and x:std() or 0
   if deviation > 0 then
      x:div(deviation)
   end
   local mean = public.convolve(x, kernel, 'same')
   local square = public.convolve(torch.cmul(x, x), kernel, 'same')
   local spread = square:add(-1, torch.cmul(mean, mean)):clamp(1e-8, math.huge):sqrt()
   return x:add(-1, mean):cdiv(spread)
end

return M
