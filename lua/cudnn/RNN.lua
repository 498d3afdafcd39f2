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
local packing = require 'cudnn.packing'
local seam = require 'nn.base.seam'

local M = {}

local LAYERS = {
   CUDNN_RNN_RELU = { class = 'nn.RNN', relu = true }, CUDNN_RNN_TANH = { class = 'nn.RNN' },
   CUDNN_LSTM = { class = 'nn.LSTM' }, CUDNN_GRU = { class = 'nn.GRU' },
}

local GIVEN = { 'hiddenInput', 'cellInput', 'gradHiddenOutput', 'gradCellOutput' }
local RESULTS = { 'hiddenOutput', 'cellOutput', 'gradHiddenInput', 'gradCellInput' }

-- cudnn layer -> the layer of nn that computes. No field: it is neither saved nor converted.
local inner = setmetatable({}, { __mode = 'k' })

local function class_of(self)
   local entry = LAYERS[self.mode]
   if not entry then
      check.fail(self, "mode is '%s', expected CUDNN_RNN_RELU, CUDNN_RNN_TANH, CUDNN_LSTM or "
         .. 'CUDNN_GRU', tostring(self.mode))
   end
   return torch.getmetatable(entry.class), entry.relu
end

-- Numbers in all matrices, and in all biases.
local function counts(self)
   local H, D, rows = self.hiddenSize, self.numDirections, class_of(self).gates * self.hiddenSize
   return D * rows * (self.inputSize + H + (self.numLayers - 1) * (D * H + H)),
      D * self.numLayers * 2 * rows
end

local function layer_of(self)
   local Layer, relu = class_of(self)
   local layer = inner[self]
   if not layer or getmetatable(layer) ~= Layer then
      layer = setmetatable({}, Layer)
      inner[self] = layer
   end
   local weights, biases = counts(self)
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

-- --- states -------------------------------------------------------------------------------------

local function state_size(self, N)
   return { self.numLayers * self.numDirections, N, self.hiddenSize }
end

-- What a state is before forward: the caller's, the last one, or zeros.
local function first_state(self, name, N)
   local given, last = self[name .. 'Input'], self[name .. 'Output']
   local size = torch.LongStorage(state_size(self, N))
   if self.rememberStates and last and last:isSize(size) then
      given = last:clone()
      self[name .. 'Input'] = given
   end
   if given and given:nElement() > 0 then
      check.tensor(self, self.weight, given, name .. 'Input')
      if not given:isSize(size) then
         check.fail(self, '%sInput is %s, expected %s', name, check.describe(given),
            table.concat(size:totable(), 'x'))
      end
      return given
   end
   return self.weight.new(size):zero()
end

local function keep(self, name, t)
   self[name] = check.buffer(self[name], self.weight):resizeAs(t):copy(t)
end

-- --- input --------------------------------------------------------------------------------------

local function is_packed(input)
   return type(input) == 'table' and torch.isTensor(input[1])
end

-- The table that the inner layer takes; whether batches come first.
local function read(self, input)
   local x, lengths, batchFirst = input, nil, self.batchFirst
   if is_packed(input) then
      check.tensor(self, self.weight, input[1], 'input', 1)
      x, lengths = packing.pad(input)
      batchFirst = false
   end
   check.tensor(self, self.weight, x, 'input')
   if x:dim() ~= 3 or x:size(3) ~= self.inputSize then
      check.fail(self, 'input is %s, expected %s x %d', check.describe(x),
         batchFirst and 'N x T' or 'T x N', self.inputSize)
   end
   self.seqLength, self.miniBatch = x:size(batchFirst and 2 or 1), x:size(batchFirst and 1 or 2)
   return { x, lengths = lengths }, batchFirst
end

local function with_states(self, list, layer)
   list[2] = first_state(self, 'hidden', self.miniBatch)
   list[3] = layer.states == 2 and first_state(self, 'cell', self.miniBatch) or nil
   return list
end

local function gradient_of(input, g)
   return is_packed(input) and packing.pad { g, input[2] } or g
end

-- --- the class ----------------------------------------------------------------------------------

local function methods(RNN)
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
      local weights, biases = counts(self)
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
   end

   function RNN:updateOutput(input)
      local layer = layer_of(self)
      local list, batchFirst = read(self, input)
      layer.batchFirst = batchFirst
      local y = seam.plain(layer.updateOutput)(layer, with_states(self, list, layer))
      inner[self].input = list
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
      local layer = layer_of(self)
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
      return layer, gradient_of(input, gradOutput)
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
      inner[self] = nil
      return nn.Module.clearState(self)
   end

   -- --- parameters ------------------------------------------------------------------------------

   -- Views of `rows` of each layer's matrices, or biases, as vectors.
   local function parts(self, first)
      local layer, H, all = layer_of(self), self.hiddenSize, {}
      for number = 1, self.numLayers do
         for direction = 1, self.numDirections do
            local both, list = layer:parts(number, direction == 2), {}
            for which = first, first + 1 do
               for gate = 1, layer.gates do
                  list[#list + 1] = both[which]:narrow(1, (gate - 1) * H + 1, H):view(-1)
               end
            end
            all[#all + 1] = list
         end
      end
      return all
   end

   --- The matrices: for each layer (with both directions: two for each) the vectors of the gates'
   -- matrices, those of the input first. Views of `weight`.
   -- @treturn table of tables
   function RNN:weights()
      return parts(self, 1)
   end

   --- The biases, in the same form.
   -- @treturn table of tables
   function RNN:biases()
      return parts(self, 3)
   end

   -- --- helpers ---------------------------------------------------------------------------------

   --- Sequences of different lengths as forward takes them; also `cudnn.RNN:packPaddedSequence`.
   -- @tparam Tensor input T x N x F, with batchFirst N x T x F
   -- @param lengths a number for each sequence, the longest first
   -- @bool[opt=false] batchFirst
   -- @treturn table { tensor of all steps, number of sequences at each step }
   function RNN.packPaddedSequence(_, input, lengths, batchFirst)
      return packing.pack(input, lengths, batchFirst)
   end

   --- A packed output with zeros behind the ends.
   -- @tparam table seq { tensor of all steps, number of sequences at each step }
   -- @bool[opt=false] batchFirst
   -- @return tensor T x N x F, with batchFirst N x T x F
   -- @treturn table the lengths
   function RNN.padPackedSequence(_, seq, batchFirst)
      return packing.pad(seq, batchFirst)
   end

   --- The size of the output for an input.
   -- @treturn LongStorage
   function RNN:deriveOutputSize(input)
      read(self, input)
      local size = self.batchFirst and { self.miniBatch, self.seqLength }
         or { self.seqLength, self.miniBatch }
      size[3] = self.hiddenSize * self.numDirections
      return torch.LongStorage(size)
   end

   --- Give a tensor the size of the states of the last input.
   -- @return tensor
   function RNN:resizeHidden(tensor)
      return tensor:resize(unpack(state_size(self, self.miniBatch)))
   end

   --- Both tensors without gaps.
   function RNN.makeContiguous(_, input, gradOutput)
      return input:contiguous(), gradOutput and gradOutput:contiguous()
   end

   --- Kept in the field `sync`; work on a device is in order anyway.
   function RNN:setSync(sync)
      self.sync = sync
   end

   --- Torch7's calls after a change of sizes or weights: what is derived from them is made anew.
   -- @function cudnn.RNN:resetDropoutDescriptor
   -- @function cudnn.RNN:resetRNNDescriptor
   -- @function cudnn.RNN:resetWeightDescriptor
   -- @function cudnn.RNN:resetInputDescriptor
   -- @function cudnn.RNN:resetOutputDescriptor
   -- @function cudnn.RNN:resetHiddenDescriptors
   -- @function cudnn.RNN:resetCellDescriptors
   local function forget(self)
      inner[self] = nil
   end
   for _, name in ipairs { 'Dropout', 'RNN', 'Weight', 'Input', 'Output' } do
      RNN['reset' .. name .. 'Descriptor'] = forget
   end
   RNN.resetHiddenDescriptors, RNN.resetCellDescriptors = forget, forget
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
   methods(RNN)
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
