--- What cudnn's recurrent layers are given: sequences, packed or not, and states in fields.
-- @module cudnn.recurrent.operands

local torch = require 'torch'
local check = require 'nn.check'
local packing = require 'cudnn.recurrent.packing'

local M = {}

-- --- states -------------------------------------------------------------------------------------

--- The size of states of N sequences.
function M.state_size(self, N)
   return { self.numLayers * self.numDirections, N, self.hiddenSize }
end

-- What a state is before forward: the caller's, the last one, or zeros.
local function first_state(self, name, N)
   local given, last = self[name .. 'Input'], self[name .. 'Output']
   local size = torch.LongStorage(M.state_size(self, N))
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

--- Keep a copy of a tensor in a field.
function M.keep(self, name, t)
   self[name] = check.buffer(self[name], self.weight):resizeAs(t):copy(t)
end

-- --- input --------------------------------------------------------------------------------------

--- Whether an input is what packPaddedSequence makes.
function M.is_packed(input)
   return type(input) == 'table' and torch.isTensor(input[1])
end

--- The table that the inner layer takes, without states; whether batches come first.
function M.read(self, input)
   local x, lengths, batchFirst = input, nil, self.batchFirst
   if M.is_packed(input) then
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

--- That table with states to begin with.
function M.with_states(self, list, layer)
   list[2] = first_state(self, 'hidden', self.miniBatch)
   list[3] = layer.states == 2 and first_state(self, 'cell', self.miniBatch) or nil
   return list
end

--- The gradient of an output, as the inner layer takes it.
function M.gradient(input, g)
   return M.is_packed(input) and packing.pad { g, input[2] } or g
end

return M
