--- Pictures whose pixels come from elsewhere: warped, turned, in polar coordinates.
-- @module image.shape.warp
local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local th = require 'torch.ffi'
local native = require 'image.native'

local C, call, raise = native.C, native.call, errors.raise

local modes = { simple = C.TH_IMAGE_NEAREST, bilinear = C.TH_IMAGE_BILINEAR,
   bicubic = C.TH_IMAGE_BICUBIC, lanczos = C.TH_IMAGE_LANCZOS }
local turns = { simple = C.TH_IMAGE_NEAREST, bilinear = C.TH_IMAGE_BILINEAR }
local edges = { clamp = false, pad = true }
local extents = { valid = false, full = true }

local M = {}
local public = {}
M.public = public

-- dst, src and a tensor with numbers, of a call f([dst,] src, tensor, ...).
local function operands(name, what, ...)
   local dst, src, tensor = ...
   local n = th.isTensor(tensor) and 3 or 2
   if n == 2 then
      dst, src, tensor = nil, dst, src
   end
   native.checkPicture(name, src)
   if not th.isTensor(tensor) then
      if type(tensor) ~= 'table' then
         raise(('%s: %s is %s, wanted a tensor'):format(name, what, native.describe(tensor)))
      end
      tensor = torch.DoubleTensor(tensor)
   end
   return dst or th.like(src), src, tensor:double(), select(n + 1, ...)
end

local function edgeOf(name, clamp_mode, pad_val)
   local pad = edges[clamp_mode or 'clamp']
   if pad == nil then
      native.choice(edges, name, 'clamp_mode', clamp_mode)
   elseif not pad and pad_val ~= nil then
      raise(("%s: a value for what is off the picture (%s) needs clamp_mode 'pad'"):format(name,
         native.describe(pad_val)))
   end
   return pad, pad_val == nil and 0 or native.checkNumber(name, 'pad_val', pad_val)
end

--- A picture whose pixels come from where a field says.
-- @param[opt] dst result, of the field's size
-- @param src picture
-- @param field 2 x H x W: of each pixel how far off (y, then x) its value is to be found
-- @param[opt='bilinear'] mode 'simple' (the nearest pixel), 'bilinear', 'bicubic' (Catmull-Rom) or
-- 'lanczos' (3 lobes)
-- @param[opt=true] offset false: the field holds positions in src, counted from 0
-- @param[opt='clamp'] clamp_mode what is off the picture: 'clamp' the pixel at its border, 'pad' a
-- value
-- @param[opt=0] pad_val that value
-- @usage image.warp([dst,] src, field [, mode [, offset [, clamp_mode [, pad_val]]]]) -> dst
-- @example image.warp(torch.Tensor{{1, 3}}, torch.Tensor(2, 1, 1):fill(0.5))[1][1] --> 2
function public.warp(...)
   local dst, src, field, mode, offset, clamp_mode, pad_val =
      operands('image.warp', 'the field', ...)
   local how = native.choice(modes, 'image.warp', 'the mode', mode, 'bilinear')
   local pad, value = edgeOf('image.warp', clamp_mode, pad_val)
   call(C.THImage_warp, dst, src, field, how, offset ~= false, pad, value)
   return dst
end

--- A picture under an affine map about its centre: dst(p) = src(c + M (p - c) - t) for p = (y, x).
-- @param[opt] dst result, of src's size
-- @param src picture
-- @param matrix 2 x 2, M
-- @param[opt='bilinear'] mode as image.warp
-- @param[opt={0,0}] translation t = (y, x), a tensor or a table
-- @param[opt='clamp'] clamp_mode as image.warp
-- @param[opt=0] pad_val as image.warp
-- @usage image.affinetransform([dst,] src, matrix [, mode [, translation [, clamp_mode
--    [, pad_val]]]]) -> dst
-- @example image.affinetransform(torch.Tensor{{1, 2}, {3, 4}}, torch.eye(2):mul(-1))[1][1] --> 4
function public.affinetransform(...)
   local name = 'image.affinetransform'
   local dst, src, matrix, mode, translation, clamp_mode, pad_val =
      operands(name, 'the matrix', ...)
   if matrix:dim() ~= 2 or matrix:size(1) ~= 2 or matrix:size(2) ~= 2 then
      raise(('%s: the matrix is %s, wanted 2 x 2'):format(name, native.describe(matrix)))
   end
   local t = translation or { 0, 0 }
   if type(t) == 'table' then
      t = torch.DoubleTensor(t)
   elseif not th.isTensor(t) then
      raise(('%s: the translation is %s, wanted two numbers, y and x'):format(name,
         native.describe(t)))
   end
   if t:nElement() ~= 2 then
      raise(('%s: the translation has %d numbers, wanted y and x'):format(name, t:nElement()))
   end
   t, matrix = t:double():contiguous(), matrix:contiguous()
   local how = native.choice(modes, name, 'the mode', mode, 'bilinear')
   local pad, value = edgeOf(name, clamp_mode, pad_val)
   call(C.THImage_affine, dst, src, matrix:data(), t:data(), how, pad, value)
   return dst
end

--- A picture turned about its centre, against the clock; what comes from off the picture is 0.
-- @param[opt] dst result, of src's size
-- @param src picture
-- @param theta angle in radians
-- @param[opt='simple'] mode 'simple' (the nearest pixel) or 'bilinear'
-- @usage image.rotate([dst,] src, theta [, mode]) -> dst
-- @example image.rotate(torch.Tensor{{1, 2}, {3, 4}}, math.pi / 2)[1][1] --> 2
function public.rotate(...)
   local dst, src, theta, mode = native.pair('image.rotate', ...)
   theta = native.checkNumber('image.rotate', 'the angle', theta)
   local how = native.choice(turns, 'image.rotate', 'the mode', mode, 'simple')
   local cos, sin = math.cos(theta), math.sin(theta)
   call(C.THImage_affine, dst, src, ffi.new('double[4]', cos, sin, -sin, cos), ffi.new 'double[2]',
      how, true, 0)
   return dst
end

local function polar(name, logarithmic, ...)
   local given = th.isTensor((select(2, ...))) and (...)
   local dst, src, interpolation, mode = native.pair(name, ...)
   if src:dim() < 2 then
      raise(('%s: wanted a picture of C x H x W or H x W, got %s'):format(name,
         native.describe(src)))
   end
   local how = native.choice(turns, name, 'the interpolation', interpolation, 'simple')
   local full = extents[mode or 'valid']
   if full == nil then
      native.choice(extents, name, 'the mode', mode)
   end
   local longer = math.max(src:size(src:dim()), src:size(src:dim() - 1))
   local height, width = longer, longer
   if given and given:dim() > 1 then
      height, width = given:size(given:dim() - 1), given:size(given:dim())
   end
   call(C.THImage_polar, dst, src, height, width, logarithmic, full, how)
   return dst
end

--- A picture in polar coordinates: rows are angles (against the clock, the first one points to the
-- right), columns radii about the centre.
-- @param[opt] dst result, whose size is kept; by default both sides are src's longer one
-- @param src picture
-- @param[opt='simple'] interpolation 'simple' (the nearest pixel) or 'bilinear'
-- @param[opt='valid'] mode 'valid': radii up to the nearer sides; 'full': up to the corners, and 0
-- off the picture
-- @usage image.polar([dst,] src [, interpolation [, mode]]) -> dst
function public.polar(...)
   return polar('image.polar', false, ...)
end

--- As image.polar, with columns of logarithms of radii: R ^ (i / W) for column i of W.
-- @param[opt] dst result
-- @param src picture
-- @param[opt='simple'] interpolation 'simple' or 'bilinear'
-- @param[opt='valid'] mode 'valid' or 'full'
-- @usage image.logpolar([dst,] src [, interpolation [, mode]]) -> dst
function public.logpolar(...)
   return polar('image.logpolar', true, ...)
end

return M
