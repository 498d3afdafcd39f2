--- output = input, the very same object; the gradient is zero: what is in front does not learn.
-- @classmod nn.ZeroGrad
-- @example
-- local layer = nn.ZeroGrad()
-- layer:forward(torch.Tensor { 1, 2 }) --> { 1, 2 }
-- layer:backward(torch.Tensor { 1, 2 }, torch.ones(2)) --> { 0, 0 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local ZeroGrad = nn.declare('nn.ZeroGrad', 'nn.Identity', {})

ZeroGrad.__ignoresInput = true -- for nn.base.recomputed

-- Within a record that is differentiated itself: nothing goes back.
function ZeroGrad.__recorded(_, input)
   return nested.map(function(x)
      return torch.isTensor(x) and x:detach() or x
   end, input)
end

local function zero(gx, x)
   return torch.isTensor(x) and check.buffer(gx, x):resizeAs(x):zero() or nil
end

function ZeroGrad:updateGradInput(input, _)
   self.gradInput = nested.into(zero, self.gradInput, input)
   return self.gradInput
end
