--- The classes that are nn's under another name.
-- `help(cudnn.ReLU)` shows nn.ReLU's text; below are those whose arguments are others.
-- @module cudnn.layers
local torch = require 'torch'
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

-- Torch7's pointwise classes take `inplace`, its softmax classes `fast`.
local INPLACE = { Sigmoid = true, Tanh = true }

--- nn.Sigmoid with Torch7's argument for cuDNN.
-- @type cudnn.Sigmoid
-- @bool[opt=false] inplace compute into the input, and the gradient into gradOutput

--- nn.Tanh with Torch7's argument for cuDNN.
-- @type cudnn.Tanh
-- @bool[opt=false] inplace compute into the input, and the gradient into gradOutput

-- The layer computes into its input; backward then finds the output there.
local function addInplace(Layer, parent)
   function Layer:__init(inplace)
      parent.__init(self)
      self.inplace = inplace or false
   end
   function Layer:updateOutput(input)
      if self.inplace then
         self.output:set(input)
      end
      return parent.updateOutput(self, input)
   end
   function Layer:updateGradInput(input, gradOutput)
      if self.inplace then
         self.gradInput:set(gradOutput)
      end
      return parent.updateGradInput(self, input, gradOutput)
   end
end

--- nn.SpatialAveragePooling with windows side by side by default, where nn's are one element apart.
-- @type cudnn.SpatialAveragePooling
-- @int kW width of a window
-- @int kH height
-- @int[opt=kW] dW step in width
-- @int[opt=kH] dH step in height
-- @int[opt=0] padW zeros on each side
-- @int[opt=0] padH zeros above and below
local function addSteps(Layer, parent)
   function Layer:__init(kW, kH, dW, dH, padW, padH)
      parent.__init(self, kW, kH, dW or kW, dH or kH, padW, padH)
   end
end

function M.install(cudnn)
   for _, name in ipairs(M.names) do
      if nn[name] then
         local Layer, parent = torch.class('cudnn.' .. name, 'nn.' .. name, cudnn)
         if INPLACE[name] then
            addInplace(Layer, parent)
         elseif name == 'SpatialAveragePooling' then
            addSteps(Layer, parent)
         elseif name == 'SpatialFullConvolution' then
            modes.install(cudnn, Layer)
         end
         Layer.__version = parent.__version
      end
   end
   for name, base in pairs(SPATIAL) do
      torch.class('cudnn.' .. name, 'nn.' .. base, cudnn)
   end
end

return M
