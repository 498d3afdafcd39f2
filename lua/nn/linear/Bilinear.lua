--- y_k = x1' W_k x2 + b_k, of two inputs.
--
-- Shapes: the input is { N x inputSize1, N x inputSize2 }, W is outputSize x inputSize1 x
-- inputSize2, b is outputSize, y is N x outputSize. W and b start uniform in ±1/sqrt(inputSize1).
-- @classmod nn.Bilinear
-- @example #nn.Bilinear(4, 5, 3):forward { torch.randn(2, 4), torch.randn(2, 5) } --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local Bilinear = nn.declare('nn.Bilinear', 'nn.Weighted', {
   arguments = [[
      (inputSize1)  size            features of the first input
      (inputSize2)  size            features of the second
      (outputSize)  size            features out
      (bias)        boolean = true  whether to add b
   ]],
   input = 'table',
   tensors = 2,
   validate = '__assertInput',
   text = '({weight[2]}x{weight[3]} -> {weight[1]}){no bias}',
})

function Bilinear:__initialize(inputSize1, inputSize2, outputSize, bias)
   self.gradInput = {}
   self:__addWeights({ outputSize, inputSize1, inputSize2 }, bias and { outputSize })
end

function Bilinear:__fanIn()
   return self.weight:size(2)
end

--- Raise unless the input is two batches of the layer's sizes.
function Bilinear:__assertInput(input)
   local x1, x2, weight = input[1], input[2], self.weight
   if x1.ndim ~= 2 or x2.ndim ~= 2 or x1:size(1) ~= x2:size(1)
      or x1:size(2) ~= weight:size(2) or x2:size(2) ~= weight:size(3) then
      check.fail(self, 'input is { %s, %s }, expected { N x %d, N x %d }', check.describe(x1),
         check.describe(x2), weight:size(2), weight:size(3))
   end
end

--- Raise unless input and gradOutput belong to each other and to the layer.
function Bilinear:__assertInputGradOutput(input, gradOutput)
   self:__assertInput(input)
   if gradOutput.ndim ~= 2 or gradOutput:size(1) ~= input[1]:size(1)
      or gradOutput:size(2) ~= self.weight:size(1) then
      check.fail(self, 'gradOutput is %s, expected %dx%d', check.describe(gradOutput),
         input[1]:size(1), self.weight:size(1))
   end
end

-- W as a matrix, outputSize * inputSize1 x inputSize2.
local function matrix(weight)
   return weight:view(-1, weight:size(3))
end

-- W_k x2, N x outputSize x inputSize1.
local function products(self, x2)
   local weight = self.weight
   return torch.mm(x2, matrix(weight):t()):view(-1, weight:size(1), weight:size(2))
end

-- g_k x1, N x outputSize * inputSize1.
local function outer(x1, g)
   return torch.bmm(nn.utils.addSingletonDimension(g, 3), nn.utils.addSingletonDimension(x1, 2))
      :view(x1:size(1), -1)
end

function Bilinear:__computeOutput(y, input)
   local x1, x2 = input[1], input[2]
   y:resize(x1:size(1), self.weight:size(1), 1)
   y:bmm(products(self, x2), nn.utils.addSingletonDimension(x1, 3))
   y:resize(x1:size(1), self.weight:size(1))
   return self.bias and y:add(self.bias:view(1, -1):expandAs(y)) or y
end

function Bilinear:__computeGradInput(gradInput, input, g)
   self:__assertInputGradOutput(input, g)
   local x1, x2 = input[1], input[2]
   local g1, g2 = gradInput[1] or th.like(x1), gradInput[2] or th.like(x2)
   g1:resize(x1:size(1), 1, x1:size(2))
   gradInput[1] = g1:bmm(nn.utils.addSingletonDimension(g, 2), products(self, x2)):resizeAs(x1)
   gradInput[2] = g2:resizeAs(x2):mm(outer(x1, g), matrix(self.weight))
   return gradInput
end

function Bilinear:__computeGradParameters(input, g, scale)
   self:__assertInputGradOutput(input, g)
   matrix(self.gradWeight):addmm(scale, outer(input[1], g):t(), input[2])
   if self.bias then
      self.gradBias:add(scale, g:sum(1):view(-1))
   end
end
