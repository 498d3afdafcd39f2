--- The input without a dimension of size 1, or without all of them; a view.
-- @classmod nn.Squeeze
-- @example nn.Squeeze():forward(torch.Tensor(2, 1, 3, 1)):size() --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local C = require('torch.ffi').C

local Squeeze = nn.declare('nn.Squeeze', 'nn.SameElements', {
   arguments = [[
      dim           integer? the dimension; nil: all of size 1. One of another size stays
      numInputDims  integer? dimensions of one sample: an input with one more is a batch, which
      -- keeps its first dimension
   ]],
})

--- Say how many dimensions one sample has: an input with one more is a batch.
-- @int[opt] numInputDims
-- @return self
function Squeeze:setNumInputDims(numInputDims)
   self.numInputDims = numInputDims
   return self
end

function Squeeze:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   local dims = self.numInputDims
   if self.dim then
      check.status(self, C.TH_squeeze(y, x, dimension.of(self, x, self.dim, dims) - 1))
      return y
   end
   check.status(self, C.TH_squeeze(y, x, -1))
   if dims and x.ndim == dims + 1 and x:size(1) == 1 and x:nElement() > 1 then
      check.status(self, C.TH_unsqueeze(y, y, 0)) -- the batch, of one sample
   end
   return y
end

function Squeeze:__tostring__()
   return torch.typename(self) .. (self.dim and ('(%d)'):format(self.dim) or '')
end
