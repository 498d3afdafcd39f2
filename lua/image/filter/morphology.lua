--- Erosion and dilation.
-- @module image.filter.morphology
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local native = require 'image.native'

local C, call = native.C, native.call

local M = {}
local public = {}
M.public = public

local function morphology(name, erode, src, kernel, pad, default)
   native.checkPicture(name, src)
   if kernel ~= nil and not th.isTensor(kernel) then
      errors.raise(('%s: the kernel is %s, wanted a tensor'):format(name, native.describe(kernel)))
   end
   kernel = kernel and kernel:double() or torch.DoubleTensor(3, 3):fill(1)
   pad = pad == nil and default or native.checkNumber(name, 'pad', pad)
   local r = th.like(src)
   call(C.THImage_morphology, r, src, kernel, erode, pad)
   return r
end

--- What is white becomes smaller: the smallest of the values under the kernel, x[p + k] for each k
-- of it that is not 0.
-- @param src H x W or C x H x W: zeros and ones, or any grey
-- @param[opt] kernel odd numbers of rows and columns, its middle lies over the pixel; by default 3
-- x 3 ones
-- @param[opt=1] pad value of what is off the picture
-- @return as src
-- @example image.erode(torch.ones(3, 3), nil, 0):sum() --> 1
function public.erode(src, kernel, pad)
   return morphology('image.erode', true, src, kernel, pad, 1)
end

--- What is white becomes larger: the largest of x[p - k] for each k of the kernel that is not 0.
-- @param src H x W or C x H x W: zeros and ones, or any grey
-- @param[opt] kernel as image.erode
-- @param[opt=0] pad value of what is off the picture
-- @return as src
-- @example image.dilate(torch.eye(2)):sum() --> 4
function public.dilate(src, kernel, pad)
   return morphology('image.dilate', false, src, kernel, pad, 0)
end

return M
