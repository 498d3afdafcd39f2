--- One slice of the input along a dimension, which the output lacks; a copy.
-- @classmod nn.Select
-- @example nn.Select(1, -1):forward(torch.Tensor { { 1, 2 }, { 3, 4 } }) --> { 3, 4 }

local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local C = require('torch.ffi').C

local Select = nn.declare('nn.Select', 'nn.Part', {
   arguments = [[
      dimension  integer negative: counted from the last
      index      integer which slice; negative: counted from the last
   ]],
})

function Select:__part(r, x)
   local d, index = dimension.of(self, x, self.dimension), self.index
   local size = x:size(d)
   local i = index < 0 and size + index + 1 or index
   if i < 1 or i > size then
      check.fail(self, 'input is %s, expected a size of %d or more in dimension %d',
         check.describe(x), math.abs(index), d)
   end
   check.status(self, C.TH_select(r, x, d - 1, i - 1))
   return r
end
