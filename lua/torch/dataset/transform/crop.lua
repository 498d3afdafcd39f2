--- Parts of pictures, and pictures of another size: dataset.transform.
-- @module torch.dataset.transform.crop
local torch = require 'torch'
local errors = require 'torch.errors'
local common = require 'torch.dataset.transform.common'

local floor = math.floor

local function sizes(self, name)
   if self.size then
      self.width, self.height = self.width or self.size, self.height or self.size
   end
   if not self.width or not self.height then
      errors.raise(name .. ': give size, or width and height')
   end
end

local SIZES = { size = { 'count' }, width = { 'count' }, height = { 'count' } }

local function with(more)
   for name, row in pairs(SIZES) do
      more[name] = row
   end
   return more
end

local function part(x, left, top, width, height)
   return x:narrow(3, left + 1, width):narrow(2, top + 1, height)
end

local function padded(x, by, value)
   local y = x.new():resize(x:size(1), x:size(2) + 2 * by, x:size(3) + 2 * by):fill(value)
   part(y, by, by, x:size(3), x:size(2)):copy(x)
   return y
end

local function checkFits(name, x, width, height)
   if width > x:size(3) or height > x:size(2) then
      errors.raise(('%s: a part of %d x %d of a picture of %d x %d (width x height); pad it, or '
         .. 'resize it first'):format(name, width, height, x:size(3), x:size(2)))
   end
end

--- A part of a given size from anywhere, all places equally likely. With `padding`, the picture is
-- first framed by so many pixels.
-- @tparam table options size, or width and height; padding (0); fill: the frame's value (0)
-- @raise "... a part of 40 x 40 of a picture of 32 x 32 (width x height); ..."
-- @usage dataset.transform.RandomCrop{size = 32, padding = 4}
-- @type dataset.transform.RandomCrop
-- @example
-- local transform = require('torch.dataset').transform
-- transform.RandomCrop { size = 2 }(torch.zeros(3, 5, 4)):size():totable() --> { 3, 2, 2 }
local RandomCrop, RANDOM_CROP = common.class('RandomCrop', with {
   padding = { 'natural', 0 }, fill = { 'number', 0 },
})
RandomCrop.prepare = sizes

--- The part of a picture.
function RandomCrop:apply(x)
   if self.padding > 0 then
      x = padded(x, self.padding, self.fill)
   end
   checkFits(RANDOM_CROP, x, self.width, self.height)
   local left = torch.random(0, x:size(3) - self.width)
   local top = torch.random(0, x:size(2) - self.height)
   return part(x, left, top, self.width, self.height)
end

--- The part in the middle.
-- @tparam table options size, or width and height
-- @usage dataset.transform.CenterCrop{size = 224}
-- @type dataset.transform.CenterCrop
-- @example
-- local transform = require('torch.dataset').transform
-- transform.CenterCrop { size = 1 }(torch.range(1, 9):view(1, 3, 3))[1][1][1] --> 5
local CenterCrop, CENTER_CROP = common.class('CenterCrop', with {})
CenterCrop.prepare = sizes

--- The part of a picture.
function CenterCrop:apply(x)
   checkFits(CENTER_CROP, x, self.width, self.height)
   return part(x, floor((x:size(3) - self.width) / 2), floor((x:size(2) - self.height) / 2),
      self.width, self.height)
end

local function scaled(x, width, height, mode)
   if x:size(3) == width and x:size(2) == height then
      return x
   end
   return require('image').scale(x, width, height, mode)
end

--- Another size: of the shorter side (`size`; the picture keeps its form), or width and height.
-- @tparam table options size, or width and height; mode: 'bilinear' (default; areas' means where it
-- shrinks), 'bicubic' or 'simple'
-- @usage dataset.transform.Resize{size = 256}
-- @type dataset.transform.Resize
-- @example
-- local transform = require('torch.dataset').transform
-- transform.Resize { size = 8 }(torch.zeros(3, 16, 20)):size():totable() --> { 3, 8, 10 }
local Resize = common.class('Resize', with { mode = { 'text', 'bilinear' } })

function Resize:prepare(name)
   if not self.size then
      sizes(self, name)
   end
end

--- The picture in its new size.
function Resize:apply(x)
   local width, height = self.width, self.height
   if self.size then
      local shorter = math.min(x:size(2), x:size(3))
      width = floor(x:size(3) * self.size / shorter + 0.5)
      height = floor(x:size(2) * self.size / shorter + 0.5)
   end
   return scaled(x, width, height, self.mode)
end

--- A part of random area and form, in one size (Szegedy et al., "Going deeper with convolutions",
-- 2014): its area is a share of the picture's drawn from `scale`, its width / height is drawn from
-- `ratio`, evenly in its logarithm. Where ten draws do not fit, the largest part in the middle is
-- taken whose form is within `ratio`.
-- @tparam table options size, or width and height; scale ({0.08, 1}); ratio ({3/4, 4/3}); mode
-- ('bilinear')
-- @usage dataset.transform.RandomResizedCrop{size = 224}
-- @type dataset.transform.RandomResizedCrop
-- @example
-- local transform = require('torch.dataset').transform
-- local crop = transform.RandomResizedCrop { size = 4 }
-- crop(torch.zeros(3, 9, 7)):size():totable() --> { 3, 4, 4 }
local RandomResizedCrop = common.class('RandomResizedCrop', with {
   scale = { 'list', { 0.08, 1 } }, ratio = { 'list', { 3 / 4, 4 / 3 } },
   mode = { 'text', 'bilinear' },
})

local ATTEMPTS = 10

function RandomResizedCrop:prepare(name)
   sizes(self, name)
   common.range(name, 'scale', self.scale, '0.08, 1', 0)
   common.range(name, 'ratio', self.ratio, '0.75, 1.33', 1e-6)
end

--- Where the part of a picture lies.
-- @return left, top (from 0), width, height
function RandomResizedCrop:region(W, H)
   local low, high = math.log(self.ratio[1]), math.log(self.ratio[2])
   for _ = 1, ATTEMPTS do
      local area = W * H * torch.uniform(self.scale[1], self.scale[2])
      local ratio = math.exp(low < high and torch.uniform(low, high) or low)
      local width = floor(math.sqrt(area * ratio) + 0.5)
      local height = floor(math.sqrt(area / ratio) + 0.5)
      if width >= 1 and width <= W and height >= 1 and height <= H then
         return torch.random(0, W - width), torch.random(0, H - height), width, height
      end
   end
   local width, height = W, H
   if W / H < self.ratio[1] then
      height = math.min(floor(W / self.ratio[1] + 0.5), H)
   elseif W / H > self.ratio[2] then
      width = math.min(floor(H * self.ratio[2] + 0.5), W)
   end
   return floor((W - width) / 2), floor((H - height) / 2), width, height
end

--- The part of a picture in its new size.
function RandomResizedCrop:apply(x)
   local left, top, width, height = self:region(x:size(3), x:size(2))
   return scaled(part(x, left, top, width, height), self.width, self.height, self.mode)
end

--- Left and right exchanged, or top and bottom, with some probability.
-- @tparam[opt] table options horizontal (0.5), vertical (0): probabilities
-- @usage dataset.transform.RandomFlip{}
-- @type dataset.transform.RandomFlip
-- @example
-- local transform = require('torch.dataset').transform
-- local mirror = transform.RandomFlip { horizontal = 1 }
-- mirror(torch.Tensor { { { 1, 2 } } }) --> { { { 2, 1 } } }
local RandomFlip = common.class('RandomFlip', {
   horizontal = { 'share', 0.5 }, vertical = { 'share', 0 },
})

--- The picture or its mirror image.
function RandomFlip:apply(x)
   if common.happens(self.horizontal) then
      x = require('image').hflip(x)
   end
   if common.happens(self.vertical) then
      x = require('image').vflip(x)
   end
   return x
end

--- The picture turned about its centre by an angle drawn from -degrees..degrees, against the clock.
-- @tparam table options degrees: a number, or {least, most}; fill: for what is off the picture (0);
-- mode: 'bilinear' (default) or 'simple'
-- @usage dataset.transform.RandomRotation{degrees = 15}
-- @type dataset.transform.RandomRotation
-- @example
-- local transform = require('torch.dataset').transform
-- local turn = transform.RandomRotation { degrees = { 90, 90 } }
-- turn(torch.Tensor { { { 1, 2 }, { 3, 4 } } }) --> { { { 2, 4 }, { 1, 3 } } }
local RandomRotation = common.class('RandomRotation', {
   degrees = { 'any', required = true }, fill = { 'number', 0 }, mode = { 'text', 'bilinear' },
})

function RandomRotation:prepare(name)
   local degrees = self.degrees
   if type(degrees) == 'number' then
      degrees = { -math.abs(degrees), math.abs(degrees) }
   end
   self.degrees = common.range(name, 'degrees', degrees, '-15, 15', -math.huge)
end

--- The picture, turned.
function RandomRotation:apply(x)
   local low, high = self.degrees[1], self.degrees[2]
   local angle = math.rad(low < high and torch.uniform(low, high) or low)
   local cos, sin = math.cos(angle), math.sin(angle)
   local turn = torch.DoubleTensor { { cos, sin }, { -sin, cos } } -- of (y, x)
   return require('image').affinetransform(x, turn, self.mode, nil, 'pad', self.fill)
end

return {}
