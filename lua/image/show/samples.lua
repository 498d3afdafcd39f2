--- Pictures to try things on.
-- @module image.show.samples
local paths = require 'paths'
local files = require('image.files.formats').public
local crop = require('image.shape.crop').public.crop
local scale = require('image.shape.scale').public.scale

local here = paths.dirname(debug.getinfo(1, 'S').source:sub(2))

local M = {}
local public = {}
M.public = public

local function hopper(depth)
   return files.load(paths.concat(here, '..', 'assets', 'grace_hopper_512.jpg'), depth)
end

--- A portrait in colours, 3 x 512 x 512, of torch.Tensor's type, 0..1: Rear Admiral Grace Hopper, a
-- photograph of the United States Navy (public domain), as Torch7's image returns it. The picture
-- that the function is named after may not be passed on.
-- @return tensor
-- @example image.lena():size(2) --> 512
function public.lena()
   return hopper(3)
end

--- A grey picture of 257 x 271, of torch.Tensor's type, 0..1: a part of image.lena's. The picture
-- that the function is named after has no licence.
-- @return tensor
-- @example image.fabio():dim() --> 2
function public.fabio()
   return crop(scale(hopper(1)[1], 320, 320), 'c', 271, 257)
end

return M
