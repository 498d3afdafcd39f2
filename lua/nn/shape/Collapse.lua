--- The dimensions of a sample as one: `nn.View(-1)` that leaves the batch alone.
-- @classmod nn.Collapse
-- @example nn.Collapse(3):forward(torch.Tensor(8, 3, 4, 5)):size() --> { 8, 60 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Collapse = nn.declare('nn.Collapse', 'nn.SameElements', {
   arguments = 'nInputDim  size  dimensions of one sample: the last ones of the input',
})

function Collapse:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   local kept = x.ndim - self.nInputDim
   if kept < 0 then
      check.fail(self, 'input is %s, expected %d dimensions or more', check.describe(x),
         self.nInputDim)
   end
   local size, product = torch.LongStorage(kept + 1), 1
   for d = 1, x.ndim do
      if d <= kept then
         size[d] = x:size(d)
      else
         product = product * x:size(d)
      end
   end
   size[kept + 1] = product
   return y:view(check.contiguous(self, '_input', x), size)
end
