--- The k largest values of each feature over time, in the order in which they came, with
-- k = max(minK, ceil(factor T)).
--
-- Shapes: input N x T x F or T x F; output likewise with k in T's place. `indices` keeps at which
-- time each value was.
--
-- Source: Kalchbrenner et al., "A convolutional neural network for modelling sentences", ACL 2014
-- (arXiv:1404.2188).
-- @classmod nn.TemporalDynamicKMaxPooling
-- @example #nn.TemporalDynamicKMaxPooling(2):forward(torch.randn(10, 4)) --> { 2, 4 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local maxima = require 'nn.pooling.maxima'

local TemporalDynamicKMaxPooling = nn.declare('nn.TemporalDynamicKMaxPooling', 'nn.Pooling', {
   arguments = [[
      minK    size        values that are kept at least
      factor  number = 0  part of the values that is kept, from 0 to 1
   ]],
   input = 'N? T F',
   output = 'N? oT F',
   batch = true,
})

function TemporalDynamicKMaxPooling:__initialize()
   self.indices = torch.LongTensor()
end

function TemporalDynamicKMaxPooling:__computeOutput(y, x)
   local T = x:size(2)
   local k = math.max(self.minK, math.ceil(self.factor * T))
   if k > T then
      check.fail(self, 'input is %s, expected at least %d steps of time', check.describe(x), k)
   end
   local indices = maxima.indices(self, x)
   local _, places = x:topk(k, 2, true)
   indices:sort(places, 2)
   return y:gather(x, 2, indices)
end

function TemporalDynamicKMaxPooling:__computeGradInput(gx, x, g)
   return gx:resize(x:size()):zero():scatter(2, self.indices, g)
end
