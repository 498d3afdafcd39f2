--- A meter of a script's own function: the mean of f(output, target) over the samples.
-- @classmod train.FunctionMeter

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'

local FunctionMeter = torch.class('train.FunctionMeter', 'train.Average', train)

--- @func f f(output, target) -> the batch's mean
-- @string[opt] name for messages
-- @example
-- local train = require 'torch.train'
-- local meter = train.FunctionMeter(function(y, t) return (y - t):abs():mean() end)
-- meter:add(torch.Tensor { 1, 2 }, torch.Tensor { 1, 4 })
-- meter:value() --> 1
function FunctionMeter:__init(f, name)
   self.f, self.name = f, name or 'f'
   self:reset()
end

--- Count a batch.
function FunctionMeter:add(output, target)
   local value = self.f(output, target)
   if torch.isTensor(value) and value:nElement() == 1 then
      value = torch.item(value)
   elseif type(value) ~= 'number' then
      options.fail('train.Trainer: the metric %s returned %s, expected a number', self.name,
         options.describe(value))
   end
   local n = torch.isTensor(output) and output:dim() > 0 and output:size(1) or 1
   self.sum, self.count = self.sum + value * n, self.count + n
end

return FunctionMeter
