--- The input in memory without gaps: itself, or a copy; likewise the gradient.
-- @classmod nn.Contiguous
-- @example nn.Contiguous():forward(torch.randn(2, 3):t()):isContiguous() --> true

local nn = require 'nn'
local check = require 'nn.check'
local C = require('torch.ffi').C

local Contiguous = nn.declare('nn.Contiguous', 'nn.SameElements', {})

function Contiguous:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   check.status(self, C.TH_alias(y, check.contiguous(self, '_input', x)))
   return y
end
