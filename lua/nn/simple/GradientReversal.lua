--- output = input, gradInput = -lambda gradOutput: what is in front of it learns the opposite.
-- Source: Ganin et al., JMLR 17 (2016), 1-35 (arXiv:1505.07818).
-- @classmod nn.GradientReversal
-- @example
-- local layer = nn.GradientReversal(0.5)
-- layer:forward(torch.Tensor { 1, 2 }) --> { 1, 2 }
-- layer:backward(torch.Tensor { 1, 2 }, torch.ones(2)) --> { -0.5, -0.5 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local C = require('torch.ffi').C

local GradientReversal = nn.declare('nn.GradientReversal', {
   arguments = 'lambda  number = 1  how strongly the gradient is reversed',
   version = 2,
})

--- Change lambda.
function GradientReversal:setLambda(lambda)
   check.number(self, lambda, 'lambda')
   self.lambda = lambda
end

function GradientReversal:__computeOutput(y, x)
   check.status(self, C.TH_alias(y, x))
   return y
end

-- Within a record that is differentiated itself: x, whose derivative is -lambda.
function GradientReversal:__recorded(x)
   return torch.add(x:detach() * (1 + self.lambda), -self.lambda, x)
end

function GradientReversal:__computeGradInput(gx, _, g)
   return gx:resizeAs(g):mul(g, -self.lambda)
end
