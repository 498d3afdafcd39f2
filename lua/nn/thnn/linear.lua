--- Kernels of linear layers, of dense and of sparse inputs, and of lookup tables.
--
-- Sparse inputs: an n x 3 tensor of entries { sample, feature, value }, or in the kernels that are
-- called `legacy`, N x n x 2 { feature, value }. `output` must have its size before the call: no
-- entry says how many samples there are.
--
-- IndexLinear: `gradWeight` gets a row for each key, in the keys' order; `updateParameters` takes
-- them off the rows of the weight that the keys name.
-- @module nn.thnn.linear

local torch = require 'torch'
local check = require 'nn.check'
local entries = require 'nn.linear.entries'
local ops = require 'nn.base.ops'
local positions = require 'nn.base.positions'
local th = require 'torch.ffi'

local C = th.C

local prepare, compute = {}, {}

-- --- lookup tables ------------------------------------------------------------------------------

function compute.LookupTable_renorm(layer, a)
   layer:renorm(a.idx)
end

local MEAN = 1 -- mode; 0 is the sum

-- The bag of each position: offsets tell where bags begin.
local function bags(offsets, count)
   local list, counts = offsets:view(-1):totable(), {}
   for i, first in ipairs(list) do
      counts[i] = (list[i + 1] or count + 1) - first
   end
   return counts
end

local function write_longs(t, values)
   t:resize(values:size()):copy(values)
end

-- Each row of `rows` divided by the length of its bag.
local function divided(rows, bag, lengths)
   local by = lengths:view(-1):typeAs(rows):index(1, bag):view(-1, 1)
   return torch.cdiv(rows, by:expandAs(rows))
end

function compute.LookupTableBag_updateOutput(layer, a)
   local weight = a.weight
   local at = positions.vector(layer, '_input', a.input, weight)
   local counts = bags(a.offsets, at:size(1))
   local bag = entries.rows(counts, th.likeType(weight, C.TH_LONG))
   write_longs(a.offset2bag, bag)
   write_longs(a.seq_length, torch.LongTensor(counts))
   local rows = ops.index(layer, th.like(weight), weight, 0, at)
   if a.mode == MEAN then
      rows = divided(rows, bag, a.seq_length)
   end
   a.output:resize(#counts, weight:size(2)):zero()
   ops.index_add(layer, a.output, 0, bag, rows)
end

function compute.LookupTableBag_accGradParameters(layer, a)
   local gradWeight = a.gradWeight
   local bag = positions.vector(layer, '_bag', a.offset2bag, gradWeight)
   local rows = ops.index(layer, th.like(gradWeight), a.gradOutput, 0, bag)
   if a.mode == MEAN then
      rows = divided(rows, bag, a.seq_length)
   end
   layer.paddingValue = 0
   layer:__computeGradParameters(a.input, rows, a.scale)
end

-- --- sparse inputs ------------------------------------------------------------------------------

-- The sample, the feature and the value of each entry.
local function read(layer, input, weight)
   check.any_tensor(layer, input, 'input')
   local wide = input.ndim == 3
   local sizes = wide and 2 or 3
   if (not wide and input.ndim ~= 2) or input:size(input.ndim) ~= sizes then
      check.fail(layer, 'input is %s, expected n x 3, or of a legacy kernel N x n x 2',
         check.describe(input))
   end
   local function longs(t)
      return th.likeType(weight, C.TH_LONG):resize(t:nElement()):copy(t)
   end
   if wide then
      local counts = {}
      for i = 1, input:size(1) do
         counts[i] = input:size(2)
      end
      return entries.rows(counts, th.likeType(weight, C.TH_LONG)), longs(input:select(3, 1)),
         input:select(3, 2):contiguous():view(-1)
   end
   return longs(input:select(2, 1)), longs(input:select(2, 2)), input:select(2, 3):contiguous()
end

function compute.SparseLinear_updateOutput(layer, a)
   local y, weight = a.output, a.weight
   local samples, features, values = read(layer, a.input, weight)
   if a.input.ndim == 3 then
      y:resize(a.input:size(1), weight:size(1))
   elseif y.ndim ~= 2 or y:size(2) ~= weight:size(1) then
      check.fail(layer, 'output is %s, expected N x %d before the call', check.describe(y),
         weight:size(1))
   end
   y:copy(a.bias:view(1, -1):expandAs(y))
   entries.add(layer, y, samples, weight:t(), features, values)
end

function compute.SparseLinear_accGradParameters(layer, a)
   local gradWeight, g, scale = a.gradWeight, a.gradOutput, a.scale
   local samples, features, values = read(layer, a.input, gradWeight)
   entries.add(layer, gradWeight:t(), features, g, samples, torch.mul(values, scale))
   a.gradBias:add(scale, g:sum(1):view(-1))
   if a.weightDecay ~= 0 then
      gradWeight:add(scale * a.weightDecay, a.weight)
   end
end

-- Only the features of the last input have gradients.
function compute.SparseLinear_zeroGradParameters(layer, a)
   local _, features = read(layer, a.lastInput, a.gradWeight)
   a.gradWeight:indexFill(2, features, 0)
   a.gradBias:zero()
end

function compute.SparseLinear_updateParameters(layer, a)
   local weight, lr = a.weight, a.learningRate
   local _, features = read(layer, a.lastInput, weight)
   weight:indexCopy(2, features,
      weight:index(2, features):add(-lr, a.gradWeight:index(2, features)))
   a.bias:add(-lr, a.gradBias)
end

for _, name in ipairs { 'UpdateOutput', 'AccGradParameters', 'ZeroGradParameters',
      'UpdateParameters' } do
   compute['SparseLinear_legacy' .. name] =
      compute['SparseLinear_' .. name:gsub('^%u', string.lower)]
end

-- --- indexed inputs -----------------------------------------------------------------------------

function prepare.IndexLinear(layer, a)
   layer.offset, layer.weightDecay = a.keysOffset, 0
   layer.inputSize, layer.outputSize = a.weight:size(1), a.bias:size(1)
   layer.normalize = a.weight:size(2) - layer.outputSize
   a.input = { a.keys, a.values, a.sizes }
end

local function rows_of(layer, a, keys)
   local at = positions.vector(layer, '_at', keys, a.weight)
   return a.keysOffset == -1 and at or torch.add(at, -a.keysOffset - 1)
end

-- Let the weights of some rows shrink.
local function decay(layer, a, at, part)
   if part ~= 0 then
      local own = a.weight:narrow(2, layer.normalize + 1, layer.outputSize)
      own:indexCopy(1, at, own:index(1, at):mul(1 - part))
   end
end

-- Each key has a row of its own, as if it were the only one with its weights.
function compute.IndexLinear_accGradParameters(layer, a)
   local at = rows_of(layer, a, a.keys)
   local n = at:size(1)
   layer.weight, layer.inputSize, layer.offset = a.weight:index(1, at), n, -1
   layer.gradWeight:resizeAs(layer.weight):zero()
   layer:__computeGradParameters({ torch.range(1, n), a.values, a.sizes }, a.gradOutput, a.scale)
end

function compute.IndexLinear_accUpdateGradParameters(layer, a)
   decay(layer, a, rows_of(layer, a, a.keys), a.scale * a.weightDecay)
   layer.gradWeight, layer.gradBias = a.weight, a.bias
   layer:__computeGradParameters(a.input, a.gradOutput, -a.scale)
end

function compute.IndexLinear_updateParameters(layer, a)
   local at = rows_of(layer, a, a.runningKeys)
   decay(layer, a, at, a.learningRate * a.weightDecay)
   a.weight:indexAdd(1, at, torch.mul(a.gradWeight, -a.learningRate))
   a.bias:add(-a.learningRate, a.gradBias)
end

return require('nn.thnn.rows').chapter([[
   Linear_updateOutput(input, output, weight, bias?, addBuffer~)
   Linear_updateGradInput(input, gradOutput, gradInput, weight)
   Linear_accGradParameters(input, gradOutput, gradInput~, weight, bias?, gradWeight, gradBias?,
      addBuffer~, scale)
   LookupTable_accGradParameters(@input, gradOutput, gradWeight, count~, sorted~, indices~,
      scaleGradByFreq -> shouldScaleGradByFreq, paddingValue, scale)
   LookupTable_renorm(@idx, weight, maxNorm, normType)
   LookupTableBag_updateOutput(@input, @offsets, weight, output, @offset2bag, mode, @seq_length)
      : LookupTable
   LookupTableBag_accGradParameters(@input, gradOutput, gradWeight, @offset2bag, count~,
      sortedIndices~, origIndices~, scaleGradByFreq -> shouldScaleGradByFreq, mode, @seq_length,
      scale) : LookupTable
   SparseLinear_updateOutput(input, output, weight, bias)
   SparseLinear_accGradParameters(input, gradOutput, gradWeight, gradBias, weight, bias,
      weightDecay, scale)
   SparseLinear_zeroGradParameters(gradWeight, gradBias, lastInput)
   SparseLinear_updateParameters(weight, bias, gradWeight, gradBias, lastInput, learningRate)
   SparseLinear_legacyUpdateOutput(input, output, weight, bias)
   SparseLinear_legacyAccGradParameters(input, gradOutput, gradWeight, gradBias, weight, bias,
      weightDecay, scale)
   SparseLinear_legacyZeroGradParameters(gradWeight, gradBias, lastInput)
   SparseLinear_legacyUpdateParameters(weight, bias, gradWeight, gradBias, lastInput, learningRate)
   IndexLinear_updateOutput(@keys, keysOffset, values, @sizes, cumSumSizes~, output, weight, bias,
      normalizedValues~, train)
   IndexLinear_accGradParameters(@keys, keysOffset, values, @sizes, cumSumSizes~, gradOutput,
      gradWeight, gradBias, weight, bias, valuesBuffer~, weightDecay~, scale)
   IndexLinear_accUpdateGradParameters(@keys, keysOffset, values, @sizes, cumSumSizes~, gradOutput,
      weight, bias, weightDecay, scale)
   IndexLinear_updateParameters(gradWeight, gradBias, weight, bias, @runningKeys, cumSumSizes~,
      keysOffset, weightDecay, learningRate)
]], { prepare = prepare, compute = compute })
