--- An nn.LSTM that gives its last cells as well, as ONNX's operator does.
--
-- Output: { h of every step, c of the last one }; the input is the layer's.
-- @classmod onnx.WithCells
-- @usage onnx.WithCells(layer) -- onnx.import makes them

local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'

local WithCells = torch.class('onnx.WithCells', 'nn.Container', onnx)

--- @param layer an nn.LSTM of one layer, in one direction or both
function WithCells:__init(layer)
   nn.Container.__init(self)
   self:add(layer)
end

function WithCells:updateOutput(input)
   local layer = self.modules[1]
   local y = layer:updateOutput(input)
   local _, cells = layer:finalState()
   self.output = { y, cells }
   return self.output
end

-- The layer, which takes the gradient of its last states from a field.
local function with_gradient(self, gradOutput)
   local layer, g = self.modules[1], gradOutput[2]
   layer.gradFinal = { g:clone():zero(), g }
   return layer
end

function WithCells:updateGradInput(input, gradOutput)
   local layer = with_gradient(self, gradOutput)
   self.gradInput = layer:updateGradInput(input, gradOutput[1])
   layer.gradFinal = nil
   return self.gradInput
end

function WithCells:accGradParameters(input, gradOutput, scale)
   local layer = with_gradient(self, gradOutput)
   layer:accGradParameters(input, gradOutput[1], scale)
   layer.gradFinal = nil
end

function WithCells:backward(input, gradOutput, scale)
   local layer = with_gradient(self, gradOutput)
   self.gradInput = layer:backward(input, gradOutput[1], scale)
   layer.gradFinal = nil
   return self.gradInput
end

function WithCells:clearState()
   self.modules[1]:clearState()
   self.output, self.gradInput = {}, {}
   return self
end

return WithCells
