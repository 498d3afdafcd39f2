--- The elements of the input, in row-major order, in another shape; copies an input with gaps.
-- @classmod nn.Reshape
-- @example #nn.Reshape(6):forward(torch.randn(5, 2, 3)) --> { 5, 6 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Reshape = nn.declare('nn.Reshape', 'nn.SameElements', {
   arguments = [[
      size       sizes     those of one sample
      batchMode  boolean?  true: the first dimension is the batch; false: there is no batch; nil:
      -- there is one unless the element count is that of one sample and the first size is not 1
   ]],
   text = '({size/x})',
})

function Reshape:__initialize(size)
   self.batchsize = torch.LongStorage(#size + 1)
   self.nelement = 1
   for i, n in ipairs(size:totable()) do
      self.nelement = self.nelement * n
      self.batchsize[i + 1] = n
   end
end

-- The sizes and number of elements that the output is to have.
local function wanted(self, x)
   local single = x:nElement() == self.nelement
   if self.batchMode == false or (self.batchMode == nil and single and x:size(1) ~= 1) then
      return self.size, self.nelement
   end
   self.batchsize[1] = x:size(1)
   return self.batchsize, self.nelement * x:size(1)
end

function Reshape:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   local size, elements = wanted(self, x)
   if elements ~= x:nElement() then
      check.fail(self, 'input is %s (%d elements), expected %s (%d elements)', check.describe(x),
         x:nElement(), table.concat(size:totable(), 'x'), elements)
   end
   return y:view(check.contiguous(self, '_input', x), size)
end
