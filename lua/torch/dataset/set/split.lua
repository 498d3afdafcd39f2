--- Parts of a dataset: dataset.split.
-- @module torch.dataset.set.split
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'
local samplers = require 'torch.dataset.sampler.common'

local M = {}

-- Shares as numbers of samples: cut off, and the samples that are left to the largest remainders
-- (Hamilton's method), the first of equal ones.
local function apportion(n, shares)
   local sizes, rest, total = {}, {}, 0
   for k, share in ipairs(shares) do
      local exact = n * share
      sizes[k] = math.floor(exact + 1e-9)
      rest[k] = { exact - sizes[k], k }
      total = total + share
   end
   local left = math.floor(n * total + 0.5)
   for _, size in ipairs(sizes) do
      left = left - size
   end
   table.sort(rest, function(a, b)
      local less = a[1] - b[1]
      return less > 1e-9 or (math.abs(less) <= 1e-9 and a[2] < b[2])
   end)
   for k = 1, left do
      sizes[rest[k][2]] = sizes[rest[k][2]] + 1
   end
   return sizes
end

-- Counts of parts; shares are of the whole.
local function counts(n, parts)
   local shares = true
   for _, part in ipairs(parts) do
      options.value('dataset.split', 'a part', part, 'positive')
      shares = shares and part <= 1
   end
   local sizes, sum = shares and apportion(n, parts) or parts, 0
   for k = 1, #sizes do
      if sizes[k] ~= math.floor(sizes[k]) or sizes[k] < 0 then
         errors.raise(('dataset.split: a part of %s samples'):format(tostring(sizes[k])))
      end
      sum = sum + sizes[k]
   end
   if sum > n then
      errors.raise(('dataset.split: parts of %s make %d samples, but there are %d'):format(
         table.concat(sizes, ', '), sum, n))
   end
   return sizes
end

--- Cut a dataset into parts without a common sample.
-- @param source dataset
-- @tparam table parts numbers of samples, or shares of the whole (all at most 1)
-- @tparam[opt] table options shuffle: chosen at random (true); seed (1)
-- @return a dataset.Subset for each part
-- @raise "dataset.split: parts of 8, 4 make 12 samples, but there are 10"
-- @usage dataset.split(source, {0.9, 0.1} [, options]) -> Subset, Subset ...
-- @example
-- local dataset = require 'torch.dataset'
-- local train, test = dataset.split(dataset.List { 1, 2, 3, 4 }, { 0.75, 0.25 })
-- train:size() --> 3
-- test:size() --> 1
function M.split(source, parts, given)
   local read = options.read('dataset.split', given, {
      shuffle = { 'boolean', true }, seed = { 'natural', 1 },
   })
   common.checkDataset('dataset.split', source)
   options.value('dataset.split', 'parts', parts, 'list')
   local n = source:size()
   local sizes = counts(n, parts)
   local order = read.shuffle and samplers.permutation(samplers.generator(1, read.seed), n)
   local module, subsets, first = require 'torch.dataset.module', {}, 1
   for k, size in ipairs(sizes) do
      local indices = torch.LongTensor()
      if size > 0 then
         indices = order and order:narrow(1, first, size):clone()
            or torch.range(torch.LongTensor(), first, first + size - 1)
      end
      subsets[k] = module.Subset(source, indices)
      first = first + size
   end
   return unpack(subsets)
end

return M
