--- Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
--
-- Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
-- of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
-- or for a packed input a tensor of its steps.
--
-- States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
-- hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
-- `cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
-- `gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
-- the last one ended with.
--
-- `weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
-- be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
-- @classmod cudnn.RNN

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local inner = require 'cudnn.recurrent.inner'
local operands = require 'cudnn.recurrent.operands'
local packing = require 'cudnn.recurrent.packing'
local seam = require 'nn.base.seam'

local is_packed, keep = operands.is_packed, operands.keep

local M = {}

local GIVEN = { 'hiddenInput', 'cellInput', 'gradHiddenOutput', 'gradCellOutput' }
local RESULTS = { 'hiddenOutput', 'cellOutput', 'gradHiddenInput', 'gradCellInput' }

local function passes(RNN)
   function RNN:__initialize(_, _, _, _, dropout)
      self.dropout = dropout or 0
      self.mode = self.mode or 'CUDNN_RNN_RELU'
      self.bidirectional, self.numDirections = 'CUDNN_UNIDIRECTIONAL', 1
      self.train, self.sync, self.seqLength, self.miniBatch = true, true, 1, 1
      self.weight, self.gradWeight = torch.Tensor(), torch.Tensor()
      self:cuda() -- as in Torch7, without being told
      self:resetStates()
   end

   --- Make the weights anew, uniform in ±stdv.
   -- @number[opt] stdv default 1 / sqrt(hiddenSize)
   function RNN:reset(stdv)
      stdv = stdv or 1 / math.sqrt(self.hiddenSize)
      local weights, biases = inner.counts(self)
      self.weight:resize(weights + biases):uniform(-stdv, stdv)
      self.gradWeight:resizeAs(self.weight):zero()
   end

   --- Begin the next call with states of 0.
   function RNN:resetStates()
      for _, name in ipairs(GIVEN) do
         self[name] = nil
      end
      for _, name in ipairs(RESULTS) do -- those of a cell stay empty where there is none
         self[name] = self.weight.new()
      end
      self.told = (self.told or 0) + 1
   end

   -- For nn.base.carry, and for the stages of pipelines: what is given is the layer's, what was
   -- remembered is of the call before, unless the script has reset it since.
   RNN.__state = { hiddenInput = true, cellInput = true, hiddenOutput = true, cellOutput = true }

   local function clone_of(t)
      return t and t:clone()
   end

   function RNN:__carry(layer, from)
      local source = layer.told ~= from.told and layer or from
      for _, name in ipairs { 'hidden', 'cell' } do
         if self ~= layer then
            self[name .. 'Input'] = clone_of(layer[name .. 'Input'])
         end
         if self ~= source and layer.rememberStates then
            self[name .. 'Output'] = clone_of(source[name .. 'Output'])
         end
      end
   end

   function RNN:updateOutput(input)
      local layer = inner.of(self)
      local list, batchFirst = operands.read(self, input)
      layer.batchFirst = batchFirst
      local y = seam.plain(layer.updateOutput)(layer, operands.with_states(self, list, layer))
      layer.input = list
      local h, c = layer:finalState()
      keep(self, 'hiddenOutput', h)
      if c then
         keep(self, 'cellOutput', c)
      end
      if is_packed(input) then
         y = packing.pack(y, list.lengths)[1]
      end
      self.output = y
      return y
   end

   -- What the inner layer is to give back, and the gradient of its output.
   local function prepare_backward(self, input, gradOutput)
      local layer = inner.of(self)
      if not layer.saved or not layer.input then
         check.fail(self, 'backward needs what forward keeps; run forward on this input first')
      end
      layer.batchFirst = self.batchFirst and not is_packed(input)
      check.tensor(self, self.weight, gradOutput, 'gradOutput')
      check.count(self, gradOutput, self.output, 'gradOutput')
      local gh, gc = self.gradHiddenOutput, self.gradCellOutput
      layer.gradFinal = nil
      if gh or gc then
         gh = gh or gc:clone():zero()
         layer.gradFinal = { gh, layer.states == 2 and (gc or gh:clone():zero()) or nil }
      end
      return layer, operands.gradient(input, gradOutput)
   end

   local function take_gradients(self, input, layer, gradients)
      keep(self, 'gradHiddenInput', gradients[2])
      if gradients[3] then
         keep(self, 'gradCellInput', gradients[3])
      end
      local gx = gradients[1]
      if is_packed(input) then
         gx = packing.pack(gx, layer.input.lengths)[1]
      end
      self.gradInput = gx
      return gx
   end

   function RNN:updateGradInput(input, gradOutput)
      local layer, g = prepare_backward(self, input, gradOutput)
      layer.gradInput = layer.gradInput or {}
      return take_gradients(self, input, layer,
         seam.plain(layer.updateGradInput)(layer, layer.input, g))
   end

   function RNN:accGradParameters(input, gradOutput, scale)
      local layer, g = prepare_backward(self, input, gradOutput)
      seam.plain(layer.accGradParameters)(layer, layer.input, g, scale or 1)
   end

   function RNN:backward(input, gradOutput, scale)
      local layer, g = prepare_backward(self, input, gradOutput)
      layer.gradInput = layer.gradInput or {}
      return take_gradients(self, input, layer,
         seam.plain(layer.backward)(layer, layer.input, g, scale or 1))
   end

   function RNN:clearState()
      self:resetStates()
      inner.forget(self)
      return nn.Module.clearState(self)
   end
end

local CLASSES = {
   { 'RNNReLU', 'CUDNN_RNN_RELU' }, { 'RNNTanh', 'CUDNN_RNN_TANH' }, { 'LSTM', 'CUDNN_LSTM' },
   { 'GRU', 'CUDNN_GRU' }, { 'BLSTM', 'CUDNN_LSTM', true }, { 'BGRU', 'CUDNN_GRU', true },
}

function M.install(cudnn)
   local RNN = nn.declare('cudnn.RNN', {
      arguments = [[
         inputSize       size             features in
         hiddenSize      size             features of a state
         numLayers       size = 1         one on top of the other
         batchFirst      boolean = false  input and output are N x T x ...
         (dropout)       any = 0          of the outputs of each layer but the last, in training
         rememberStates  boolean = false  begin with the states that the last call ended with
      ]],
      input = 'any', own = 'weight',
      text = '({inputSize} -> {hiddenSize}, {numLayers} layers, {mode}, {bidirectional})',
   }, cudnn)
   passes(RNN)
   require('cudnn.recurrent.methods').install(RNN)
   local initialize = RNN.__initialize
   function RNN:__initialize(...)
      initialize(self, ...)
      self:reset()
   end
   for _, entry in ipairs(CLASSES) do
      local Layer = nn.declare('cudnn.' .. entry[1], 'cudnn.RNN', {}, cudnn)
      function Layer:__initialize(...)
         self.mode = entry[2]
         initialize(self, ...)
         if entry[3] then
            self.bidirectional, self.numDirections = 'CUDNN_BIDIRECTIONAL', 2
         end
         self:reset()
      end
   end
end

return M
