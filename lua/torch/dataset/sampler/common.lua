--- What samplers share: the number of samples, and a generator for each epoch.
-- @module torch.dataset.sampler.common
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'
local seeds = require 'torch.dataset.loader.seeds'

local type = type -- torch puts its own in the global's place

local M = {}

--- The number of samples of what a sampler is made for: a dataset, a tensor, a list or a number.
function M.count(operation, source)
   local n = source
   if type(source) == 'table' and options.callable(source.size) then
      n = source:size()
   elseif th.isTensor(source) then
      n = source:dim() == 0 and 0 or source:size(1)
   elseif type(source) == 'table' then
      n = #source
   end
   if type(n) ~= 'number' or n < 0 or n ~= math.floor(n) then
      errors.raise(('%s: wanted a dataset or a number of samples, got %s%s'):format(operation,
         options.describe(source), rawequal(n, source) and ''
            or (', whose size() is %s'):format(options.describe(n))))
   end
   return n
end

--- The generator of an epoch's order.
function M.generator(epoch, seed)
   local generator = torch.Generator()
   torch.manualSeed(generator, seeds.of(seed or 0, epoch or 1, 0))
   return generator
end

--- 1..n in some order.
function M.permutation(generator, n)
   return n == 0 and torch.LongTensor() or torch.randperm(torch.LongTensor(), generator, n)
end

--- The default generator's numbers come from another one while f runs.
function M.with(generator, f, ...)
   local state = torch.getRNGState()
   torch.setRNGState(torch.getRNGState(generator))
   local ok, result = pcall(f, ...)
   torch.setRNGState(state)
   if not ok then
      error(result, 0)
   end
   return result
end

--- Weights as a DoubleTensor.
-- @raise "dataset.WeightedSampler: the weights must be numbers from 0 on, not all 0"
function M.weights(operation, weights)
   if type(weights) == 'table' then
      weights = torch.DoubleTensor(weights)
   elseif th.isTensor(weights) then
      weights = weights:double()
   end
   local wanted = '%s: the weights must be numbers from 0 on, not all 0; got %s'
   if not th.isTensor(weights) or weights:dim() ~= 1 then
      errors.raise(wanted:format(operation, options.describe(weights)))
   end
   local sum = weights:sum()
   if weights:min() >= 0 and sum > 0 and sum < math.huge then
      return weights
   end
   for i = 1, weights:size(1) do
      if not (weights[i] >= 0 and weights[i] < math.huge) then
         errors.raise(wanted:format(operation, ('%s for sample %d'):format(weights[i], i)))
      end
   end
   errors.raise(wanted:format(operation, ('%s, whose sum is %s'):format(options.describe(weights),
      sum)))
end

return M
