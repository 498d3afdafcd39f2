--- Kernels of normalisation.
-- @module nn.thnn.normalization

local check = require 'nn.check'
local ops = require 'nn.base.ops'

local compute = {}

-- The planes are dimension 2 of any number of dimensions.
local function check_planes(layer, a)
   local x, planes = a.input, a.running_mean:nElement()
   if x.ndim < 2 or x:size(2) ~= planes then
      check.fail(layer, 'input is %s, expected N x %d or N x %d x ...', check.describe(x), planes,
         planes)
   end
end

function compute.BatchNormalization_updateOutput(layer, a)
   check_planes(layer, a)
   return ops.batch_norm(layer, a.output, a.save_mean, a.save_std, a.input, a.weight, a.bias,
      a.running_mean, a.running_var, a.train, a.momentum, a.eps)
end

function compute.BatchNormalization_backward(layer, a)
   check_planes(layer, a)
   ops.batch_norm_backward(layer, a.gradInput, a.gradWeight, a.gradBias, a.gradOutput, a.input,
      a.weight, a.running_mean, a.running_var, a.save_mean, a.save_std, a.train, a.eps, a.scale)
end

return require('nn.thnn.rows').chapter([[
   BatchNormalization_updateOutput(input, output, weight?, bias?, running_mean, running_var,
      save_mean, save_std, train, momentum, eps)
   BatchNormalization_backward(input, gradOutput, gradInput?, gradWeight?, gradBias?, weight?,
      running_mean, running_var, save_mean, save_std, train, scale, eps)
   SpatialCrossMapLRN_updateOutput(input, output, *scale, size, alpha, beta, k)
   SpatialCrossMapLRN_updateGradInput(input, gradOutput, gradInput, *scale, output, size, alpha,
      beta, k)
]], { compute = compute })
