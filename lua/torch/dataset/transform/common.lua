--- What transforms share: they are objects with options that are called with a picture, a tensor of
-- C x H x W (bytes of 0..255, floats of 0..1), or with a sample, whose field `input` is one. They
-- leave their operand as it is, and draw by torch's default generator, which the loader seeds for
-- each sample.
-- @module torch.dataset.transform.common
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'

local type = type -- torch puts its own in the global's place

local M = {}

--- Where the classes are: dataset.transform.
M.module = {}

--- The parent of transforms of pictures: `apply(picture)` is a child's own. An object is called
-- with a picture, C x H x W of bytes (0..255) or floats (0..1), or with a sample whose field
-- `input` is one.
-- @type dataset.transform.Transform
local Transform = torch.class('dataset.transform.Transform', M.module)

-- A class with its options as fields.
-- @string name
-- @tparam table declared as options.read takes them
-- @return the class, to which a method apply(picture) -> picture is added
function M.class(name, declared)
   local full = 'dataset.transform.' .. name
   local class = torch.class(full, 'dataset.transform.Transform', M.module)
   function class:__init(given)
      for key, value in pairs(options.read(full, given, declared)) do
         self[key] = value
      end
      if self.__prepare then
         self:__prepare(full)
      end
   end
   return class, full
end

function Transform:__call__(x)
   if th.isTensor(x) then
      return self:apply(M.picture(self, x))
   elseif type(x) == 'table' and th.isTensor(x.input) then
      local result = {}
      for key, value in pairs(x) do
         result[key] = value
      end
      result.input = self:apply(M.picture(self, x.input))
      return result
   end
   errors.raise(('%s: wanted a picture (C x H x W) or a sample with one in the field input, got %s')
      :format(torch.typename(self), options.describe(x)))
end

--- Raise unless x is C x H x W.
function M.picture(self, x)
   if x:dim() ~= 3 then
      errors.raise(('%s: wanted a picture of C x H x W, got %s'):format(torch.typename(self),
         options.describe(x)))
   end
   return x
end

--- The largest value of a picture of some type: 255 of whole numbers, 1 of others.
function M.top(x)
   return th.isTensor(x) and x:type():match 'Byte' and 255 or 1
end

--- A copy to compute with, in floats, on the picture's device.
function M.floats(x)
   local kind = x:type():match 'torch%.(%a+)Tensor'
   if kind and kind:match 'Int$' or kind:match 'Long$' or kind:match 'Short$'
      or kind:match 'Char$' then
      errors.raise(('dataset.transform: a picture of %s; wanted a ByteTensor (0..255) or floats '
         .. '(0..1)'):format(x:type()))
   end
   if M.top(x) == 1 then
      return x:clone()
   end
   return x:type(x.device_type == th.C.TH_CPU and 'torch.FloatTensor' or 'torch.CudaTensor')
end

local SLACK = 0.5 -- by which interpolated floats may leave 0..1

--- What was computed, limited to the picture's range and in its type.
-- @raise "dataset.transform: a picture of floats from 0 to 255, ..."
function M.back(y, x)
   if M.top(x) == 1 and (x:max() > SLACK + 1 or x:min() < -SLACK) then
      errors.raise(('dataset.transform: a picture of floats from %g to %g, wanted 0 to 1 (bytes '
         .. 'are 0 to 255; Normalize comes last)'):format(x:min(), x:max()))
   end
   y:clamp(0, M.top(x))
   if M.top(x) == 255 then
      y:add(0.5) -- whole numbers are cut off
   end
   return y:type(x:type())
end

--- Whether something of a probability happens.
function M.happens(probability)
   return probability > 0 and (probability >= 1 or torch.uniform() < probability)
end

--- A pair of numbers, the first not above the second.
-- @raise "dataset.transform.RandomResizedCrop: scale must be two numbers such as {0.08, 1}"
function M.range(name, option, value, example, least)
   if type(value) ~= 'table' or type(value[1]) ~= 'number' or type(value[2]) ~= 'number'
      or value[1] > value[2] or value[1] < least then
      errors.raise(('%s: %s must be two numbers such as {%s}, got %s'):format(name, option, example,
         options.describe(value)))
   end
   return value
end

return M
