--- y = x + b, with a learnt number for each element of a sample, or one for all.
--
-- Shapes: x is N x ... or a single sample; b has as many elements as a sample, or one.
-- @classmod nn.Add
-- @example #nn.Add(3):forward(torch.randn(5, 3)) --> { 5, 3 }

local nn = require 'nn'
local check = require 'nn.check'

local Add = nn.declare('nn.Add', 'nn.Weighted', {
   arguments = [[
      (inputSize)  size  elements of a sample
      scalar       any?  true, or anything else: one number for all elements
   ]],
   own = 'bias',
})

function Add:__initialize(inputSize, scalar)
   self:__addWeights(nil, { scalar and 1 or inputSize })
end

-- The samples of a tensor as rows of b's size.
local function rows(self, x)
   if x:nElement() % self.bias:nElement() ~= 0 then
      check.fail(self, 'input is %s, expected samples of %d elements', check.describe(x),
         self.bias:nElement())
   end
   return (x:isContiguous() and x or x:contiguous()):view(-1, self.bias:nElement())
end

function Add:__computeOutput(y, x)
   rows(self, y:resizeAs(x):copy(x)):add(self.bias:view(1, -1):expand(
      x:nElement() / self.bias:nElement(), self.bias:nElement()))
   return y
end

function Add.__computeGradInput(_, gx, x, g)
   return gx:resizeAs(x):copy(g)
end

function Add:__computeGradParameters(_, g, scale)
   self.gradBias:add(scale, rows(self, g):sum(1):view(-1))
end
