--- The classes that are nn's under another name.
-- `help(cudnn.ReLU)` shows nn.ReLU's text; below are those whose arguments are others.
-- @module cudnn.layers
local torch = require 'torch'
local nn = require 'nn'

local M = {}

-- Names that both packages have, beside those of cudnn.convolutions.
M.names = {
   'BatchNormalization', 'LogSoftMax', 'ReLU', 'Sigmoid', 'SoftMax',
   'SpatialAveragePooling', 'SpatialBatchNormalization', 'SpatialCrossMapLRN',
   'SpatialDivisiveNormalization', 'SpatialMaxPooling', 'Tanh', 'VolumetricAveragePooling',
   'VolumetricBatchNormalization', 'VolumetricMaxPooling',
}

-- Torch7's pointwise classes take `inplace`, its softmax classes `fast`. backward finds the output
-- in the place of the input then.
local INPLACE = 'inplace  boolean = false  compute into the input'

--- nn.Sigmoid with Torch7's argument for cuDNN.
-- @type cudnn.Sigmoid
-- @bool[opt=false] inplace compute into the input, and the gradient into gradOutput

--- nn.Tanh with Torch7's argument for cuDNN.
-- @type cudnn.Tanh
-- @bool[opt=false] inplace compute into the input, and the gradient into gradOutput

--- nn.SpatialAveragePooling with windows side by side by default, where nn's are one element apart.
-- @type cudnn.SpatialAveragePooling
-- @int kW width of a window
-- @int kH height
-- @int[opt=kW] dW step in width
-- @int[opt=kH] dH step in height
-- @int[opt=0] padW zeros on each side
-- @int[opt=0] padH zeros above and below
local AVERAGE = [[
   kW    size         width of a window
   kH    size         height
   dW    integer = kW step in width
   dH    integer = kH step in height
   padW  integer = 0  zeros on each side
   padH  integer = 0  zeros above and below
]]

local ARGUMENTS = { Sigmoid = INPLACE, Tanh = INPLACE, SpatialAveragePooling = AVERAGE }

function M.install(cudnn)
   for _, name in ipairs(M.names) do
      nn.declare('cudnn.' .. name, 'nn.' .. name, { arguments = ARGUMENTS[name] }, cudnn)
   end
   for _, name in ipairs { 'SpatialCrossMapLRN', 'SpatialDivisiveNormalization' } do
      --- Torch7's call after a change of the fields. Nothing to do: each call looks at them.
      -- @function cudnn.SpatialCrossMapLRN:resetDescriptors
      -- @function cudnn.SpatialDivisiveNormalization:resetDescriptors
      torch.getmetatable('cudnn.' .. name).resetDescriptors = function() end
   end
end

return M
