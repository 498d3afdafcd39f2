--- Which samples each batch of an epoch has.
-- @module torch.dataset.loader.plan
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local samplers = require 'torch.dataset.sampler.common'
local describe = require('torch.options').describe

local type = type -- torch puts its own in the global's place

local M = {}

-- What a sampler gave, as a LongTensor of indices of the dataset.
local function indicesOf(order, size)
   if type(order) == 'table' and not th.isTensor(order) then
      order = torch.LongTensor(order)
   end
   if not th.isTensor(order) or order:dim() > 1 then
      errors.raise(('dataset.Loader: the sampler gave %s; wanted a LongTensor or a list of indices')
         :format(describe(order)))
   end
   order = order:long()
   if order:dim() == 1 and (order:min() < 1 or order:max() > size) then
      local bad = order:min() < 1 and order:min() or order:max()
      errors.raise(('dataset.Loader: the sampler gave the index %d; the dataset has %d samples')
         :format(bad, size))
   end
   return order
end

-- Indices of which some have come before in the epoch, as 2 x n with how often; else as they are.
-- @param counts int32_t[size + 1], which goes on from batch to batch
local function numbered(order, counts)
   local n = order:dim() == 0 and 0 or order:size(1)
   order = order:contiguous()
   local indices, before = n > 0 and order:data(), nil
   for k = 0, n - 1 do
      local i = tonumber(indices[k])
      if counts[i] > 0 then
         before = before or torch.LongTensor(n):zero()
         before[k + 1] = counts[i]
      end
      counts[i] = counts[i] + 1
   end
   return before and torch.cat(order:view(1, n), before:view(1, n), 1) or order
end

-- Batches of so many, one after the other.
local function cut(order, batchSize, dropLast)
   local n = order:dim() == 0 and 0 or order:size(order:dim())
   local count = dropLast and math.floor(n / batchSize) or math.ceil(n / batchSize)
   return count, function(k)
      local first = (k - 1) * batchSize + 1
      return order:narrow(order:dim(), first, math.min(batchSize, n - first + 1))
   end
end

--- The batches of an epoch.
-- @param loader
-- @number epoch
-- @return how many, and function(k) -> LongTensor
function M.indexed(loader, epoch)
   local size, sampler = loader.dataset:size(), loader.sampler
   if size < 1 then
      errors.raise 'dataset.Loader: the dataset is empty: its size is 0'
   end
   local counts = ffi.new('int32_t[?]', size + 1)
   if type(sampler) == 'table' and sampler.batches then
      local batches = sampler:batches(epoch, loader.seed)
      for k, batch in ipairs(batches) do
         batches[k] = numbered(indicesOf(batch, size), counts)
      end
      return #batches, function(k)
         return batches[k]
      end
   end
   local order
   if type(sampler) == 'function' then
      order = samplers.with(samplers.generator(epoch, loader.seed), sampler, epoch, loader.seed)
   else
      order = sampler:order(epoch, loader.seed)
   end
   order = numbered(indicesOf(order, size), counts)
   return cut(order, loader.batchSize, loader.dropLast)
end

--- How many batches an epoch has, where that can be told without making its order.
function M.count(loader)
   local sampler = loader.sampler
   if type(sampler) == 'table' and sampler.size and not sampler.batches then
      local n = sampler:size() / loader.batchSize
      return loader.dropLast and math.floor(n) or math.ceil(n)
   end
   return (M.indexed(loader, loader:epoch()))
end

-- f with random numbers of the epoch's own: what is read ahead, or again, draws the same ones, and
-- none of the loop's.
local function seeded(loader, epoch)
   local state = torch.getRNGState(samplers.generator(epoch, loader.seed))
   return function(f, ...)
      local outside = torch.getRNGState()
      torch.setRNGState(state)
      local ok, result = pcall(f, ...)
      state = torch.getRNGState()
      torch.setRNGState(outside)
      if not ok then
         error(result, 0)
      end
      return result
   end
end

--- The batches of a stream's epoch, read as they are asked for, in turn. What the stream draws from
-- the default generator follows from the loader's seed and the epoch.
-- @number skip batches that are read and left out
-- @return function(k) -> list of samples with `first`, or nil at the end
function M.streamed(loader, epoch, skip)
   local source, batchSize = loader.dataset, loader.batchSize
   local apart = seeded(loader, epoch)
   local read
   if type(source) == 'function' then
      read = apart(source, epoch)
   else
      read = apart(source.stream, source, epoch, loader.seed)
   end
   if type(read) ~= 'function' then
      errors.raise(('dataset.Loader: the stream gave %s; wanted a function that gives the next '
         .. 'sample at each call, and nil at the end'):format(describe(read)))
   end
   local position, ended = 0, false
   local function fill(items)
      while not ended and #items < batchSize do
         local sample = read()
         if sample == nil then
            ended = true
         else
            items[#items + 1] = sample
         end
      end
   end
   local function nextBatch()
      local items = { first = position + 1 }
      apart(fill, items)
      position = position + #items
      if #items == 0 or (loader.dropLast and #items < batchSize) then
         return nil
      end
      return items
   end
   for _ = 1, skip do
      nextBatch()
   end
   return nextBatch
end

return M
