--- Meters: running values over the batches of an epoch.
--
-- All have torchnet's methods: `add(...)`, `value()`, `reset()`.
-- @classmod train.Average
-- @example
-- local train = require 'torch.train'
-- local loss = train.Average()
-- loss:add(2, 3)
-- loss:add(6, 1)
-- loss:value() --> 3

local torch = require 'torch'
local train = require 'torch.train.module'

--- The mean of values, each with how many samples it stands for.
local Average = torch.class('train.Average', train)

function Average:__init()
   self:reset()
end

--- Begin anew.
function Average:reset()
   self.sum, self.count = 0, 0
end

--- Count some samples.
-- @number value their mean
-- @number[opt=1] count how many
function Average:add(value, count)
   count = count or 1
   self.sum, self.count = self.sum + value * count, self.count + count
end

--- Count what another one has counted.
-- @param other an Average, or its fields
function Average:merge(other)
   self.sum, self.count = self.sum + other.sum, self.count + other.count
end

--- sum of value count / sum of count; NaN before the first.
function Average:value()
   return self.sum / self.count
end

return Average
