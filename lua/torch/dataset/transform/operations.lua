--- The operations of which policies of augmentation are made (AutoAugment, RandAugment,
-- TrivialAugment), and how strong they get.
--
-- They take what they change, floats of 0..255, and an amount in its natural unit. Their values are
-- those of the Python Imaging Library, by which the policies were found, but for its rounding on
-- the way; shears are about the centre.
-- @module torch.dataset.transform.operations
local torch = require 'torch'
local common = require 'torch.dataset.transform.common'
local colour = require 'torch.dataset.transform.colour'

local M = {}

-- The picture under dst(p) = src(c + matrix (p - c) - shift), p = (y, x).
local function affine(y, matrix, shift)
   return require('image').affinetransform(y, torch.DoubleTensor(matrix), 'bilinear', shift, 'pad',
      0)
end

local IDENTITY = { { 1, 0 }, { 0, 1 } }

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

-- What each of the levels 0..255 becomes so that all come about equally often: the sum of the
-- counts below it, in steps of n / 255 without the last level's; nil where there is nothing to do.
local function levels(counts, n)
   local last = 256
   while counts[last] == 0 do
      last = last - 1
   end
   local step = math.floor((n - counts[last]) / 255)
   if step == 0 then
      return nil
   end
   return counts:cumsum(1):csub(counts):add(math.floor(step / 2)):div(step):floor():clamp(0, 255)
end

local SHORT = 1e-3 -- by which levels that were floats of 0..1 may be below whole numbers

-- --- values --------------------------------------------------------------------------------------

local operations = {}

function operations.identity(y)
   return y
end

-- Each channel's values spread over 0..255.
function operations.autocontrast(y)
   for c = 1, y:size(1) do
      local low, high = y[c]:min(), y[c]:max()
      if high > low then
         y[c]:add(-low):mul(255 / (high - low))
      end
   end
   return y
end

-- Each channel's values by their rank.
function operations.equalize(y)
   local n = y:size(2) * y:size(3)
   for c = 1, y:size(1) do
      local values = y[c]:clone():add(0.5):floor():clamp(0, 255)
      local map = levels(torch.histc(values:double():view(n), 256, -0.5, 255.5), n)
      if map then
         y[c]:copy(map:index(1, values:long():add(1):view(n)):view(y:size(2), y:size(3)))
      end
   end
   return y
end

function operations.invert(y)
   return y:mul(-1):add(255)
end

function operations.solarize(y, threshold)
   return torch.where(y:ge(threshold - SHORT), torch.mul(y, -1):add(255), y)
end

function operations.posterize(y, bits)
   local step = 2 ^ (8 - bits)
   return y:add(SHORT):mul(1 / step):floor():mul(step)
end

-- --- enhancements: factor 1 is the picture itself ------------------------------------------------

operations.brightness = colour.brightness
operations.contrast = colour.contrast
operations.color = colour.saturation

function operations.sharpness(y, factor)
   local smooth = blurred(y)
   return y:mul(factor):add(1 - factor, smooth)
end

-- --- places --------------------------------------------------------------------------------------

-- Turned against the clock.
function operations.rotate(y, degrees)
   local angle = math.rad(degrees)
   local cos, sin = math.cos(angle), math.sin(angle)
   return affine(y, { { cos, sin }, { -sin, cos } })
end

function operations.shearX(y, slope)
   return affine(y, { { 1, 0 }, { slope, 1 } })
end

function operations.shearY(y, slope)
   return affine(y, { { 1, slope }, { 0, 1 } })
end

function operations.translateX(y, pixels)
   return affine(y, IDENTITY, { 0, pixels })
end

function operations.translateY(y, pixels)
   return affine(y, IDENTITY, { pixels, 0 })
end

M.operations = operations

-- --- strengths -----------------------------------------------------------------------------------

-- name -> function(m, y): the amount at a strength m of -1..1.
local function amounts(most)
   local function enhanced(m)
      return 1 + most.enhance * m
   end
   local function sheared(m)
      return most.shear * m
   end
   return {
      rotate = function(m) return most.rotate * m end,
      shearX = sheared,
      shearY = sheared,
      translateX = function(m, y) return most.translate(y:size(3)) * m end,
      translateY = function(m, y) return most.translate(y:size(2)) * m end,
      brightness = enhanced,
      contrast = enhanced,
      color = enhanced,
      sharpness = enhanced,
      posterize = function(m) return 8 - math.floor(most.posterize * m + 0.5) end,
      solarize = function(m) return 256 - 256 * m end,
   }
end

--- The strengths of the papers on AutoAugment and RandAugment; of 331 pixels, 150.
M.usual = amounts {
   rotate = 30, shear = 0.3, enhance = 0.9, posterize = 4,
   translate = function(side) return 150 / 331 * side end,
}

--- Those of TrivialAugment.
M.wide = amounts {
   rotate = 135, shear = 0.99, enhance = 0.99, posterize = 6,
   translate = function() return 32 end,
}

--- Operations with two directions.
M.signed = {
   rotate = true, shearX = true, shearY = true, translateX = true, translateY = true,
   brightness = true, contrast = true, color = true, sharpness = true,
}

--- The operations that RandAugment and TrivialAugment draw from.
M.names = {
   'autocontrast', 'brightness', 'color', 'contrast', 'equalize', 'identity', 'posterize', 'rotate',
   'sharpness', 'shearX', 'shearY', 'solarize', 'translateX', 'translateY',
}

--- One operation, its direction drawn.
-- @param y floats of 0..255, which may be changed
-- @string name
-- @number m strength, 0..1
-- @tparam table strengths M.usual or M.wide
function M.apply(y, name, m, strengths)
   if M.signed[name] and torch.uniform() < 0.5 then
      m = -m
   end
   local amount = strengths[name]
   return operations[name](y, amount and amount(m, y)):clamp(0, 255)
end

--- What `change` makes of a picture: it works on a copy in floats of 0..255.
-- @param x picture
-- @param change function(y) -> y
function M.changed(x, change)
   local top = common.top(x)
   local y = common.floats(x)
   if top == 1 then
      y:mul(255)
   end
   y = change(y)
   if top == 1 then
      y:mul(1 / 255)
   end
   return common.back(y, x)
end

return M
