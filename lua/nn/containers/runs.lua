--- Neighbours in a sequence that are computed as one.
--
-- In evaluation a batch normalisation after a convolution is part of the convolution's weights:
-- the convolution alone runs, into the normalisation's output, and has an empty output itself. Who
-- needs that gets it by `given`. Modules with methods of their own, and all while something hangs
-- on nn.seam, run one by one.
-- @module nn.containers.runs

local nn = require 'nn'
local folding = require 'nn.normalization.folding'
local th = require 'torch.ffi'

local M = {}

local FOLDED = { [th.C.TH_FLOAT] = true, [th.C.TH_DOUBLE] = true }

-- Filled when the classes are there.
local convolve, normalise, compute

local function follows(layer, norm)
   return norm and layer.updateOutput == convolve and norm.updateOutput == normalise
      and layer.__computeOutput == compute
end

local function of_size(t, size)
   return t == nil or th.isTensor(t) and t.ndim == 1 and t.sizes[0] == size
end

-- Whether a convolution and a normalisation are in evaluation, and fit.
local function folds(layer, norm)
   local weight, mean = layer.weight, norm.running_mean
   if layer.train ~= false or norm.train ~= false or not th.isTensor(weight) or weight.ndim ~= 4
      or not FOLDED[weight.dtype] then
      return false
   end
   local size = weight.sizes[0]
   return mean and norm.running_var and of_size(mean, size) and of_size(norm.running_var, size)
      and of_size(norm.weight, size) and of_size(norm.bias, size) and of_size(layer.bias, size)
      and mean.dtype == weight.dtype and mean.device_type == weight.device_type
      and mean.device == weight.device and th.isTensor(norm.output) and th.isTensor(layer.output)
      and not rawequal(norm.output, layer.output)
end

-- The method of a convolution that is called instead of its updateOutput.
local function convolve_and_normalise(layer, input, norm)
   layer:__checkInput(input)
   local weight, bias = folding.current(layer, norm, 1)
   norm.output = layer:__convolve(norm.output, input, bias, weight)
   layer.output:set()
   return norm.output
end

--- What a sequence does with its i-th module and the one after it, where they are computed as one.
-- @param sequence
-- @int i
-- @param input what module i is given
-- @return the output of the second; nil where the first is to be run by itself
function M.both(sequence, i, input)
   local layer, norm = sequence.modules[i], sequence.modules[i + 1]
   if not follows(layer, norm) then
      return nil
   elseif not sequence.joined or not folds(layer, norm) then
      folding.forget(norm)
      return nil
   end
   return sequence:rethrowErrors(layer, i, '__convolveAndNormalise', input, norm)
end

--- The output of the module before the i-th, computed now if it was left out.
-- @param sequence
-- @int i
-- @param input what the sequence was given
function M.given(sequence, i, input)
   local modules = sequence.modules
   local before = modules[i - 1]
   local output = before.output
   if not th.isTensor(output) or output.ndim > 0 or not follows(before, modules[i])
      or modules[i].output.ndim == 0 then
      return output
   end
   local first = i > 2 and M.given(sequence, i - 1, input) or input
   return sequence:rethrowErrors(before, i - 1, 'updateOutput', first)
end

--- Called when the layers are defined.
function M.define()
   local Convolution = nn.SpatialConvolution
   convolve, compute = Convolution.updateOutput, Convolution.__computeOutput
   normalise = nn.SpatialBatchNormalization.updateOutput
   Convolution.__convolveAndNormalise = convolve_and_normalise
end

return M
