--- The sum along a dimension, or the mean.
-- @classmod nn.Sum
-- @example nn.Sum(2):forward(torch.Tensor { { 1, 5 }, { 4, 2 } }) --> { 6, 6 }

local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local C = th.C

local Sum = nn.declare('nn.Sum', {
   arguments = [[
      dimension    integer = 1      negative: counted from the last
      nInputDims   integer?         dimensions of one sample: an input with one more is a batch
      sizeAverage  boolean = false  true: the mean instead of the sum
      squeeze      boolean = true   false: the output keeps the dimension, with size 1
   ]],
})

--- Which dimension of an input the layer adds up along.
-- @tparam Tensor input
-- @return from 1 on
function Sum:_getPositiveDimension(input)
   return dimension.of(self, input, self.dimension, self.nInputDims)
end

function Sum:__computeOutput(y, x)
   local d = self:_getPositiveDimension(x)
   y = (self.sizeAverage and ops.mean or ops.sum)(self, y, x, d - 1)
   if self.squeeze and x.ndim > 1 then
      check.status(self, C.TH_select(y, y, d - 1, 0))
   end
   return y
end

function Sum:__computeGradInput(gx, x, g)
   local d = self:_getPositiveDimension(x)
   local size = x:size(d)
   if g:nElement() * size ~= x:nElement() then
      check.fail(self, 'gradOutput is %s, expected the size of the output', check.describe(g))
   end
   if self.squeeze and x.ndim > 1 then
      local view = th.like(g)
      check.status(self, C.TH_unsqueeze(view, g, d - 1))
      g = view
   end
   gx:resizeAs(x):copy(g:expandAs(x))
   return self.sizeAverage and gx:div(size) or gx
end
