--- A layer whose weight is given by its length and its direction: w = g v / |v|, for each output,
-- where |v| is the root of the sum of squares and 1e-4.
--
-- g and v are learnt in place of the layer's weight, its bias as before. v starts normal with
-- standard deviation sqrt(2 / inputs of an output), g as its length, the bias at 0. In evaluation
-- mode the weight is computed once.
-- Source: Salimans and Kingma, 2016 (arXiv:1602.07868).
-- @classmod nn.WeightNorm
-- @usage nn.WeightNorm(nn.Linear(10, 5)), nn.WeightNorm(nn.SpatialFullConvolution(3, 8, 5, 5), 2)
-- @example #nn.WeightNorm(nn.Linear(4, 3)):forward(torch.randn(5, 4)) --> { 5, 3 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local WeightNorm, Decorator = nn.declare('nn.WeightNorm', 'nn.Decorator', {
   arguments = [[
      ...
      outputDim  size = 1  the dimension of the weight that counts outputs
   ]],
})

function WeightNorm:__initialize(module, outputDim)
   if not torch.isTensor(module.weight) or module.weight:dim() < outputDim then
      check.fail(self, 'module is %s, expected one with a weight of %d dimensions or more',
         tostring(module), outputDim)
   end
   Decorator.__initialize(self, module)
   self.weight, self.gradWeight = module.weight, module.gradWeight
   self.weightSize = self.weight:size()
   self.bias, self.gradBias = module.bias, module.gradBias
   local outputs = self.weight:size(outputDim)
   local inputs = self.weight:nElement() / outputs
   self.v, self.gradV = self.weight.new(outputs, inputs), self.weight.new(outputs, inputs):zero()
   self.g, self.gradG = self.weight.new(outputs), self.weight.new(outputs):zero()
   self:resetInit(inputs, outputs)
   self:updateWeight()
end

-- Files of Torch7 leave the weight out.
function WeightNorm:__upgrade(_)
   if not self.weight then
      local module = self.modules[1]
      module.weight, module.gradWeight = self.v.new(self.weightSize), self.v.new(self.weightSize)
      self.weight, self.gradWeight = module.weight, module.gradWeight:zero()
      self:updateWeight()
   end
end

-- --- the weight ---------------------------------------------------------------------------------

--- The tensor with the dimension of outputs in front: a view.
-- @tparam Tensor inpt of the weight's size
function WeightNorm:permuteIn(inpt)
   for d = self.outputDim, 2, -1 do
      inpt = inpt:transpose(d, d - 1)
   end
   return inpt
end

--- Undo `permuteIn`: a view.
-- @tparam Tensor inpt
function WeightNorm:permuteOut(inpt)
   for d = 2, self.outputDim do
      inpt = inpt:transpose(d, d - 1)
   end
   return inpt
end

--- Draw v, g and the bias anew.
-- @int[opt] inputSize inputs of an output
-- @int[opt] _outputSize number of outputs
function WeightNorm:resetInit(inputSize, _outputSize)
   self.v:normal(0, math.sqrt(2 / (inputSize or self.v:size(2))))
   self.g:copy(torch.norm(self.v, 2, 2))
   if self.bias then
      self.bias:zero()
   end
end

--- Draw v, g and the bias anew.
-- @return self
function WeightNorm:reset()
   self:resetInit()
   self:updateWeight()
   return self
end

-- A number of each output, for each of its inputs.
local function spread(self, numbers)
   return numbers:view(-1, 1):expandAs(self.v)
end

-- With what Torch7 adds, so that its files compute what they did.
local function norms(self)
   return torch.pow(self.v, 2):sum(2):add(1e-4):sqrt():view(-1)
end

--- weight = g v / |v|.
function WeightNorm:updateWeight()
   local scale = torch.cdiv(self.g, norms(self))
   local w = torch.cmul(self.v, spread(self, scale))
   local front = self:permuteIn(self.weight)
   front:copy(w:viewAs(front))
end

--- Compute the weight for the last time.
function WeightNorm:evaluate()
   if self.train ~= false then
      self:updateWeight()
   end
   Decorator.evaluate(self)
end

-- --- the passes ---------------------------------------------------------------------------------

function WeightNorm:updateOutput(input)
   if self.train ~= false then
      self:updateWeight()
   end
   return Decorator.updateOutput(self, input)
end

-- With n = |v| and dL/dw: dL/dg = v'(dL/dw) / n, dL/dv = g / n (dL/dw - v / n dL/dg).
function WeightNorm:accGradParameters(input, gradOutput, scale)
   self.gradWeight:zero()
   Decorator.accGradParameters(self, input, gradOutput, scale)
   local n = norms(self)
   local gw = self:permuteIn(self.gradWeight):contiguous():viewAs(self.v)
   local by_g = torch.cmul(gw, self.v):sum(2):view(-1):cdiv(n)
   self.gradG:add(by_g)
   local rest = torch.addcmul(gw, -1, self.v, spread(self, by_g:cdiv(n)))
   self.gradV:addcmul(rest, spread(self, torch.cdiv(self.g, n)))
end

--- The step takes the gradients' place.
function WeightNorm:accUpdateGradParameters(input, gradOutput, lr)
   nn.Module.sharedAccUpdateGradParameters(self, input, gradOutput, lr)
end

function WeightNorm:sharedAccUpdateGradParameters(input, gradOutput, lr)
   nn.Module.sharedAccUpdateGradParameters(self, input, gradOutput, lr)
end

-- --- parameters ---------------------------------------------------------------------------------

--- v, g and the layer's bias.
function WeightNorm:parameters()
   return { self.v, self.g, self.bias }, { self.gradV, self.gradG, self.gradBias }
end

-- These are about its own parameters, not about those of the module inside.
function WeightNorm:zeroGradParameters()
   nn.Module.zeroGradParameters(self)
end

function WeightNorm:updateParameters(learningRate)
   nn.Module.updateParameters(self, learningRate)
end

--- Replace modules: a new one inside has the weight that is computed, and its own bias.
-- @func callback gets a module
-- @return what stands in the place of this module
function WeightNorm:replace(callback)
   local out = Decorator.replace(self, callback)
   local module = self.modules[1]
   if torch.isTensor(module.weight) then -- else it is one around the old one
      self.weight, self.gradWeight = module.weight, module.gradWeight
      self.bias, self.gradBias = module.bias, module.gradBias
   end
   return out
end

--- Share 'v', 'g', 'bias' and their gradients.
-- @param module a module of this class
-- @param ... names: 'v', 'gradV', …
-- @return self
function WeightNorm:share(module, ...)
   return nn.Module.share(self, module, ...)
end
