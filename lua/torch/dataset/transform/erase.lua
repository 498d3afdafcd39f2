--- Parts of pictures left out: dataset.transform.
-- @module torch.dataset.transform.erase
local torch = require 'torch'
local common = require 'torch.dataset.transform.common'

--- Squares left out (DeVries and Taylor, "Improved regularization of convolutional neural networks
-- with Cutout", 2017): their centres are anywhere, so that a square may reach over the border.
-- @tparam table options size: of a side; count (1); fill (0)
-- @usage dataset.transform.Cutout{size = 8}
-- @type dataset.transform.Cutout
-- @example
-- local transform = require('torch.dataset').transform
-- transform.Cutout { size = 9 }(torch.ones(1, 4, 4)):sum() --> 0
local Cutout = common.class('Cutout', {
   size = { 'count', required = true }, count = { 'count', 1 }, fill = { 'number', 0 },
})

--- The picture, without the squares.
function Cutout:apply(x)
   local y, height, width = x:clone(), x:size(2), x:size(3)
   for _ = 1, self.count do
      local row = torch.random(1, height) - math.floor(self.size / 2)
      local column = torch.random(1, width) - math.floor(self.size / 2)
      local top, left = math.max(row, 1), math.max(column, 1)
      local bottom = math.min(row + self.size - 1, height)
      local right = math.min(column + self.size - 1, width)
      y:narrow(2, top, bottom - top + 1):narrow(3, left, right - left + 1):fill(self.fill)
   end
   return y
end

--- With some probability, a rectangle within the picture is replaced by a value or by noise (Zhong
-- et al., "Random erasing data augmentation", 2017). Its share of the area and its height / width
-- are drawn; where ten draws do not fit, nothing is erased.
-- @tparam[opt] table options probability (0.5); scale ({0.02, 0.33}); ratio ({0.3, 3.3}); fill: a
-- number (0), or 'noise', normally distributed
-- @usage dataset.transform.RandomErasing{probability = 0.25}
-- @type dataset.transform.RandomErasing
-- @example
-- local transform = require('torch.dataset').transform
-- transform.RandomErasing { probability = 1 }(torch.ones(1, 9, 9)):sum() < 81 --> true
local RandomErasing = common.class('RandomErasing', {
   probability = { 'share', 0.5 }, scale = { 'list', { 0.02, 0.33 } },
   ratio = { 'list', { 0.3, 3.3 } }, fill = { 'any', 0 },
})

local ATTEMPTS = 10

function RandomErasing:__prepare(name)
   common.range(name, 'scale', self.scale, '0.02, 0.33', 0)
   common.range(name, 'ratio', self.ratio, '0.3, 3.3', 1e-6)
   if type(self.fill) ~= 'number' and self.fill ~= 'noise' then
      require('torch.errors').raise(("%s: fill must be a number or 'noise', got %s"):format(name,
         require('torch.options').describe(self.fill)))
   end
end

--- The picture, or one with a rectangle replaced.
function RandomErasing:apply(x)
   if not common.happens(self.probability) then
      return x
   end
   local H, W = x:size(2), x:size(3)
   local low, high = math.log(self.ratio[1]), math.log(self.ratio[2])
   for _ = 1, ATTEMPTS do
      local area = H * W * torch.uniform(self.scale[1], self.scale[2])
      local ratio = math.exp(torch.uniform(low, high))
      local h = math.floor(math.sqrt(area * ratio) + 0.5)
      local w = math.floor(math.sqrt(area / ratio) + 0.5)
      if h >= 1 and w >= 1 and h < H and w < W then
         local y = x:clone()
         local part = y:narrow(2, torch.random(1, H - h + 1), h):narrow(3,
            torch.random(1, W - w + 1), w)
         if self.fill == 'noise' then
            part:normal(0, 1)
         else
            part:fill(self.fill)
         end
         return y
      end
   end
   return x
end

return {}
