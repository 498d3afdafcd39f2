--- Slices of one value, added to the input along a dimension.
-- @classmod nn.Padding
-- @example nn.Padding(1, -2):forward(torch.Tensor { 5, 6 }) --> { 0, 0, 5, 6 }

local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'

local Padding = nn.declare('nn.Padding', {
   arguments = [[
      dim        integer     the dimension
      pad        integer     how many slices; negative: in front, positive: behind
      nInputDim  integer?    dimensions of one sample: an input with one more is a batch
      value      number = 0  what they hold
      index      size = 1    1: at the very end; n: n-1 slices of the input further in
   ]],
})

-- Call f(part of the padded tensor, the same part of the input), for the parts in front of the
-- padding and behind it.
local function each_part(self, padded, x, f)
   local d = dimension.of(self, x, self.dim, self.nInputDim)
   local size, count = x:size(d), math.abs(self.pad)
   local before = self.pad > 0 and size - self.index + 1 or self.index - 1
   if before < 0 or before > size then
      check.fail(self, 'input is %s, expected a size of %d or more in dimension %d',
         check.describe(x), self.index - 1, d)
   end
   if before > 0 then
      f(padded:narrow(d, 1, before), x:narrow(d, 1, before))
   end
   if before < size then
      f(padded:narrow(d, before + count + 1, size - before), x:narrow(d, before + 1, size - before))
   end
end

local function put(padded, x)
   padded:copy(x)
end

local function take(padded, x)
   x:copy(padded)
end

local function padded_size(self, x)
   local size, d = x:size(), dimension.of(self, x, self.dim, self.nInputDim)
   size[d] = size[d] + math.abs(self.pad)
   return size
end

function Padding:__computeOutput(y, x)
   y:resize(padded_size(self, x)):fill(self.value)
   each_part(self, y, x, put)
   return y
end

function Padding:__computeGradInput(gx, x, g)
   gx:resizeAs(x)
   if not g:isSize(padded_size(self, x)) then
      check.fail(self, 'gradOutput is %s, expected the size of the output', check.describe(g))
   end
   each_part(self, g, gx, take)
   return gx
end
