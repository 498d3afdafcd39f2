--- The layer of nn that computes for a layer of cudnn: nn.RNN, nn.LSTM or nn.GRU over views of its
-- one vector of parameters.
-- @module cudnn.recurrent.inner

local torch = require 'torch'
local check = require 'nn.check'

local M = {}

local LAYERS = {
   CUDNN_RNN_RELU = { class = 'nn.RNN', relu = true }, CUDNN_RNN_TANH = { class = 'nn.RNN' },
   CUDNN_LSTM = { class = 'nn.LSTM' }, CUDNN_GRU = { class = 'nn.GRU' },
}

-- cudnn layer -> the layer of nn. No field: it is neither saved nor converted.
local inner = setmetatable({}, { __mode = 'k' })

local function class_of(self)
   local entry = LAYERS[self.mode]
   if not entry then
      check.fail(self, "mode is '%s', expected CUDNN_RNN_RELU, CUDNN_RNN_TANH, CUDNN_LSTM or "
         .. 'CUDNN_GRU', tostring(self.mode))
   end
   return torch.getmetatable(entry.class), entry.relu
end

--- Numbers in all matrices, and in all biases.
function M.counts(self)
   local H, D, rows = self.hiddenSize, self.numDirections, class_of(self).gates * self.hiddenSize
   return D * rows * (self.inputSize + H + (self.numLayers - 1) * (D * H + H)),
      D * self.numLayers * 2 * rows
end

--- The layer of nn, with the fields of this one.
function M.of(self)
   local Layer, relu = class_of(self)
   local layer = inner[self]
   if not layer or getmetatable(layer) ~= Layer then
      layer = setmetatable({}, Layer)
      inner[self] = layer
   end
   local weights, biases = M.counts(self)
   if self.weight:nElement() ~= weights + biases then
      check.fail(self, 'weight has %d elements, expected %d for these sizes; call reset()',
         self.weight:nElement(), weights + biases)
   end
   layer.inputSize, layer.hiddenSize, layer.numLayers = self.inputSize, self.hiddenSize,
      self.numLayers
   layer.bidirectional, layer.dropout = self.numDirections == 2, self.dropout or 0
   layer.train, layer.relu, layer.batchFirst = self.train, relu or false, self.batchFirst
   layer.weight, layer.bias = self.weight:narrow(1, 1, weights),
      self.weight:narrow(1, weights + 1, biases)
   layer.gradWeight, layer.gradBias = self.gradWeight:narrow(1, 1, weights),
      self.gradWeight:narrow(1, weights + 1, biases)
   if not check.suits(layer.output, self.weight.dtype, self.weight) then
      layer.saved, layer.output = nil, self.weight.new()
   end
   return layer
end

--- Make it anew at the next call.
function M.forget(self)
   inner[self] = nil
end

return M
