--- The running statistics of normalisations, measured anew.
-- @module torch.train.parts.statistics

local torch = require 'torch'
local nested = require 'nn.nested'
local options = require 'torch.options'
local source = require 'torch.train.data.source'
local train = require 'torch.train.module'

local function normalisations(model)
   local list = {}
   model:apply(function(module)
      if torch.isTensor(rawget(module, 'running_mean')) then
         list[#list + 1] = { module = module, momentum = module.momentum }
      end
   end)
   return list
end

--- Measure the running means and variances of a network anew, as weights that are an average want
-- it: they are those of no weights that training has gone through.
--
-- Each becomes the mean of what the batches have, m <- m + (m_t - m) / t for the t-th of them.
-- Source: Izmailov et al., UAI 2018 (arXiv:1803.05407), section 3.2.
-- @param model nn.Module; it is in evaluation afterwards
-- @param data as the option `data` of train.Trainer; `input` of each batch is what counts
-- @return how many layers have statistics
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.BatchNormalization(1))
-- train.refreshStatistics(net, { input = torch.Tensor { { 1 }, { 3 } } }) --> 1
-- net:get(1).running_mean --> { 2 }
function train.refreshStatistics(model, data)
   if not torch.isTypeOf(model, 'nn.Module') then
      options.fail('train.refreshStatistics: expected a network, got %s', options.describe(model))
   end
   local layers = normalisations(model)
   local loader = source.loader('train.refreshStatistics', data, { shuffle = false })
   model:training()
   local t = 0
   for sample in #layers > 0 and source.begin(loader) or function() end do
      if not nested.is_table(sample) or sample.input == nil then
         options.fail('train.refreshStatistics: batch %d has no input', t + 1)
      end
      t = t + 1
      for _, layer in ipairs(layers) do
         layer.module.momentum = 1 / t
      end
      local ok, message = pcall(model.forward, model, sample.input)
      for _, layer in ipairs(layers) do
         layer.module.momentum = layer.momentum
      end
      if not ok then
         error(message, 0)
      end
   end
   model:evaluate()
   return #layers
end
