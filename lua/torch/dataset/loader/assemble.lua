--- One batch: samples fetched, transformed and collated. The same code runs on a worker and,
-- without workers, in the loop itself.
-- @module torch.dataset.loader.assemble
local torch = require 'torch'
local th = require 'torch.ffi'
local seeds = require 'torch.dataset.loader.seeds'
local collate = require 'torch.dataset.collate'
local contract = require 'torch.dataset.loader.contract'

local type = type -- torch puts its own in the global's place

local M = {}

-- Copies of tensors in page-locked memory, from which devices copy while the host goes on.
local function pinned(x)
   if th.isTensor(x) then
      if x:dim() == 0 or x.device_type ~= th.C.TH_CPU then
         return x
      end
      local cutorch = require 'cutorch'
      local name = torch.type(x):match '^torch%.(%a+%d*)Tensor$'
      return cutorch['createCudaHost' .. name .. 'Tensor'](x:size()):copy(x)
   elseif type(x) == 'table' then
      for key, value in pairs(x) do
         x[key] = pinned(value)
      end
   end
   return x
end

-- The samples one by one, each with its own random numbers; what a sampler has drawn before in the
-- epoch is not augmented alike.
local function fetch(spec, epoch, items, before, at)
   local dataset, transform = spec.dataset, spec.transform
   local samples, indices = {}, {}
   local raw = type(items) == 'table'
   for j = 1, raw and #items or items:size(1) do
      local i = raw and items.first + j - 1 or items[j]
      indices[j], at.sample = i, i
      local seed = seeds.of(spec.seed, epoch, i)
      if before and before[j] > 0 then
         seed = seeds.of(seed, before[j], i)
      end
      torch.manualSeed(seed)
      local sample
      if raw then
         sample = items[j]
      else
         sample = contract.get(dataset, i)
      end
      if transform and sample ~= nil then
         local second
         sample, second = transform(sample, i)
         contract.check_single('the transform', sample, second)
         if sample == nil then
            error('the transform gave nil; it must return the sample', 0)
         end
      elseif sample == nil then
         error('dataset:get gave nil; it must return a sample for each index up to dataset:size()',
            0)
      end
      samples[j] = sample
   end
   at.sample = nil
   return samples, indices
end

local function build(spec, epoch, number, items, at)
   local batch, before
   if type(items) ~= 'table' and items:dim() == 2 then
      items, before = items[1], items[2]
   end
   at.items = items
   if spec.whole and type(items) ~= 'table' then
      torch.manualSeed(seeds.of(spec.seed, epoch, -number))
      batch = spec.dataset:getBatch(items)
   end
   if batch == nil then
      local samples, indices = fetch(spec, epoch, items, before, at)
      batch = (spec.collate or collate.stack)(samples, indices, spec.types)
      if batch == nil then -- which would be the end of the epoch
         error('the collate function gave nil; it must return the batch', 0)
      end
   end
   if spec.transformBatch then
      torch.manualSeed(seeds.of(spec.seed, epoch, -number))
      batch = spec.transformBatch(batch)
      if batch == nil then
         error('transformBatch gave nil; it must return the batch', 0)
      end
   end
   return spec.pin and pinned(batch) or batch
end

local SHOWN = 8 -- indices in a message

local function place(at, epoch, number)
   local items = at.items
   if at.sample then
      return ('sample %d (batch %d of epoch %d)'):format(at.sample, number, epoch)
   elseif type(items) == 'table' or items == nil then
      return ('batch %d of epoch %d'):format(number, epoch)
   end
   local list = {}
   for j = 1, math.min(SHOWN, items:size(1)) do
      list[j] = tostring(items[j])
   end
   return ('batch %d of epoch %d (samples %s%s)'):format(number, epoch, table.concat(list, ', '),
      items:size(1) > SHOWN and ', ...' or '')
end

local OWN = 'dataset/loader/%a+%.lua:'

-- The stack, without what is the same each time; none where that is all.
local function stack_here()
   local text = debug.traceback('', 3):gsub('\n[^\n]*' .. OWN .. '[^\n]*in function <.*$', '')
   for line in text:gmatch '\n\t([^\n]*)' do
      if not line:find '^%[C%]' and not line:find(OWN) then
         return text
      end
   end
   return ''
end

-- A failure with its stack. Ctrl-C is no failure of a sample.
local function traced(message)
   if type(message) == 'table' and not torch.typename(message)
      and not (getmetatable(message) or {}).__tostring then
      message = message.message or message[1] or 'an error that is a table'
   end
   message = tostring(message)
   if message:match '^interrupted!?$' or message:match ': interrupted!?$' then
      return { interrupted = message }
   end
   return message .. stack_here()
end

--- Make a batch.
-- The caller's random numbers go on afterwards as if nothing had been drawn.
-- @tparam table spec dataset, transform, collate, transformBatch, types, pin, seed, whole
-- @number epoch
-- @number number of the batch in the epoch
-- @param items LongTensor of indices, or 2 x n: indices, and how often each has come before in the
-- epoch; of a stream the samples, with the place of the first
-- @return the batch, or nil and what is wrong: the sample, the message, the stack
function M.load(spec, epoch, number, items)
   local state, at = torch.getRNGState(), {}
   local ok, batch = xpcall(function()
      return build(spec, epoch, number, items, at)
   end, traced)
   torch.setRNGState(state)
   if ok then
      return batch
   elseif type(batch) == 'table' then
      error(batch.interrupted, 0)
   end
   return nil, ('%s: %s'):format(place(at, epoch, number), batch)
end

return M
