--- cudnn.functional: layers of images as functions of their tensors, as Torch7's cuDNN binding has
-- them. The first argument stands for the library's handle, and is not used: `cudnn.getHandle()`.
--
--    cudnn.functional.ReLU_updateOutput(cudnn.getHandle(), input, output)
--
-- Results are resized. Tensors may be of any floating type, on either backend.
-- @module cudnn.functional

local torch = require 'torch'
local thnn = require 'nn.thnn'
local raise = require('torch.errors').raise

local M = {}

local kernels = setmetatable({}, {
   __index = function(_, name)
      return thnn.load()[name]
   end,
})

-- A number for each plane beside images.
local function beside(bias, images)
   return bias:view(1, -1, 1, 1):expandAs(images:dim() == 4 and images or images:view(1,
      images:size(1), images:size(2), images:size(3)))
end

local function batch(images)
   return images:dim() == 4 and images
      or images:view(1, images:size(1), images:size(2), images:size(3))
end

--- output += bias, plane by plane.
-- @param handle not used
-- @tparam Tensor bias
-- @tparam Tensor output N x C x H x W or C x H x W
function M.bias2D_updateOutput(_, bias, output)
   batch(output):add(beside(bias, output))
end

--- gradBias = alpha gradBias + scale * the sum of each plane of gradOutput.
-- @param handle not used
-- @tparam Tensor gradOutput
-- @tparam Tensor gradBias
-- @number[opt=1] scale
-- @number[opt=1] alpha
function M.bias2D_accGradParameters(_, gradOutput, gradBias, scale, alpha)
   local sums = batch(gradOutput):sum(4):sum(3):sum(1):view(-1)
   gradBias:mul(alpha or 1):add(scale or 1, sums)
end

--- output = the convolution of input with weight, without bias.
-- @param handle not used
-- @tparam Tensor input N x C x H x W or C x H x W
-- @tparam Tensor weight outputs x C x kH x kW
-- @tparam Tensor output
-- @int strideH
-- @int strideW
-- @int padH
-- @int padW
function M.Convolution2D_updateOutput(_, input, weight, output, strideH, strideW, padH, padW)
   kernels.SpatialConvolutionMM_updateOutput(input, output, weight, nil, nil, nil, weight:size(4),
      weight:size(3), strideW, strideH, padW, padH)
end

--- The gradient by the input; the arguments are those of updateOutput, with gradOutput and
-- gradInput behind output.
function M.Convolution2D_updateGradInput(_, input, weight, _, gradOutput, gradInput, strideH,
      strideW, padH, padW)
   kernels.SpatialConvolutionMM_updateGradInput(input, gradOutput, gradInput, weight, nil, nil,
      weight:size(4), weight:size(3), strideW, strideH, padW, padH)
end

--- gradWeight += scale * the gradient by the weight.
-- @param handle not used
-- @tparam Tensor input
-- @tparam Tensor gradWeight outputs x C x kH x kW
-- @tparam Tensor gradOutput
-- @int strideH
-- @int strideW
-- @int padH
-- @int padW
-- @number[opt=1] scale
function M.Convolution2D_accGradParameters(_, input, gradWeight, gradOutput, strideH, strideW, padH,
      padW, scale)
   kernels.SpatialConvolutionMM_accGradParameters(input, gradOutput, gradWeight, nil, nil, nil,
      gradWeight:size(4), gradWeight:size(3), strideW, strideH, padW, padH, scale or 1)
end

-- --- pooling ------------------------------------------------------------------------------------

local MODES = {
   CUDNN_POOLING_MAX = 'SpatialMaxPooling',
   CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 'SpatialAveragePooling',
   CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 'SpatialAveragePooling',
}

-- A layer whose buffers are the caller's.
local function pooling(mode, kH, kW, dH, dW, padH, padW, ceil_mode, output, gradInput)
   local class = MODES[mode]
   if not class then
      raise(("cudnn.functional: mode is '%s', expected CUDNN_POOLING_MAX or CUDNN_POOLING_AVERAGE_"
         .. 'COUNT_INCLUDE_PADDING or _EXCLUDE_PADDING'):format(tostring(mode)))
   end
   local layer = setmetatable({
      kH = kH, kW = kW, dH = dH, dW = dW, padH = padH or 0, padW = padW or 0,
      ceil_mode = ceil_mode or false, output = output, gradInput = gradInput,
      count_include_pad = mode ~= 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING',
   }, torch.getmetatable('nn.' .. class))
   return layer
end

--- Pooling of images by cuDNN's modes, whose names are strings: 'CUDNN_POOLING_MAX', ...
-- @param handle not used
-- @string mode
-- @tparam Tensor input
-- @tparam Tensor output
-- @int kH
-- @int kW
-- @int dH
-- @int dW
-- @int[opt=0] padH
-- @int[opt=0] padW
-- @bool[opt=false] ceil_mode
function M.Pooling_updateOutput(_, mode, input, output, kH, kW, dH, dW, padH, padW, ceil_mode)
   pooling(mode, kH, kW, dH, dW, padH, padW, ceil_mode, output):updateOutput(input)
end

--- The gradient by the input; the arguments are those of Pooling_updateOutput, with gradOutput and
-- gradInput behind output.
function M.Pooling_updateGradInput(_, mode, input, output, gradOutput, gradInput, kH, kW, dH, dW,
      padH, padW, ceil_mode)
   local layer = pooling(mode, kH, kW, dH, dW, padH, padW, ceil_mode, output, gradInput)
   if mode == 'CUDNN_POOLING_MAX' then -- positions are found again
      layer.output = input.new()
      layer:updateOutput(input)
   end
   layer:updateGradInput(input, gradOutput)
end

--- Maxima of windows; the arguments are those of Pooling_updateOutput and Pooling_updateGradInput,
-- without mode.
-- @function cudnn.functional.MaxPooling2D_updateOutput
-- @function cudnn.functional.MaxPooling2D_updateGradInput
function M.MaxPooling2D_updateOutput(handle, ...)
   M.Pooling_updateOutput(handle, 'CUDNN_POOLING_MAX', ...)
end

function M.MaxPooling2D_updateGradInput(handle, ...)
   M.Pooling_updateGradInput(handle, 'CUDNN_POOLING_MAX', ...)
end

--- Means of windows, the padding included; the arguments are those of Pooling_updateOutput and
-- Pooling_updateGradInput, without mode.
-- @function cudnn.functional.AveragePooling2D_updateOutput
-- @function cudnn.functional.AveragePooling2D_updateGradInput
function M.AveragePooling2D_updateOutput(handle, ...)
   M.Pooling_updateOutput(handle, 'CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING', ...)
end

function M.AveragePooling2D_updateGradInput(handle, ...)
   M.Pooling_updateGradInput(handle, 'CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING', ...)
end

-- --- functions of elements, and of classes ------------------------------------------------------

local function define(name, kernel, numbers)
   local forward, backward = kernel .. '_updateOutput', kernel .. '_updateGradInput'
   M[name .. '_updateOutput'] = function(_, input, output)
      kernels[forward](input, output, unpack(numbers or {}))
   end
   M[name .. '_updateGradInput'] = function(_, input, output, gradOutput, gradInput)
      if numbers then
         kernels[backward](input, gradOutput, gradInput, unpack(numbers))
      else
         kernels[backward](input, gradOutput, gradInput, output)
      end
   end
end

--- max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
-- gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
-- @function cudnn.functional.ReLU_updateOutput
-- @function cudnn.functional.ReLU_updateGradInput
-- @function cudnn.functional.Tanh_updateOutput
-- @function cudnn.functional.Tanh_updateGradInput
-- @function cudnn.functional.Sigmoid_updateOutput
-- @function cudnn.functional.Sigmoid_updateGradInput
-- @function cudnn.functional.SoftMax_updateOutput
-- @function cudnn.functional.SoftMax_updateGradInput
-- @function cudnn.functional.LogSoftMax_updateOutput
-- @function cudnn.functional.LogSoftMax_updateGradInput
define('ReLU', 'Threshold', { 0, 0, false })
define('Tanh', 'Tanh')
define('Sigmoid', 'Sigmoid')
define('SoftMax', 'SoftMax')
define('LogSoftMax', 'LogSoftMax')

return M
