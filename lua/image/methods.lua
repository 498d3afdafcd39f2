--- The old low-level functions, x.image.scaleBilinear(src, dst) and the like: of byte, float and
-- double tensors. They are those of `image` with the operands in the other order; `image.byte`,
-- `image.float` and `image.double` are the same tables.
-- @module image.methods
local torch = require 'torch'
local image = require 'image'

local function scaled(mode)
   return function(src, dst)
      return image.scale(dst, src, mode)
   end
end

local function turned(mode)
   return function(src, dst, theta)
      return image.rotate(dst, src, theta, mode)
   end
end

local function unrolled(name, interpolation)
   return function(src, dst, full)
      return image[name](dst, src, interpolation, full and 'full' or 'valid')
   end
end

-- f(src, dst, ...) of image.f(dst, src, ...).
local function exchanged(name)
   return function(src, dst, ...)
      return image[name](dst, src, ...)
   end
end

local methods = {
   scaleSimple = scaled 'simple', scaleBilinear = scaled 'bilinear',
   scaleBicubic = scaled 'bicubic',
   rotate = turned 'simple', rotateBilinear = turned 'bilinear',
   polar = unrolled('polar', 'simple'), polarBilinear = unrolled('polar', 'bilinear'),
   logPolar = unrolled('logpolar', 'simple'), logPolarBilinear = unrolled('logpolar', 'bilinear'),
   cropNoScale = function(src, dst, x, y)
      return image.crop(dst, src, x, y)
   end,
   saturate = function(x)
      return x:clamp(0, x:type() == 'torch.ByteTensor' and 255 or 1)
   end,
   gaussian = function(dst, amplitude, normalize, sigma_horz, sigma_vert, mean_horz, mean_vert)
      return image.gaussian { tensor = dst, amplitude = amplitude, normalize = normalize,
         sigma_horz = sigma_horz, sigma_vert = sigma_vert, mean_horz = mean_horz,
         mean_vert = mean_vert }
   end,
   colorize = function(src, dst, map)
      local height, width = src:size(src:dim() - 1), src:size(src:dim())
      local positions = src:long():add(1):contiguous():view(-1)
      local colours = map:index(1, positions):t():contiguous()
      return dst:resize(map:size(2), height, width):copy(colours)
   end,
   text = function(src, text, x, y, options)
      return image.drawText(src, text, x, y, options)
   end,
   drawRect = function(src, x1, y1, x2, y2, options)
      return image.drawRect(src, x1, y1, x2, y2, options)
   end,
}
for _, name in ipairs { 'translate', 'warp', 'flip', 'vflip', 'hflip', 'rgb2y', 'rgb2hsv',
   'rgb2hsl', 'hsv2rgb', 'hsl2rgb', 'rgb2lab', 'lab2rgb' } do
   methods[name] = exchanged(name)
end

--- The low-level functions of byte tensors, x.image: image.byte.scaleBilinear(src, dst).
image.byte = setmetatable({}, { __index = methods })
--- The low-level functions of float tensors, x.image.
image.float = setmetatable({}, { __index = methods })
--- The low-level functions of double tensors, x.image.
image.double = setmetatable({}, { __index = methods })

for field, class in pairs { byte = 'Byte', float = 'Float', double = 'Double' } do
   torch.getmetatable(('torch.%sTensor'):format(class)).image = image[field]
end

return methods
