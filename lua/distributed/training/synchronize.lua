--- The same parameters and statistics on all ranks.
-- @module distributed.training.synchronize

local torch = require 'torch'
local agreement = require 'distributed.agreement'
local distributed = require 'distributed.module'
local nested = require 'nn.nested'
local options = require 'torch.options'

local KNOWN = { root = 'count', group = 'list' }

local STATISTICS = { 'running_mean', 'running_var' }

-- Tensors, those of one storage that lie side by side as one: a flat vector goes at once.
local function joined(tensors)
   local list, current = {}, nil
   for _, t in ipairs(tensors) do
      if t:nElement() > 0 then
         local first, storage = t:storageOffset(), t:storage()
         local pointer = tostring(torch.pointer(storage))
         if current and t:isContiguous() and current.pointer == pointer
            and current.last + 1 == first then
            current.last = first + t:nElement() - 1
         else
            current = { pointer = t:isContiguous() and pointer or '', storage = storage,
               first = first, last = first + t:nElement() - 1, like = t }
            list[#list + 1] = current
         end
      end
   end
   for i, run in ipairs(list) do
      list[i] = run.pointer == '' and run.like
         or run.like.new(run.storage, run.first, run.last - run.first + 1)
   end
   return list
end

local function statistics_of(network)
   local list = {}
   network:apply(function(module)
      for _, field in ipairs(STATISTICS) do
         if torch.isTensor(rawget(module, field)) then
            list[#list + 1] = module[field]
         end
      end
   end)
   return list
end

--- Give all ranks the parameters and the running statistics that one has.
-- @tparam nn.Module network of the same architecture on all ranks
-- @tab[opt] settings root (1), group
-- @return network
-- @raise "distributed.synchronize: the ranks disagree: parameter 3 is 2x4 FloatTensor on rank 1 (of
-- 4), 2x5 FloatTensor on rank 2 (of 4)"
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- torch.type(distributed.synchronize(nn.Linear(2, 1))) --> 'nn.Linear'
function distributed.synchronize(network, settings)
   settings = options.check('distributed.synchronize', settings, KNOWN)
   if distributed.size(settings.group) > 1 then
      local tensors = nested.append({}, (network:parameters()))
      for _, t in ipairs(statistics_of(network)) do
         tensors[#tensors + 1] = t
      end
      local words = {}
      for i, t in ipairs(tensors) do
         words[i] = options.describe(t)
      end
      agreement.check_list('distributed.synchronize', 'parameter', words, settings.group)
      for _, t in ipairs(joined(tensors)) do
         distributed.broadcast(t, settings)
      end
   end
   return network
end

--- Make the running statistics of all ranks their means: each has seen other samples.
-- @tparam nn.Module network
-- @tab[opt] settings group
-- @return network
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- distributed.averageStatistics(nn.BatchNormalization(2)).running_var --> { 1, 1 }
function distributed.averageStatistics(network, settings)
   settings = options.check('distributed.averageStatistics', settings, { group = 'list' })
   if distributed.size(settings.group) > 1 then
      for _, t in ipairs(joined(statistics_of(network))) do
         distributed.allReduce(t, { op = 'mean', ordered = true, group = settings.group })
      end
   end
   return network
end
