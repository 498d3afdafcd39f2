--- A table of tensors, joined along a dimension.
-- @classmod nn.JoinTable
-- @usage nn.JoinTable(1, 1):forward { torch.Tensor(4, 2), torch.Tensor(4, 3) } -- 4 x 5

local torch = require 'torch'
local nn = require 'nn'

local JoinTable = nn.declare('nn.JoinTable', {
   arguments = [[
      dimension   number   counted in one sample; -1 is the last
      nInputDims  number?  dimensions of one sample: inputs with one more are batches
   ]],
   input = 'table',
})

function JoinTable:__initialize()
   self.gradInput = {}
end

-- The dimension of the tensors as they come.
local function dimension_of(self, x)
   local dims = x[1]:dim()
   if self.dimension < 0 then
      return dims + self.dimension + 1
   end
   return self.dimension + (self.nInputDims and dims == self.nInputDims + 1 and 1 or 0)
end

function JoinTable:__computeOutput(y, x)
   return torch.cat(y, x, dimension_of(self, x))
end

function JoinTable:__computeGradInput(gx, x, g)
   local dimension, first = dimension_of(self, x), 1
   for i = 1, #x do
      local size = x[i]:size(dimension)
      gx[i] = (gx[i] or g.new()):resizeAs(x[i]):copy(g:narrow(dimension, first, size))
      first = first + size
   end
   for i = #x + 1, #gx do
      gx[i] = nil
   end
   return gx
end
