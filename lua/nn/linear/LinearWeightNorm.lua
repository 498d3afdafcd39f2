--- nn.Linear whose weight is g v / |v|, row by row: length and direction are learnt apart.
--
-- Parameters: v, outputSize x inputSize; g, outputSize x 1; the bias. `weight` is made of them by
-- each forward in training, and by `evaluate()`.
-- Source: Salimans and Kingma, NIPS 2016 (arXiv:1602.07868), equations 2 and 3.
-- @classmod nn.LinearWeightNorm
-- @example #nn.LinearWeightNorm(3, 2):forward(torch.randn(5, 3)) --> { 5, 2 }

local torch = require 'torch'
local nn = require 'nn'

local LinearWeightNorm, Linear = nn.declare('nn.LinearWeightNorm', 'nn.Linear', {
   arguments = [[
      inputSize     size            features in
      outputSize    size            features out
      (bias)        boolean = true  whether to add b
      eps           number = 1e-16  the smallest norm that is divided by
   ]],
})

function LinearWeightNorm:__initialize(inputSize, outputSize, bias)
   self.v, self.gradV = torch.Tensor(outputSize, inputSize), torch.Tensor(outputSize, inputSize)
   self.g, self.gradG = torch.Tensor(outputSize, 1), torch.Tensor(outputSize, 1)
   self:__addWeights({ outputSize, inputSize }, bias and { outputSize })
end

local function norms(self, v)
   return v:norm(2, 2):cmax(self.eps)
end

-- Torch7 has no gradient of `weight`, and in files of cleared nets no weight.
function LinearWeightNorm:__upgrade(_)
   local v = self.v
   self.gradWeight = self.gradWeight or v.new():resizeAs(v):zero()
   if self.weight:nElement() == 0 then
      self:updateWeightMatrix()
   end
end

--- Draw weight and bias as nn.Linear does.
-- @number[opt] stdv standard deviation
-- @return self
function LinearWeightNorm:reset(stdv)
   Linear.reset(self, stdv)
   return self:initFromWeight()
end

--- Take length and direction of the rows of a weight.
-- @tparam[opt] Tensor weight outputSize x inputSize; default the layer's own
-- @return self
function LinearWeightNorm:initFromWeight(weight)
   weight = weight or self.weight
   self.g:copy(norms(self, weight))
   self.v:copy(weight)
   self:updateWeightMatrix()
   return self
end

--- The layer that computes what an nn.Linear does.
-- @param linear an nn.Linear
-- @return a new layer
-- @usage nn.LinearWeightNorm.fromLinear(linear)
function LinearWeightNorm.fromLinear(linear)
   local weight = linear.weight
   local layer = nn.LinearWeightNorm(weight:size(2), weight:size(1), linear.bias ~= nil)
   layer:type(linear:type())
   if linear.bias then
      layer.bias:copy(linear.bias)
   end
   return layer:initFromWeight(weight)
end

--- The nn.Linear that computes what this layer does.
-- @return a new layer
function LinearWeightNorm:toLinear()
   self:updateWeightMatrix()
   local weight = self.weight
   local linear = nn.Linear(weight:size(2), weight:size(1), self.bias ~= nil):type(self:type())
   linear.weight:copy(weight)
   if self.bias then
      linear.bias:copy(self.bias)
   end
   return linear
end

--- The parameters: v, g, the bias.
-- @treturn table tensors
-- @treturn table gradients
function LinearWeightNorm:parameters()
   return { self.v, self.g, self.bias }, { self.gradV, self.gradG, self.gradBias }
end

--- Make `weight` of v and g.
function LinearWeightNorm:updateWeightMatrix()
   local v = self.v
   self.weight:resizeAs(v):cmul(v, torch.cdiv(self.g, norms(self, v)):expandAs(v))
end

--- Switch to evaluation mode: `weight` stays as it is now.
function LinearWeightNorm:evaluate()
   if self.train ~= false then
      self:updateWeightMatrix()
   end
   Linear.evaluate(self)
end

function LinearWeightNorm:__computeOutput(y, x)
   if self.train ~= false then
      self:updateWeightMatrix()
   end
   return Linear.__computeOutput(self, y, x)
end

function LinearWeightNorm:__computeGradParameters(x, g, scale)
   local v, norm = self.v, norms(self, self.v)
   local dw = self.gradWeight:resizeAs(v):zero()
   Linear.__computeGradParameters(self, x, g, scale)
   local dg = torch.cmul(dw, v):sum(2):cdiv(norm)
   local along = torch.cmul(v, torch.cdiv(dg, norm):expandAs(v))
   local dv = torch.add(dw, -1, along):cmul(torch.cdiv(self.g, norm):expandAs(v))
   self.gradV:add(dv) -- may be v itself: not before all is computed
   self.gradG:add(dg)
end

--- parameters <- parameters - lr * gradient, at once.
function LinearWeightNorm:defaultAccUpdateGradParameters(input, gradOutput, lr)
   local gradV, gradG, gradBias = self.gradV, self.gradG, self.gradBias
   self.gradV, self.gradG, self.gradBias = self.v, self.g, self.bias
   self:accGradParameters(input, gradOutput, -lr)
   self.gradV, self.gradG, self.gradBias = gradV, gradG, gradBias
end
