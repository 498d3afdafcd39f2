--- output = input, the very same object; gradInput = gradOutput.
-- @classmod nn.Identity

local nn = require 'nn'
local nested = require 'nn.nested'

local Identity = nn.declare('nn.Identity', { input = 'any' })

-- By hand, for it needs no buffer.
function Identity:updateOutput(input)
   self.output = input
   return input
end

function Identity.__computeGradInput(_, _, _, gradOutput)
   return gradOutput
end

-- The buffers are the user's tensors: let go of them, do not empty them.
function Identity:clearState()
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   return self
end
