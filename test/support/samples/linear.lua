local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, pair = make.random, make.of, make.pair

local function vectors(new, extra)
   local sample = { new = new, input = of(random, 3, 4), single = of(random, 4),
      wrong = of(random, 3, 5) }
   for key, value in pairs(extra or {}) do
      sample[key] = value
   end
   return sample
end

local weight_norm = { names = { 'v', 'g', 'bias', 'gradV', 'gradG', 'gradBias' } }
local weighted = { names = { 'weight', 'diagCov', 'gradWeight', 'gradDiagCov' } }

local function partial()
   local layer = nn.PartialLinear(4, 6)
   layer:setPartition(torch.Tensor { 5, 2, 6 })
   return layer
end

local words = of(torch.LongTensor, { { 2, 5, 2 }, { 1, 4, 5 } })
local sentence = of(torch.LongTensor, { 3, 5, 3, 1 })
local unknown = of(torch.Tensor)

-- Samples of a sparse layer: positions and values.
local function sparse()
   return {
      torch.Tensor { { 2, 0.5 }, { 4, -1 } }, torch.Tensor { { 1, 3 }, { 4, 2 }, { 3, 0.1 } },
   }
end

-- The values, or the gradients at the positions of the input.
local function values(nest, input)
   if torch.isTensor(input) then
      input, nest = { input }, nest == input and { nest } or nest
   end
   local list = {}
   for i, sample in ipairs(input) do
      local column = nest[i]:select(2, 2)
      list[i] = nest[i] == sample and column or column:index(1, sample:select(2, 1):long())
   end
   return list
end

-- What is not to be moved: by the positions there is no derivative.
local function positions(entries)
   entries:select(2, 1):zero()
   return entries
end

local function keys()
   return torch.LongTensor { 2, 4 }, torch.LongTensor { 1, 4, 3 }
end

local function indexed()
   return { { keys() }, { torch.Tensor { 0.5, -1 }, torch.Tensor { 3, 2, 0.1 } } }
end

local function flat()
   return { torch.cat { keys() }, torch.Tensor { 0.5, -1, 3, 2, 0.1 }, torch.LongTensor { 2, 3 } }
end

local function one()
   return { (keys()), torch.Tensor { 0.5, -1 } }
end

local function indexed_values(nest, input)
   if nest == input then
      return type(nest[2]) == 'table' and nest[2] or { nest[2] }
   elseif type(nest[2]) == 'table' then
      local list = {}
      for i, k in ipairs(input[1]) do
         list[i] = nest[2][i]:index(1, k)
      end
      return list
   elseif input[3] then
      local first, second = keys()
      return { torch.cat { nest[2][1]:index(1, first), nest[2][2]:index(1, second) } }
   end
   return { nest[2]:index(1, input[1]) }
end

local function index_linear(input, single)
   return { new = function() return nn.IndexLinear(5, 3, true):reset(1) end, input = input,
      single = single, variables = indexed_values, why = 'the other form has it',
      wrong = of(random, 2, 5) }
end

return {
   Linear = { vectors(of(nn.Linear, 4, 3)), vectors(of(nn.Linear, 4, 1, false)) },
   LinearWeightNorm = {
      vectors(of(nn.LinearWeightNorm, 4, 3), weight_norm),
      vectors(of(nn.LinearWeightNorm, 4, 3, false), weight_norm),
   },
   Euclidean = { vectors(of(nn.Euclidean, 4, 3)) },
   WeightedEuclidean = { vectors(of(nn.WeightedEuclidean, 4, 3), weighted) },
   Cosine = { vectors(of(nn.Cosine, 4, 3)) },
   Kmeans = { vectors(of(nn.Kmeans, 3, 4), { unsupervised = true }) },
   PartialLinear = {
      vectors(partial), vectors(of(nn.PartialLinear, 4, 3, false)),
   },
   Bilinear = {
      { new = of(nn.Bilinear, 4, 2, 3), input = pair(of(random, 3, 4), of(random, 3, 2)),
         wrong = pair(of(random, 3, 4), of(random, 3, 3)), why = 'two batches' },
   },
   LookupTable = {
      { new = of(nn.LookupTable, 5, 2), input = words, single = sentence, wrong = unknown },
      { new = function() return nn.LookupTable(5, 2):scaleGradByFreq() end, input = words,
         why = 'the frequencies are of the batch', wrong = unknown, unsupervised = true },
   },
   SparseLinear = {
      { new = of(nn.SparseLinear, 4, 3, true), input = sparse, variables = values,
         still = positions, single = function() return sparse()[1] end, wrong = of(random, 2, 3) },
      { new = of(nn.SparseLinear, 4, 3, true), input = function() return sparse()[2] end,
         variables = values, still = positions, why = 'it is a single sample',
         wrong = of(random, 2, 3) },
   },
   IndexLinear = { index_linear(indexed), index_linear(flat), index_linear(one, one) },
}
