--- A layer whose weight is rounded to what 8 bits can stand for, while the numbers before rounding
-- are learnt: w = s round(v / s), with s the largest magnitude of an output's v (or of all) / 127.
--
-- dL/dv = dL/dw (the straight-through estimator; no v is beyond the range).
-- @classmod nn.FakeQuantizedWeight
-- @see nn.fakeQuantize
-- @example #nn.FakeQuantizedWeight(nn.Linear(4, 3)):forward(torch.randn(5, 4)) --> { 5, 3 }

local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'nn.quantization.numbers'

local FakeQuantizedWeight, Reparametrised = nn.declare('nn.FakeQuantizedWeight',
   'nn.Reparametrised', {
   arguments = [[
      (module)    module          one whose weight has outputs in its first dimension
      perChannel  boolean = true  a scale for each output
   ]],
})

function FakeQuantizedWeight:__initialize(module, _)
   Reparametrised.__initialize(self, module, 1)
   self.outputDim = 1
   -- What learns is the weight itself, so that layers that share it still do.
   self.v, self.gradV = self.weight, self.weight.new():resizeAs(self.weight):zero()
   if torch.isTensor(self.gradWeight) then
      self.gradV = self.gradWeight:zero()
   end
   self.weight, self.gradWeight = self.v:clone(), self.gradV:clone()
   module.weight, module.gradWeight = self.weight, self.gradWeight
   self:updateWeight()
end

--- weight = v, rounded.
function FakeQuantizedWeight:updateWeight()
   local v = self.v:view(self.v:size(1), -1)
   local scales = numbers.weight_scales(numbers.magnitudes(v, self.perChannel)):expandAs(v)
   self.weight:copy(numbers.round(torch.cdiv(v, scales)):cmul(scales):viewAs(self.weight))
end

--- The layer inside with the numbers before rounding, for nn.quantize to round.
-- @treturn nn.Module
function FakeQuantizedWeight:plain()
   local module = self.modules[1]
   module.weight:copy(self.v)
   return module
end

--- Draw weight and bias anew.
-- @return self
function FakeQuantizedWeight:reset(...)
   self.modules[1]:reset(...)
   self.v:copy(self.weight)
   self:updateWeight()
   return self
end

--- Round for the last time.
function FakeQuantizedWeight:evaluate()
   self:updateWeight()
   Reparametrised.evaluate(self)
end

function FakeQuantizedWeight:updateOutput(input)
   if self.train ~= false then
      self:updateWeight()
   end
   return Reparametrised.updateOutput(self, input)
end

function FakeQuantizedWeight:accGradParameters(input, gradOutput, scale)
   self.gradWeight:zero()
   Reparametrised.accGradParameters(self, input, gradOutput, scale)
   self.gradV:add(self.gradWeight)
end

--- v and the layer's bias.
function FakeQuantizedWeight:parameters()
   return { self.v, self.bias }, { self.gradV, self.gradBias }
end
