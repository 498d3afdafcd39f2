--- What nn.RNN, nn.LSTM and nn.GRU share: whole sequences in one call, in several layers and both
-- directions, from given states, of different lengths, with states kept from call to call.
--
-- Input: the sequences x, of size T x N x inputSize (steps, sequences, features), with `batchFirst`
-- N x T x inputSize, or one sequence T x inputSize. Or a table { x, states to begin with... }, h0
-- (of nn.LSTM also c0) of size layers x N x hiddenSize, both directions of a layer one after the
-- other; with `lengths`, a LongTensor or table of N, in it where the sequences end before T: their
-- outputs are 0 from there on. The gradient is of the same form.
--
-- Output: h of the last layer at every step, T x N x hiddenSize, twice as wide with both
-- directions. `finalState()` returns the last states, in the form of those to begin with.
--
-- Truncated backpropagation through time: with `remember(true)` a call begins with the states that
-- the last one ended with, and gradients stop there; `forget()` begins anew.
--
-- Parameters have PyTorch's order, so that weights can be exchanged: `weight` is all weights in one
-- vector, `bias` all biases; `parts(layer[, reverse])` gives the views weight_ih (gates *
-- hiddenSize x inputs), weight_hh (gates * hiddenSize x hiddenSize), bias_ih and bias_hh of a
-- layer. All start uniform in ±1/sqrt(hiddenSize).
-- @classmod nn.Recurrence

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local types = require 'torch.types'
local sequences = require 'nn.recurrent.sequences'
local states_of = require 'nn.recurrent.states'
local th = require 'torch.ffi'

local C, LAST = th.C, states_of.LAST

local Recurrence = nn.declare('nn.Recurrence', 'nn.Weighted', {
   arguments = [[
      inputSize      size             features in
      hiddenSize     size             features of a state
      numLayers      size = 1         one on top of the other
      (bias)         boolean = true   with biases
      batchFirst     boolean = false  x is N x T x inputSize
      dropout        number = 0       of the outputs of each layer but the last, in training
      bidirectional  boolean = false  each layer runs from both ends
   ]],
   input = 'any',
   own = 'weight',
   joint = true,
   text = '({inputSize} -> {hiddenSize}<, {numLayers} layers><, bidirectional {bidirectional}>)',
})

-- What a class says: gates in a state, and states beside h.
Recurrence.gates = 1
Recurrence.states = 1
Recurrence.__drawn = 'noises' -- of dropout; for nn.base.recomputed

function Recurrence:__initialize(inputs, hidden, layers, bias, _, dropout)
   if dropout < 0 or dropout >= 1 then
      check.fail(self, 'dropout is %s, must be 0 <= p < 1', tostring(dropout))
   end
   self.train = true
   local directions, rows = self:__directions(), self.gates * hidden
   local weights = directions * rows
      * (inputs + hidden + (layers - 1) * (directions * hidden + hidden))
   self:__addWeights({ weights }, bias and { directions * layers * 2 * rows })
end

function Recurrence:__fanIn()
   return self.hiddenSize
end

function Recurrence:__directions()
   return self.bidirectional and 2 or 1
end

-- --- parameters ---------------------------------------------------------------------------------

-- Views of a vector for each layer and direction; kept as long as the vector lies where it did.
local function weight_views(self, vector)
   local list, at, rows, directions = {}, 1, self.gates * self.hiddenSize, self:__directions()
   for k = 1, self.numLayers * directions do
      local inputs = k <= directions and self.inputSize or directions * self.hiddenSize
      local ih = vector:narrow(1, at, rows * inputs):view(rows, inputs)
      at = at + rows * inputs
      list[k] = { ih, vector:narrow(1, at, rows * self.hiddenSize):view(rows, self.hiddenSize) }
      at = at + rows * self.hiddenSize
   end
   return list
end

local function bias_views(self, vector)
   local list, rows = {}, self.gates * self.hiddenSize
   for k = 1, self.numLayers * self:__directions() do
      local first = (k - 1) * 2 * rows + 1
      list[k] = { vector:narrow(1, first, rows), vector:narrow(1, first + rows, rows) }
   end
   return list
end

local known = setmetatable({}, { __mode = 'k' }) -- layer -> field -> views
local none = setmetatable({}, { __index = function() return {} end })

local function views(self, field, make)
   local vector, mine = self[field], known[self]
   if not vector then
      return none
   elseif not mine then
      mine = {}
      known[self] = mine
   end
   local entry = mine[field]
   if not entry or entry.store ~= vector.store or entry.offset ~= vector.offset then
      entry = { store = vector.store, offset = vector.offset, list = make(self, vector) }
      mine[field] = entry
   end
   return entry.list
end

--- The parameters of a layer, as PyTorch has them.
-- @int layer from 1
-- @bool[opt] reverse of its second direction
-- @treturn table { weight_ih, weight_hh, bias_ih, bias_hh }: views of `weight` and `bias`
-- @treturn table their gradients
-- @example
-- local net = nn.LSTM(3, 2)
-- net:parts(1)[1]:size():totable() --> { 8, 3 }
function Recurrence:parts(layer, reverse)
   local k = (layer - 1) * self:__directions() + (reverse and 2 or 1)
   local function parts(weight, bias)
      local W, b = views(self, weight, weight_views)[k], views(self, bias, bias_views)[k]
      if not W then
         check.fail(self, 'no layer %d%s, there are %d', layer, reverse and ' in reverse' or '',
            self.numLayers)
      end
      return { W[1], W[2], b[1], b[2] }
   end
   return parts('weight', 'bias'), parts('gradWeight', 'gradBias')
end

-- --- input --------------------------------------------------------------------------------------

-- x, and the states to begin with.
local function checked(self, input)
   local x = check.first(self, input)
   check.tensor(self, self.weight, x, 'input')
   local dims = x.ndim
   if (dims ~= 2 and dims ~= 3) or tonumber(x.sizes[dims - 1]) ~= self.inputSize then
      check.fail(self, 'input is %s, expected %s x %d or T x %d', check.describe(x),
         self.batchFirst and 'N x T' or 'T x N', self.inputSize, self.inputSize)
   elseif th.isTensor(input) or not input[2] then
      return x
   end
   local N = dims == 2 and 1 or x:size(self.batchFirst and 1 or 2)
   for i = 1, self.states do
      states_of.check(self, input[i + 1], i, N)
   end
   return x, { input[2], input[3] }
end

-- x as T x N x F, the states to begin with, and the lengths.
local function read(self, input)
   local x, states = checked(self, input)
   local lengths = not th.isTensor(input) and input.lengths or nil
   if x.ndim == 2 then
      x = (x:isContiguous() and x or x:contiguous()):view(x:size(1), 1, x:size(2))
   elseif self.batchFirst then
      x = x:transpose(1, 2)
   end
   local kept = self.kept
   if not states and kept
      and (kept == LAST and self.saved[1].y or kept[1]).sizes[1] == x.sizes[1] then
      states = kept
   end
   if lengths then
      lengths = sequences.lengths(self, lengths, x)
   end
   return x, states, lengths
end

-- A gradient or output of T x N x F in the form of the input.
local function arrange(self, buffer, y, like)
   local tensor = th.isTensor(like) and like or like[1]
   if tensor.ndim == 2 then
      return buffer:resize(y:size(1), y:size(3)):copy(y)
   elseif self.batchFirst then
      return buffer:resize(y:size(2), y:size(1), y:size(3)):copy(y:transpose(1, 2))
   end
   return buffer:resizeAs(y):copy(y)
end

-- --- forward ------------------------------------------------------------------------------------

-- What a direction of a layer keeps for its gradients.
local function buffers(self, k, x)
   local saved = self.saved
   if not saved then
      saved = {}
      self.saved = saved
   end
   local s = saved[k]
   if not s then
      s = { y = x.new(), c = x.new(), gates = x.new(), h0 = x.new(), c0 = x.new() }
      saved[k] = s
   end
   return s
end

-- The states that the call before ended with stay where they are: what it wrote changes places with
-- what this call writes, and h0 and c0 are views. `begun` counts the directions where that has
-- happened until the call is through.
local function begin_with_last(self, s)
   local last = s.reverse and 0 or s.y.sizes[0] - 1
   states_of.exchange(s)
   self.begun = self.begun + 1
   th.check(C.TH_select(s.h0, s.y_before, 0, last))
   if self.states == 2 then
      th.check(C.TH_select(s.c0, s.c_before, 0, last))
   end
end

local function begin_with(self, s, states, k)
   s.has_state = states ~= nil
   if states == LAST then
      begin_with_last(self, s)
   elseif states then
      local h = states[1]:select(1, k)
      s.h0:resizeAs(h):copy(h)
      if states[2] then
         s.c0:resizeAs(h):copy(states[2]:select(1, k))
      end
   end
end

-- One direction of a layer.
local function run(self, k, x, states, lengths, reverse)
   local s = buffers(self, k, x)
   local W, b = views(self, 'weight', weight_views)[k], views(self, 'bias', bias_views)[k]
   begin_with(self, s, states, k)
   s.x = x
   if reverse and lengths then
      s.x, reverse = sequences.reversed(x, lengths), false
   end
   s.reverse = reverse
   self:__run(s, s.x, s.has_state and s.h0 or nil, s.has_state and s.c0 or nil, W[1], W[2], b[1],
      b[2], lengths, reverse)
   return s.y
end

local function drop(self, k, y)
   local s = self.saved[k]
   s.drops = self.dropout > 0 and self.train ~= false -- what backward goes by
   if not s.drops then
      return y
   end
   self.noises = self.noises or {}
   local noise = self.noises[k] or y.new()
   if not self.again then
      noise:resizeAs(y):bernoulli(1 - self.dropout):div(1 - self.dropout)
      self.noises[k] = noise
   end
   s.dropped = (s.dropped or y.new()):resizeAs(y):cmul(y, noise)
   return s.dropped
end

function Recurrence:__computeOutput(output, input)
   states_of.begin(self)
   local x, states, lengths = read(self, input)
   local directions, y = self:__directions(), nil
   self.lengths = lengths
   for layer = 1, self.numLayers do
      local k = (layer - 1) * directions + 1
      y = run(self, k, x, states, lengths, false)
      if directions == 2 then
         local back = run(self, k + 1, x, states, lengths, true)
         if lengths then
            back = sequences.reversed(back, lengths)
         end
         local s = self.saved[k]
         s.both = torch.cat(s.both or y.new(), y, back, 3)
         y = s.both
      end
      if layer < self.numLayers then
         y = drop(self, k, y)
      end
      x = y
   end
   self.begun = 0
   if self.remembering then
      self.kept = lengths and { states_of.final(self) } or LAST
   elseif self.kept then -- of `recall`, for this call
      self.kept = nil
   end
   return arrange(self, output, y, input) -- a copy: layers behind may write over it
end

-- --- backward -----------------------------------------------------------------------------------

-- Both gradients of one direction; gx and the parameters' gradients may be nil.
local function back(self, k, gx, gy, gc, wanted, scale)
   local s = self.saved[k]
   local W = views(self, 'weight', weight_views)[k]
   local gW = wanted and views(self, 'gradWeight', weight_views)[k] or none[1]
   local gb = wanted and views(self, 'gradBias', bias_views)[k] or none[1]
   s.gh0, s.gc0 = s.gh0 or gy.new(), s.gc0 or gy.new()
   self:__back(s, gx, gW, gb, gy, gc, W, self.lengths, s.reverse, scale)
end

-- What is added to a direction's gradient where somebody used its final state.
local function with_final(self, k, gy)
   local final = self.gradFinal
   if not final then
      return gy, nil
   end
   local s = self.saved[k]
   gy = gy:clone()
   if self.lengths then
      sequences.add_to_last(gy, final[1][k], self.lengths)
   else
      gy:select(1, s.reverse and 1 or gy:size(1)):add(final[1][k])
   end
   return gy, final[2] and final[2][k]
end

local function direction_back(self, k, gx, g, wanted, scale)
   local s = self.saved[k]
   local second = self.bidirectional and k % 2 == 0
   local gy = g
   if self.bidirectional then
      gy = g:narrow(3, second and self.hiddenSize + 1 or 1, self.hiddenSize):contiguous()
      if second and self.lengths then
         gy = sequences.reversed(gy, self.lengths)
      end
   end
   local gc
   gy, gc = with_final(self, k, gy)
   s.gx = gx and (s.gx or g.new()) or nil
   back(self, k, s.gx, gy, gc, wanted, scale)
   if gx and second and self.lengths then
      return sequences.reversed(s.gx, self.lengths)
   end
   return s.gx
end

-- gradInput of the lowest layer, or nil, as T x N x F.
local function all_back(self, input, gradOutput, wants_input, wanted, scale)
   local x = checked(self, input)
   check.kept(self, self.saved)
   check.count(self, x, self.saved[1].x, 'input')
   check.tensor(self, self.weight, gradOutput, 'gradOutput')
   check.count(self, gradOutput, self.output, 'gradOutput')
   local g = gradOutput
   if x.ndim == 2 then
      g = g:contiguous():view(x:size(1), 1, -1)
   elseif self.batchFirst then
      g = g:transpose(1, 2)
   end
   g = g:contiguous()
   local directions = self:__directions()
   for layer = self.numLayers, 1, -1 do
      local k = (layer - 1) * directions + 1
      local s = self.saved[k]
      if layer < self.numLayers and s.drops then
         g = g:cmul(self.noises[k])
      end
      local wants = wants_input or layer > 1
      local gx = direction_back(self, k, wants, g, wanted, scale)
      if directions == 2 then
         local other = direction_back(self, k + 1, wants, g, wanted, scale)
         if wants then
            gx:add(other)
         end
      end
      g = gx
   end
   return g
end

-- The gradients of the states that the input began with.
local function state_gradients(self, gradInput, input)
   for i = 1, self.states do
      local state = input[i + 1]
      local g = (gradInput[i + 1] or state.new()):resizeAs(state)
      for k, s in ipairs(self.saved) do
         g[k]:copy(i == 1 and s.gh0 or s.gc0)
      end
      gradInput[i + 1] = g
   end
end

local function input_gradient(self, gradInput, input, g)
   if th.isTensor(input) then
      gradInput = th.isTensor(gradInput) and gradInput or g.new()
      if not self.batchFirst and input.ndim == 3 then
         return gradInput:set(g)
      end
      return arrange(self, gradInput, g, input)
   end
   gradInput = type(gradInput) == 'table' and gradInput or {}
   gradInput[1] = arrange(self, gradInput[1] or g.new(), g, input)
   if input[2] then
      state_gradients(self, gradInput, input)
   else
      gradInput[2], gradInput[3] = nil, nil
   end
   return gradInput
end

function Recurrence:__computeBackward(gradInput, input, gradOutput, scale)
   local g = all_back(self, input, gradOutput, gradInput ~= nil, true, scale)
   return gradInput and input_gradient(self, gradInput, input, g)
end

function Recurrence:__computeGradInput(gradInput, input, gradOutput)
   local g = all_back(self, input, gradOutput, true, false, 1)
   return input_gradient(self, gradInput, input, g)
end

function Recurrence:__computeGradParameters(input, gradOutput, scale)
   all_back(self, input, gradOutput, false, true, scale)
end

--- Free the buffers; the states that are remembered stay.
function Recurrence:clearState()
   if types.variables then
      require('nn.base.twins').clear(self)
   end
   self.kept = self:remembered()
   self.saved, self.noises, self.lengths, self.gradFinal = nil, nil, nil, nil
   self.output, self.gradInput = self.weight.new(), self.weight.new()
   return self
end

require 'nn.recurrent.memory'
