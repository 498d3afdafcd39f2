--- output = input, the very same object; gradInput = gradOutput.
-- @classmod nn.Identity

local torch = require 'torch'
local nn = require 'nn'

local Identity = torch.class('nn.Identity', 'nn.Module', nn)

function Identity:__init()
   nn.Module.__init(self)
end

function Identity:updateOutput(input)
   self.output = input
   return input
end

function Identity:updateGradInput(_, gradOutput)
   self.gradInput = gradOutput
   return gradOutput
end

-- The buffers are the user's tensors: let go of them, do not empty them.
function Identity:clearState()
   self.output = torch.isTensor(self.output) and self.output.new() or {}
   self.gradInput = torch.isTensor(self.gradInput) and self.gradInput.new() or {}
   return self
end
