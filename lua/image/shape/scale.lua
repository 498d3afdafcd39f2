--- Pictures of another size.
-- @module image.shape.scale
local errors = require 'torch.errors'
local th = require 'torch.ffi'
local native = require 'image.native'

local C, call = native.C, native.call
local floor = math.floor

local M = { modes = { simple = C.TH_IMAGE_NEAREST, bilinear = C.TH_IMAGE_BILINEAR,
   bicubic = C.TH_IMAGE_BICUBIC } }
local public = {}
M.public = public

-- What a size in words asks for, of a picture of those pixels: a number or 'N' (the longer side),
-- '^N' (the shorter), '*N' and '*N/M' (times that), 'WxH'.
local function sizeFor(text, width, height)
   local w, h = text:match '^%s*(%d+)x(%d+)%s*$'
   if w then -- '0x10' too, which Lua would read as 16
      return tonumber(w), tonumber(h)
   end
   local number, mark = not text:find '[xX]' and tonumber(text), nil
   if not number then
      mark, number = text:match '^([%^*])([%d.]+)$'
      if not mark then
         local above, below = text:match '^%*(%d+)/(%d+)$'
         if not above then
            errors.raise(("image.scale: the size is '%s'; wanted a number (the longer side), '^N' "
               .. "(the shorter side), '*N' or '*N/M' (times that), or 'WxH'"):format(text))
         end
         mark, number = '*', tonumber(above) / tonumber(below)
      end
      number = tonumber(number)
   end
   if not number or number ~= number or number <= 0 then
      errors.raise(("image.scale: the size is '%s', wanted a number above 0"):format(text))
   end
   local times = mark == '*' and number
      or number / (mark == '^' and math.min or math.max)(width, height)
   -- Fractions that are a whole number but for rounding are that number.
   w, h = width * times + 1e-9, height * times + 1e-9
   return math.max(floor(w), 1), math.max(floor(h), 1)
end

--- A picture of another size.
--
-- 'bilinear', the default, interpolates where an axis grows (the corner pixels stay where they are)
-- and takes the mean of the area that a pixel covers where it shrinks; 'bicubic' interpolates with
-- Catmull- Rom's cubic, also where it shrinks; 'simple' takes pixel floor(i * old / new). Tensors
-- of whole numbers are rounded.
-- @param src picture; more than three dimensions: a batch
-- @param width number; or the size in words: a number or 'N' (the longer side becomes N), '^N' (the
-- shorter side), '*N' or '*N/M' (times that), 'WxH'; or, where the first argument is dst, the
-- picture: dst's size is kept
-- @param[opt] height number
-- @param[opt='bilinear'] mode 'bilinear', 'bicubic' or 'simple'
-- @usage image.scale(src, width, height [, mode]) -> dst
-- image.scale(src, size [, mode]) -> dst
-- image.scale(dst, src [, mode]) -> dst
-- @example image.scale(torch.Tensor{{1, 3}}, 3, 1)[1][2] --> 2
-- image.scale(torch.zeros(3, 30, 40), '^15'):size(3) --> 20
function public.scale(a, b, c, d)
   local src, mode, width, height, dst
   if th.isTensor(b) then
      dst, src, mode = native.checkPicture('image.scale', a), b, c
      width, height = dst:size(dst:dim()), dst:dim() > 1 and dst:size(dst:dim() - 1) or 1
   else
      src, mode = a, d
   end
   native.checkPicture('image.scale', src)
   local dims = src:dim()
   if dims < 2 then
      errors.raise('image.scale: wanted a picture of C x H x W or H x W, got '
         .. native.describe(src))
   end
   if not dst then
      dst = th.like(src)
      if c ~= nil and (type(c) == 'number' or tonumber(c)) then
         width = native.checkNumber('image.scale', 'the width', b)
         height = native.checkNumber('image.scale', 'the height', c)
      elseif type(b) == 'string' or type(b) == 'number' then
         width, height = sizeFor(tostring(b), src:size(dims), src:size(dims - 1))
         mode = c
      else
         errors.raise(('image.scale: the size is %s, wanted a width and a height, or a size in '
            .. "words such as '^224'"):format(native.describe(b)))
      end
   end
   local how = native.choice(M.modes, 'image.scale', 'the mode', mode, 'bilinear')
   call(C.THImage_scale, dst, src, floor(height), floor(width), how)
   return dst
end

return M
