--- Colour spaces. Pictures are 3 x H x W: of 0..1 in floats and doubles, of 0..255 in bytes where
-- the space has no negative values.
-- @module image.colour.spaces
local native = require 'image.native'

local C, call = native.C, native.call

local M = {}
local public = {}
M.public = public

local function convert(name, conversion, ...)
   local dst, src = native.pair(name, ...)
   call(C.THImage_colour, dst, src, conversion)
   return dst
end

--- Brightness Y = 0.299 R + 0.587 G + 0.114 B.
-- @param[opt] dst result
-- @param src 3 x H x W
-- @return 1 x H x W
-- @usage image.rgb2y([dst,] src) -> dst
-- @example image.rgb2y(torch.ones(3, 1, 1)):squeeze() --> 1
function public.rgb2y(...)
   return convert('image.rgb2y', C.TH_IMAGE_RGB2Y, ...)
end

--- Brightness and two differences of colours, as BT.601 has them: Y as image.rgb2y, U from -0.436
-- to 0.436, V from -0.615 to 0.615.
-- @param[opt] dst result
-- @param src 3 x H x W, float or double
-- @usage image.rgb2yuv([dst,] src) -> dst
function public.rgb2yuv(...)
   return convert('image.rgb2yuv', C.TH_IMAGE_RGB2YUV, ...)
end

--- The inverse of image.rgb2yuv.
-- @param[opt] dst result
-- @param src 3 x H x W, float or double
-- @usage image.yuv2rgb([dst,] src) -> dst
function public.yuv2rgb(...)
   return convert('image.yuv2rgb', C.TH_IMAGE_YUV2RGB, ...)
end

--- Hue, saturation and lightness, each 0..1.
-- @param[opt] dst result
-- @param src 3 x H x W
-- @usage image.rgb2hsl([dst,] src) -> dst
function public.rgb2hsl(...)
   return convert('image.rgb2hsl', C.TH_IMAGE_RGB2HSL, ...)
end

--- The inverse of image.rgb2hsl.
-- @param[opt] dst result
-- @param src 3 x H x W
-- @usage image.hsl2rgb([dst,] src) -> dst
function public.hsl2rgb(...)
   return convert('image.hsl2rgb', C.TH_IMAGE_HSL2RGB, ...)
end

--- Hue, saturation and value, each 0..1.
-- @param[opt] dst result
-- @param src 3 x H x W
-- @usage image.rgb2hsv([dst,] src) -> dst
function public.rgb2hsv(...)
   return convert('image.rgb2hsv', C.TH_IMAGE_RGB2HSV, ...)
end

--- The inverse of image.rgb2hsv.
-- @param[opt] dst result
-- @param src 3 x H x W
-- @usage image.hsv2rgb([dst,] src) -> dst
function public.hsv2rgb(...)
   return convert('image.hsv2rgb', C.TH_IMAGE_HSV2RGB, ...)
end

--- CIE 1976 L*a*b* of an sRGB picture, white point D65: L from 0 to 100.
-- @param[opt] dst result
-- @param src 3 x H x W, float or double
-- @usage image.rgb2lab([dst,] src) -> dst
function public.rgb2lab(...)
   return convert('image.rgb2lab', C.TH_IMAGE_RGB2LAB, ...)
end

--- The inverse of image.rgb2lab.
-- @param[opt] dst result
-- @param src 3 x H x W, float or double
-- @usage image.lab2rgb([dst,] src) -> dst
function public.lab2rgb(...)
   return convert('image.lab2rgb', C.TH_IMAGE_LAB2RGB, ...)
end

--- Colours without brightness: each channel divided by the sum of all; black stays black.
-- @param[opt] dst result
-- @param src 3 x H x W
-- @usage image.rgb2nrgb([dst,] src) -> dst
function public.rgb2nrgb(...)
   return convert('image.rgb2nrgb', C.TH_IMAGE_RGB2NRGB, ...)
end

return M
