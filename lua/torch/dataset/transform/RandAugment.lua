--- A policy of random operations: dataset.transform.RandAugment.
-- @module torch.dataset.transform.RandAugment
local torch = require 'torch'
local errors = require 'torch.errors'
local common = require 'torch.dataset.transform.common'
local colour = require 'torch.dataset.transform.colour'

local MOST = 30 -- magnitudes are 0..30

-- The picture under dst(p) = src(c + matrix (p - c) - shift), p = (y, x).
local function affine(y, matrix, shift)
   return require('image').affinetransform(y, torch.DoubleTensor(matrix), 'bilinear', shift, 'pad',
      0)
end

local IDENTITY = { { 1, 0 }, { 0, 1 } }

local function degenerate(y, other, factor)
   return y:mul(factor):add(1 - factor, other)
end

-- The mean of each pixel's neighbourhood, with its own weight of 5 of 13; borders stay.
local function blurred(y)
   local H, W = y:size(2), y:size(3)
   local r = y:clone()
   if H < 3 or W < 3 then
      return r
   end
   local inner = r:narrow(2, 2, H - 2):narrow(3, 2, W - 2):zero()
   for dy = 0, 2 do
      for dx = 0, 2 do
         inner:add((dy == 1 and dx == 1) and 5 / 13 or 1 / 13,
            y:narrow(2, 1 + dy, H - 2):narrow(3, 1 + dx, W - 2))
      end
   end
   return r
end

-- Each channel's values spread over 0..255.
local function autocontrast(y)
   for c = 1, y:size(1) do
      local low, high = y[c]:min(), y[c]:max()
      if high > low then
         y[c]:add(-low):mul(255 / (high - low))
      end
   end
   return y
end

-- Each channel's values by their rank, so that all come about equally often.
local function equalize(y)
   local n = y:size(2) * y:size(3)
   for c = 1, y:size(1) do
      local values = y[c]:clone():add(0.5):floor():clamp(0, 255)
      local counts = torch.histc(values:double():view(n), 256, -0.5, 255.5)
      local sums = counts:cumsum(1)
      local first = 0
      for k = 1, 256 do
         if counts[k] > 0 then
            first = counts[k]
            break
         end
      end
      if n > first then
         local levels = sums:add(-first):mul(255 / (n - first)):add(0.5):floor():clamp(0, 255)
         local index = values:long():add(1):view(n)
         y[c]:copy(levels:index(1, index):view(y:size(2), y:size(3)))
      end
   end
   return y
end

-- name -> function(y, m): y is a copy in floats of 0..255, m the magnitude as 0..1, with a sign
-- where the operation has two directions.
local OPERATIONS = {
   identity = { function(y) return y end },
   autocontrast = { autocontrast },
   equalize = { equalize },
   rotate = { function(y, m)
      local angle = math.rad(30 * m)
      local cos, sin = math.cos(angle), math.sin(angle)
      return affine(y, { { cos, sin }, { -sin, cos } })
   end, true },
   shearX = { function(y, m) return affine(y, { { 1, 0 }, { 0.3 * m, 1 } }) end, true },
   shearY = { function(y, m) return affine(y, { { 1, 0.3 * m }, { 0, 1 } }) end, true },
   translateX = { function(y, m)
      return affine(y, IDENTITY, { 0, 150 / 331 * m * y:size(3) })
   end, true },
   translateY = { function(y, m)
      return affine(y, IDENTITY, { 150 / 331 * m * y:size(2), 0 })
   end, true },
   brightness = { function(y, m) return colour.brightness(y, 1 + 0.9 * m) end, true },
   contrast = { function(y, m) return colour.contrast(y, 1 + 0.9 * m) end, true },
   color = { function(y, m) return colour.saturation(y, 1 + 0.9 * m) end, true },
   sharpness = { function(y, m) return degenerate(y, blurred(y), 1 + 0.9 * m) end, true },
   posterize = { function(y, m)
      local step = 2 ^ math.floor(4 * m + 0.5) -- 8 bits down to 4
      return y:mul(1 / step):floor():mul(step)
   end },
   solarize = { function(y, m)
      local threshold = 256 - 256 * m
      return torch.where(y:ge(threshold), torch.mul(y, -1):add(255), y)
   end },
}

local NAMES = {}
for name in pairs(OPERATIONS) do
   NAMES[#NAMES + 1] = name
end
table.sort(NAMES)

--- Some operations drawn from a list, all of one strength (Cubuk et al., "RandAugment", 2019):
-- identity, autocontrast, equalize, rotate (to 30 degrees), shearX and shearY (to 0.3), translateX
-- and translateY (to 150 / 331 of the side), brightness, contrast, color and sharpness (factors
-- 1 +- 0.9), posterize (to 4 bits), solarize. Directions are drawn.
-- @tparam[opt] table options count: operations one after the other (2); magnitude: 0 to 30 (9);
-- operations: list of names instead of all
-- @raise "dataset.transform.RandAugment: there is no operation 'turn'; there are autocontrast, ..."
-- @usage dataset.transform.RandAugment{count = 2, magnitude = 9}
-- @type dataset.transform.RandAugment
-- @example
-- local transform = require('torch.dataset').transform
-- local policy = transform.RandAugment { operations = { 'solarize' }, magnitude = 30, count = 1 }
-- policy(torch.ByteTensor(1, 1, 1):fill(55))[1][1][1] --> 200
local RandAugment = common.class('RandAugment', {
   count = { 'count', 2 }, magnitude = { 'natural', 9 }, operations = { 'list', NAMES },
})

function RandAugment:prepare(name)
   if self.magnitude > MOST then
      errors.raise(('%s: magnitude must be from 0 to %d, got %s'):format(name, MOST,
         tostring(self.magnitude)))
   end
   for _, operation in ipairs(self.operations) do
      if not OPERATIONS[operation] then
         errors.raise(("%s: there is no operation '%s'; there are %s"):format(name,
            tostring(operation), table.concat(NAMES, ', ')))
      end
   end
end

--- The picture, changed.
function RandAugment:apply(x)
   local top = common.top(x)
   local y = common.floats(x)
   if top == 1 then
      y:mul(255)
   end
   for _ = 1, self.count do
      local row = OPERATIONS[self.operations[torch.random(1, #self.operations)]]
      local m = self.magnitude / MOST
      if row[2] and torch.uniform() < 0.5 then
         m = -m
      end
      y = row[1](y, m):clamp(0, 255)
   end
   if top == 1 then
      y:mul(1 / 255)
   end
   return common.back(y, x)
end

return { operations = OPERATIONS }
