--- Every module gets the input; their outputs are joined along a dimension.
-- @classmod nn.Concat
-- @usage nn.Concat(2):add(nn.Linear(5, 3)):add(nn.Linear(5, 4)):forward(x) -- N x 5 -> N x 7
-- @example
-- local net = nn.Concat(2):add(nn.Linear(4, 3)):add(nn.Linear(4, 5))
-- #net:forward(torch.randn(2, 4)) --> { 2, 8 }

local torch = require 'torch'
local nn = require 'nn'
local joined = require 'nn.containers.joined'

local Concat = nn.declare('nn.Concat', 'nn.ConcatTable', {
   arguments = 'dimension  size?  along which outputs are joined; nil: only to hold modules',
})

function Concat:__initialize()
   self.output = torch.Tensor()
   self.outputSize = torch.LongStorage() -- a field of Torch7's
end

function Concat:__join(outputs)
   joined.require_dimension(self, 'dimension')
   torch.cat(self.output, outputs, self.dimension)
   self.outputSize = self.output:size()
   return self.output
end

--- The part of the gradient that lies where the output of module i does.
function Concat:__gradOutputOf(gradOutput, i)
   return joined.part(self, self.dimension, i, gradOutput)
end
