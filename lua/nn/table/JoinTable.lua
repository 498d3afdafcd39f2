--- A table of tensors, joined along a dimension.
-- @classmod nn.JoinTable
-- @usage nn.JoinTable(1, 1):forward { torch.Tensor(4, 2), torch.Tensor(4, 3) } -- 4 x 5
-- @example nn.JoinTable(1):forward { torch.Tensor { 1, 2 }, torch.Tensor { 3 } } --> { 1, 2, 3 }

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local dimension = require 'nn.base.dimension'

local JoinTable = nn.declare('nn.JoinTable', {
   arguments = [[
      dimension   integer  counted in one sample; -1 is the last
      nInputDims  integer? dimensions of one sample: inputs with one more are batches
   ]],
   input = 'table',
})

function JoinTable:__initialize()
   self.gradInput = {}
end

--- The dimension of the tensors as they come.
-- @tparam table input
-- @treturn int
function JoinTable:_getPositiveDimension(input)
   return dimension.of(self, input[1], self.dimension, self.nInputDims)
end

function JoinTable:__computeOutput(y, x)
   return torch.cat(y, x, self:_getPositiveDimension(x))
end

function JoinTable:__computeGradInput(gx, x, g)
   local d, first = self:_getPositiveDimension(x), 1
   for i = 1, #x do
      local size = x[i]:size(d)
      gx[i] = (gx[i] or g.new()):resizeAs(x[i]):copy(g:narrow(d, first, size))
      first = first + size
   end
   return nested.truncate(gx, #x)
end
