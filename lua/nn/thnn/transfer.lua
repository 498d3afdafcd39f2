--- Kernels of functions of each element, and of the scores of classes.
-- @module nn.thnn.transfer

local torch = require 'torch'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local prepare, compute = {}, {}

-- Their gradients take the output alone.
function prepare.Sigmoid(_, a)
   a.input = a.input or a.output
end
prepare.Tanh = prepare.Sigmoid

-- The gate that forward has kept in a layer.
function prepare.GatedLinear(layer, a)
   local x = a.input
   if a.gradOutput and layer.dim >= 1 and layer.dim <= x.ndim and x:size(layer.dim) % 2 == 0 then
      local half = x:size(layer.dim) / 2
      layer.gate = ops.sigmoid(layer, th.like(x), x:narrow(layer.dim, half + 1, half))
   end
end

-- Above the threshold, of beta x, the function is x itself.
function compute.SoftPlus_updateOutput(layer, a)
   local x = a.input
   local y = layer:__computeOutput(th.like(x), x)
   return torch.where(torch.mul(x, layer.beta):gt(layer.threshold), x, y)
end

function compute.SoftPlus_updateGradInput(layer, a)
   local x, g = a.input, a.gradOutput
   local gx = layer:__computeGradInput(th.like(x), x, g)
   return torch.where(torch.mul(x, layer.beta):gt(layer.threshold), g, gx)
end

-- The slopes come from the generator that the call names.
function compute.RReLU_updateOutput(layer, a)
   local x, y = a.input, a.output
   if layer.inplace then
      y:set(x)
   end
   if not layer.train then
      return layer:__computeOutput(y, x)
   end
   layer.noise:resizeAs(x)
   if torch.type(a.generator) == 'torch.Generator' then -- else the type's own
      layer.noise:uniform(a.generator, layer.lower, layer.upper)
   else
      layer.noise:uniform(layer.lower, layer.upper)
   end
   return ops.prelu(layer, y, x, layer.noise)
end

return require('nn.thnn.rows').chapter([[
   Abs_updateOutput(input, output)
   Abs_updateGradInput(input, gradOutput, gradInput)
   ELU_updateOutput(input, output, alpha, inplace)
   ELU_updateGradInput(input, gradOutput, gradInput, output, alpha, inplace)
   GatedLinear_updateOutput(input, output, dim) : GatedLinearUnit
   GatedLinear_updateGradInput(input, gradOutput, gradInput, dim) : GatedLinearUnit
   HardShrink_updateOutput(input, output, lambda)
   HardShrink_updateGradInput(input, gradOutput, gradInput, lambda)
   HardTanh_updateOutput(input, output, min_val, max_val, inplace)
   HardTanh_updateGradInput(input, gradOutput, gradInput, min_val, max_val, inplace)
   LeakyReLU_updateOutput(input, output, negval, inplace)
   LeakyReLU_updateGradInput(input, gradOutput, gradInput, negval, inplace)
   LogSigmoid_updateOutput(input, output, buffer~)
   LogSigmoid_updateGradInput(input, gradOutput, gradInput, buffer~)
   LogSoftMax_updateOutput(input, output)
   LogSoftMax_updateGradInput(input, gradOutput, gradInput, output)
   PReLU_updateOutput(input, output, weight, nOutputPlane)
   PReLU_updateGradInput(input, gradOutput, gradInput, weight, nOutputPlane)
   PReLU_accGradParameters(input, gradOutput, gradInput~, weight, gradWeight, gradWeightBuf~,
      gradWeightBuf2~, nOutputPlane, scale)
   RReLU_updateOutput(input, output, noise, lower, upper, train, inplace, generator!)
   RReLU_updateGradInput(input, gradOutput, gradInput, noise, lower, upper, train, inplace)
   Sigmoid_updateOutput(input, output)
   Sigmoid_updateGradInput(input?, gradOutput, gradInput, output)
   SoftMax_updateOutput(input, output)
   SoftMax_updateGradInput(input, gradOutput, gradInput, output)
   SoftPlus_updateOutput(input, output, beta, threshold)
   SoftPlus_updateGradInput(input, gradOutput, gradInput, output, beta, threshold)
   SoftShrink_updateOutput(input, output, lambda)
   SoftShrink_updateGradInput(input, gradOutput, gradInput, lambda)
   Sqrt_updateOutput(input, output, eps)
   Sqrt_updateGradInput(input, gradOutput, gradInput, output)
   Square_updateOutput(input, output)
   Square_updateGradInput(input, gradOutput, gradInput)
   Tanh_updateOutput(input, output)
   Tanh_updateGradInput(input?, gradOutput, gradInput, output)
   Threshold_updateOutput(input, output, threshold, val, inplace)
   Threshold_updateGradInput(input, gradOutput, gradInput, threshold, val, inplace)
]], { prepare = prepare, compute = compute })
