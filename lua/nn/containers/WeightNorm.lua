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

local WeightNorm, Reparametrised = nn.declare('nn.WeightNorm', 'nn.Reparametrised', {
   arguments = '...',
})

function WeightNorm:__initialize(module, outputDim)
   Reparametrised.__initialize(self, module, outputDim)
   self.weightSize = self.weight:size()
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
   self:__setWeight(torch.cmul(self.v, spread(self, scale)))
end

--- Compute the weight for the last time.
function WeightNorm:evaluate()
   if self.train ~= false then
      self:updateWeight()
   end
   Reparametrised.evaluate(self)
end

-- --- the passes ---------------------------------------------------------------------------------

function WeightNorm:updateOutput(input)
   if self.train ~= false then
      self:updateWeight()
   end
   return Reparametrised.updateOutput(self, input)
end

-- With n = |v| and dL/dw: dL/dg = v'(dL/dw) / n, dL/dv = g / n (dL/dw - v / n dL/dg).
function WeightNorm:accGradParameters(input, gradOutput, scale)
   self.gradWeight:zero()
   Reparametrised.accGradParameters(self, input, gradOutput, scale)
   local n = norms(self)
   local gw = self:permuteIn(self.gradWeight):contiguous():viewAs(self.v)
   local by_g = torch.cmul(gw, self.v):sum(2):view(-1):cdiv(n)
   self.gradG:add(by_g)
   local rest = torch.addcmul(gw, -1, self.v, spread(self, by_g:cdiv(n)))
   self.gradV:addcmul(rest, spread(self, torch.cdiv(self.g, n)))
end

--- v, g and the layer's bias.
function WeightNorm:parameters()
   return { self.v, self.g, self.bias }, { self.gradV, self.gradG, self.gradBias }
end
