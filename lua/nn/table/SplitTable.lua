--- A tensor as the table of its slices along a dimension: views, without that dimension.
-- @classmod nn.SplitTable
-- @example #nn.SplitTable(1):forward(torch.Tensor(3, 4)) --> 3
-- @usage nn.SplitTable(1, 2):forward(torch.Tensor(10, 3, 4)) -- 3 tensors of 10 x 4

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'

local SplitTable = nn.declare('nn.SplitTable', 'nn.Routing', {
   arguments = [[
      dimension   integer  counted in one sample; -1 is the last
      nInputDims  integer? dimensions of one sample: an input with one more is a batch
   ]],
})

function SplitTable:__initialize()
   self.output, self.gradInput = torch.Tensor(), torch.Tensor()
end

--- The dimension to split of a tensor as it comes.
-- @tparam Tensor input
-- @treturn int
function SplitTable:_getPositiveDimension(input)
   return dimension.of(self, input, self.dimension, self.nInputDims)
end

local function dimension_of(self, x)
   check.any_tensor(self, x, 'input')
   if x:dim() == 1 then
      check.fail(self, 'input is %s, expected 2 dimensions or more', check.describe(x))
   end
   return self:_getPositiveDimension(x)
end

function SplitTable:__computeOutput(_, x)
   local d, y = dimension_of(self, x), {}
   for i = 1, x:size(d) do
      y[i] = x:select(d, i)
   end
   return y
end

function SplitTable:__computeGradInput(gx, x, g)
   local d = dimension_of(self, x)
   check.entries(self, g, 'gradOutput', x:size(d), 'tensors')
   if not gx.resizeAs then
      gx = x.new()
   end
   gx:resizeAs(x)
   for i = 1, x:size(d) do
      gx:select(d, i):copy(g[i])
   end
   return gx
end
