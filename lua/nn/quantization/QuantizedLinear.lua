--- A fully connected layer on bytes: whole numbers are multiplied and added up exactly, then
-- scaled.
--
-- With x = inScale (q - inZero) and W[k] = weightScale[k] C[k], where C is of -127 to 127,
-- y[k] = weightScale[k] inScale (sum of C[k] (q - inZero)) + b[k]; as bytes round(y / outScale) +
-- outZero. A rectifier behind it costs nothing: outZero is 0 then, and what is below becomes 0.
--
-- Shapes: as for nn.Linear. Built by nn.quantize; by hand from a layer and its input's numbers.
-- @classmod nn.QuantizedLinear
-- @example
-- local layer = nn.QuantizedLinear(nn.Linear(3, 2), { scale = 1 / 64, zero = 128 })
-- #layer:forward(torch.randn(5, 3)) --> { 5, 2 }
-- layer.weight:type() --> 'torch.CharTensor'

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local numbers = require 'nn.quantization.numbers'
local ops = require 'nn.base.ops'

local LEAST = 2^-126 -- of floats, unless they lose bits

local QuantizedLinear = nn.declare('nn.QuantizedLinear', 'nn.Quantized', {
   arguments = [[
      (layer)       module          an nn.Linear
      (input)       table           { scale, zero } of the input
      (perChannel)  boolean = true  a scale for each output's weights
   ]],
   text = '({weight[2]} -> {weight[1]})',
})

--- What weights bring along: whole numbers, their scales, and the bias in their units. Shared with
-- nn.QuantizedConvolution.
-- @tparam nn.Module self
-- @tparam Tensor weight outputs first
-- @tparam[opt] Tensor bias
-- @tparam table input { scale, zero }
-- @bool per_channel
local function take(self, weight, bias, input, per_channel)
   if type(input.scale) ~= 'number' or type(input.zero) ~= 'number' then
      check.fail(self, 'input has scale %s and zero %s, expected numbers', tostring(input.scale),
         tostring(input.zero))
   end
   numbers.check_weight(self, weight)
   self.inScale, self.inZero = input.scale, input.zero
   self.weight, self.weightScale = numbers.quantize_weight(weight, per_channel)
   self.bias = self.weightScale.new():resize(weight:size(1)):zero()
   if bias then
      self.bias:copy(bias)
   end
   self:setOutput(nil)
end
QuantizedLinear.__take = take

function QuantizedLinear:__initialize(layer, input, perChannel)
   if not torch.isTypeOf(layer, 'nn.Linear') then
      check.fail(self, 'layer is a %s, expected an nn.Linear', torch.typename(layer))
   end
   self._type = layer:type()
   take(self, layer.weight, layer.bias, input, perChannel)
end

--- `factor` and `offset`: r = factor[k] (sum of C q + offset[k]).
--
-- What 1 in the sum is worth is at least 2^-64 of what is added to the sum, so that the quotient
-- is a float. Sums are below 2^36: more than they are worth is still less than a float shows.
-- @number[opt=0] constant added besides the bias
function QuantizedLinear:__fold(constant)
   local zero = (self.outZero or 0) * (self.outScale or 1)
   local added = self.bias:double():add(zero + (constant or 0))
   local sums = self.weightScale:double():mul(self.inScale)
   sums:cmax(torch.abs(added):mul(2^-64)):cmax(LEAST)
   local offset = torch.cdiv(added, sums):add(-self.inZero, numbers.sums(self.weight):double())
   self.factor = sums:div(self.outScale or 1):typeAs(self.weightScale)
   self.offset = offset:typeAs(self.weightScale)
end

function QuantizedLinear:__computeOutput(y, x)
   local codes = self:__codes(x, 'codes', self.inScale, self.inZero)
   return self:__output(y, ops.quantized_linear(self, self:__target(y, codes), codes, self.weight,
      self.offset, self.factor))
end
