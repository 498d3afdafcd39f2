local torch = require 'torch'
local common = require 'torch.dataset.sampler.common'
local options = require 'torch.options'

--- Samples drawn with given odds: sample i comes with probability w[i] / sum w at each draw.
--
-- `dataset.WeightedSampler.balanced(targets)` gives the weights 1 / (number of samples of the
-- class), with which all classes come equally often.
-- @param weights tensor or list of numbers from 0 on, one for each sample
-- @tparam[opt] table options count: how many are drawn in an epoch (as many as weights);
-- replacement (true)
-- @raise "dataset.WeightedSampler: the weights must be numbers from 0 on, not all 0; got ..."
-- @usage dataset.WeightedSampler(weights [, options])
-- @type dataset.WeightedSampler
-- @example
-- local dataset = require 'torch.dataset'
-- dataset.WeightedSampler({ 0, 1, 0 }, { count = 4 }):order(1, 7) --> { 2, 2, 2, 2 }
local Sampler = torch.class('dataset.WeightedSampler', require 'torch.dataset.module')

function Sampler:__init(weights, given)
   local name = 'dataset.WeightedSampler'
   local read = options.read(name, given, {
      count = { 'count' }, replacement = { 'boolean', true },
   })
   self.weights = common.weights(name, weights)
   self.replacement, self.count = read.replacement, read.count or self.weights:size(1)
   local possible = self.weights:gt(0):sum()
   if not self.replacement and self.count > possible then
      require('torch.errors').raise(('%s: %d samples without replacement, but only %d weights '
         .. 'above 0'):format(name, self.count, possible))
   end
end

--- Number of samples in an epoch.
function Sampler:size()
   return self.count
end

-- Sums of weights, and where uniform draws fall among them.
local function drawn(weights, count)
   local sums = weights:cumsum(1)
   local n, total = sums:size(1), sums[sums:size(1)]
   local order = torch.LongTensor(count)
   local to, from = order:data(), sums:data() -- elements one by one take 5 us and more for a draw
   for j = 0, count - 1 do
      local x = torch.uniform(0, total)
      local low, high = 1, n -- the first whose sum is above x
      while low < high do
         local middle = math.floor((low + high) / 2)
         if from[middle - 1] > x then
            high = middle
         else
            low = middle + 1
         end
      end
      to[j] = low
   end
   return order
end

-- Without replacement: the largest of u ^ (1 / w) (Efraimidis and Spirakis, "Weighted random
-- sampling with a reservoir", 2006), as logarithms.
local function chosen(weights, count)
   local keys = torch.DoubleTensor(weights:size(1)):uniform():log():cdiv(weights)
   keys[weights:eq(0)] = -math.huge
   local _, order = keys:sort(1, true)
   return order:narrow(1, 1, count):clone()
end

--- The indices of an epoch, a LongTensor.
function Sampler:order(epoch, seed)
   return common.with(common.generator(epoch, seed), self.replacement and drawn or chosen,
      self.weights, self.count)
end

--- Weights by which every class comes equally often.
-- @param targets list or tensor of classes, one for each sample
-- @return DoubleTensor
-- @usage dataset.WeightedSampler.balanced(targets) -> DoubleTensor
-- @example
-- local dataset = require 'torch.dataset'
-- dataset.WeightedSampler.balanced { 1, 1, 2, 1 } --> { 1 / 3, 1 / 3, 1, 1 / 3 }
function Sampler.balanced(targets)
   local n = common.count('dataset.WeightedSampler.balanced', targets)
   local counts = {}
   for i = 1, n do
      counts[targets[i]] = (counts[targets[i]] or 0) + 1
   end
   local weights = torch.DoubleTensor(n)
   for i = 1, n do
      weights[i] = 1 / counts[targets[i]]
   end
   return weights
end

return Sampler
