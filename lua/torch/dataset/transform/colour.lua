--- Values and colours: dataset.transform.
-- @module torch.dataset.transform.colour
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local common = require 'torch.dataset.transform.common'
local describe = require('torch.options').describe

--- Bytes 0..255 as floats 0..1; floats stay what they are.
-- @usage dataset.transform.ToFloat{}
-- @type dataset.transform.ToFloat
-- @example
-- local transform = require('torch.dataset').transform
-- transform.ToFloat {}(torch.ByteTensor(1, 1, 1):fill(255))[1][1][1] --> 1
local ToFloat = common.class('ToFloat', {})

--- The picture in floats.
function ToFloat:apply(x) -- luacheck: ignore 212
   if common.top(x) == 255 then
      return torch.FloatTensor(x:size()):copy(x):mul(1 / 255)
   end
   return x
end

--- Each channel c as (x - mean[c]) / std[c], in floats; bytes count as 0..1.
-- @tparam table options mean, std: numbers, one for each channel (or one for all)
-- @raise "dataset.transform.Normalize: 3 means, but the picture has 1 channels"
-- @usage dataset.transform.Normalize{mean = {0.485, 0.456, 0.406}, std = {0.229, 0.224, 0.225}}
-- @type dataset.transform.Normalize
-- @example
-- local transform = require('torch.dataset').transform
-- local normalize = transform.Normalize { mean = { 0.5 }, std = { 0.25 } }
-- normalize(torch.Tensor(1, 1, 1):fill(1))[1][1][1] --> 2
local Normalize, NORMALIZE = common.class('Normalize', {
   mean = { 'any', required = true }, std = { 'any', required = true },
})

function Normalize:__prepare(name)
   for _, option in ipairs { 'mean', 'std' } do
      local given = self[option]
      local list = th.isTensor(given) and given:totable() or type(given) == 'table' and given
         or { given }
      for k, value in ipairs(list) do
         if type(value) ~= 'number' or value ~= value
            or (option == 'std' and value <= 0) then
            errors.raise(('%s: %s[%d] must be a number%s, got %s'):format(name, option, k,
               option == 'std' and ' above 0' or '', describe(value)))
         end
      end
      self[option] = list
   end
   if #self.mean ~= #self.std or #self.mean == 0 then
      errors.raise(('%s: %d means and %d deviations'):format(name, #self.mean, #self.std))
   end
end

--- The picture, normalised.
function Normalize:apply(x)
   local channels, top = x:size(1), common.top(x)
   if #self.mean ~= 1 and #self.mean ~= channels then
      errors.raise(('%s: %d means, but the picture has %d channels'):format(NORMALIZE, #self.mean,
         channels))
   end
   local y = common.floats(x)
   for c = 1, channels do
      local mean, std = self.mean[c] or self.mean[1], self.std[c] or self.std[1]
      y[c]:mul(1 / (top * std)):add(-mean / std)
   end
   return y
end

-- --- jitter --------------------------------------------------------------------------------------

local M = {}

-- Brightness by BT.601, in the values of y: 1 x H x W.
local function grey(y)
   if y:size(1) ~= 3 then
      return y:narrow(1, 1, 1)
   end
   return torch.mul(y:narrow(1, 1, 1), 0.299):add(0.587, y:narrow(1, 2, 1))
      :add(0.114, y:narrow(1, 3, 1))
end

--- y times factor.
function M.brightness(y, factor)
   return y:mul(factor)
end

--- y mixed with its mean brightness: factor 0 leaves that alone, 1 the picture.
function M.contrast(y, factor)
   local mean = grey(y):mean()
   return y:mul(factor):add((1 - factor) * mean)
end

--- y mixed with its grey: factor 0 leaves that alone.
function M.saturation(y, factor)
   if y:size(1) ~= 3 then
      return y
   end
   local plain = grey(y):mul(1 - factor)
   return y:mul(factor):add(plain:expandAs(y))
end

--- Hues turned by a share of the circle, -0.5..0.5. Values of y are 0..top.
function M.hue(y, turn, top)
   if y:size(1) ~= 3 then
      return y
   end
   local image = require 'image'
   local hsv = image.rgb2hsv(y:mul(1 / top):clamp(0, 1))
   local h = hsv[1]:add(turn)
   h:csub(torch.floor(h))
   return y:copy(image.hsv2rgb(hsv)):mul(top)
end

--- Brightness, contrast, saturation and hue changed at random, in random order. The first three are
-- multiplied by factors from max(0, 1 - v)..1 + v, hues are turned by -v..v of the circle.
-- @tparam table options brightness, contrast, saturation, hue: v of each (0); hue at most 0.5
-- @usage dataset.transform.ColorJitter{brightness = 0.4, contrast = 0.4, saturation = 0.4}
-- @type dataset.transform.ColorJitter
-- @example
-- local transform = require('torch.dataset').transform
-- local x = torch.rand(3, 2, 2)
-- transform.ColorJitter {}(x):equal(x) --> true
local ColorJitter = common.class('ColorJitter', {
   brightness = { 'number', 0 }, contrast = { 'number', 0 }, saturation = { 'number', 0 },
   hue = { 'number', 0 },
})

local PARTS = { 'brightness', 'contrast', 'saturation', 'hue' }

function ColorJitter:__prepare(name)
   for _, key in ipairs(PARTS) do
      local most = key == 'hue' and 0.5 or math.huge
      if self[key] < 0 or self[key] > most then
         errors.raise(('%s: %s must be from 0 to %s, got %s'):format(name, key, tostring(most),
            tostring(self[key])))
      end
   end
end

--- The picture, changed.
function ColorJitter:apply(x)
   local y
   local order = torch.randperm(4)
   for k = 1, 4 do
      local key = PARTS[order[k]]
      local v = self[key]
      if v > 0 then
         y = y or common.floats(x)
         local drawn = key == 'hue' and torch.uniform(-v, v)
            or torch.uniform(math.max(0, 1 - v), 1 + v)
         y = M[key](y, drawn, common.top(x)):clamp(0, common.top(x))
      end
   end
   return y and common.back(y, x) or x
end

return M
