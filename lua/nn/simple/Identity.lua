--- output = input, the very same object; gradInput = gradOutput.
-- @classmod nn.Identity
-- @example nn.Identity():forward(torch.Tensor { 1, 2 }) --> { 1, 2 }

local nn = require 'nn'
local nested = require 'nn.nested'

local Identity = nn.declare('nn.Identity', { input = 'any' })

-- Both by hand, for they need no buffers.
function Identity:updateOutput(input)
   self.output = input
   return input
end

-- What comes may be nil, and something again at the next call.
function Identity:updateGradInput(_, gradOutput)
   self.gradInput = gradOutput
   return gradOutput
end

-- The buffers are the user's tensors: let go of them, do not empty them.
function Identity:clearState()
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   return self
end
