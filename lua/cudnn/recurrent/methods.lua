--- Methods of cudnn's recurrent layers beside the passes: views of parameters, packed sequences,
-- sizes.
-- @module cudnn.recurrent.methods

local torch = require 'torch'
local inner = require 'cudnn.recurrent.inner'
local operands = require 'cudnn.recurrent.operands'
local packing = require 'cudnn.recurrent.packing'

local M = {}

function M.install(RNN)
   -- --- parameters ------------------------------------------------------------------------------

   -- Views of `rows` of each layer's matrices, or biases, as vectors.
   local function parts(self, first)
      local layer, H, all = inner.of(self), self.hiddenSize, {}
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
      operands.read(self, input)
      local size = self.batchFirst and { self.miniBatch, self.seqLength }
         or { self.seqLength, self.miniBatch }
      size[3] = self.hiddenSize * self.numDirections
      return torch.LongStorage(size)
   end

   --- Give a tensor the size of the states of the last input.
   -- @return tensor
   function RNN:resizeHidden(tensor)
      return tensor:resize(unpack(operands.state_size(self, self.miniBatch)))
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
   for _, name in ipairs { 'Dropout', 'RNN', 'Weight', 'Input', 'Output' } do
      RNN['reset' .. name .. 'Descriptor'] = inner.forget
   end
   RNN.resetHiddenDescriptors, RNN.resetCellDescriptors = inner.forget, inner.forget
end

return M
