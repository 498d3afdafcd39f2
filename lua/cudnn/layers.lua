--- The classes that are nn's under another name.
-- `help(cudnn.ReLU)` shows nn.ReLU's text; below are those whose arguments are others.
-- @module cudnn.layers
local nn = require 'nn'
local modes = require 'cudnn.modes'

local M = {}

-- Names that both packages have. The layers that nn lacks are passed over.
M.names = {
   'BatchNormalization', 'LogSoftMax', 'ReLU', 'Sigmoid', 'SoftMax',
   'SpatialAveragePooling', 'SpatialBatchNormalization',
   'SpatialCrossMapLRN', 'SpatialDivisiveNormalization', 'SpatialFullConvolution',
   'SpatialMaxPooling', 'Tanh', 'TemporalConvolution',
   'VolumetricAveragePooling', 'VolumetricBatchNormalization', 'VolumetricConvolution',
   'VolumetricFullConvolution', 'VolumetricMaxPooling',
}

-- nn's classes look at the classes of each place of an image anyway.
local SPATIAL = { SpatialSoftMax = 'SoftMax', SpatialLogSoftMax = 'LogSoftMax' }

-- Torch7's pointwise classes take `inplace`, its softmax classes `fast`. backward finds the output
-- in the place of the input then.
local INPLACE = 'inplace  boolean = false  compute into the input'

--- nn.SpatialFullConvolution with the modes of Torch7's cuDNN binding, which are kept and not used.
-- @type cudnn.SpatialFullConvolution

--- nn.SoftMax, which looks at the classes of each place of an image anyway.
-- @type cudnn.SpatialSoftMax

--- nn.LogSoftMax, which looks at the classes of each place of an image anyway.
-- @type cudnn.SpatialLogSoftMax

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
   dW    number = kW  step in width
   dH    number = kH  step in height
   padW  number = 0   zeros on each side
   padH  number = 0   zeros above and below
]]

local ARGUMENTS = { Sigmoid = INPLACE, Tanh = INPLACE, SpatialAveragePooling = AVERAGE }

function M.install(cudnn)
   for _, name in ipairs(M.names) do
      if nn[name] then
         local declaration = { arguments = ARGUMENTS[name] }
         local Layer = nn.declare('cudnn.' .. name, 'nn.' .. name, declaration, cudnn)
         if name == 'SpatialFullConvolution' then
            modes.install(cudnn, Layer)
         end
      end
   end
   for name, base in pairs(SPATIAL) do
      nn.declare('cudnn.' .. name, 'nn.' .. base, {}, cudnn)
   end
end

return M
