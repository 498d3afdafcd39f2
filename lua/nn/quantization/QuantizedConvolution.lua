--- A convolution over images of bytes: see nn.QuantizedLinear for the numbers.
--
-- Shapes: as for nn.SpatialConvolution. Output planes have scales of their own, unless they are to
-- share one. With `addScale` and `addZero` another image of bytes is added before the result is
-- rounded: `forward { x, addend }`.
-- @classmod nn.QuantizedConvolution
-- @example
-- local conv = nn.SpatialConvolution(3, 8, 3, 3, 1, 1, 1, 1)
-- local layer = nn.QuantizedConvolution(conv, { scale = 1 / 64, zero = 128 })
-- #layer:forward(torch.randn(2, 3, 28, 28)) --> { 2, 8, 28, 28 }

local torch = require 'torch'
local nn = require 'nn'
local axes = require 'nn.convolution.axes'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local QuantizedConvolution = nn.declare('nn.QuantizedConvolution', 'nn.Quantized', {
   arguments = [[
      (layer)       module          an nn.SpatialConvolution or one derived from it
      (input)       table           { scale, zero } of the input
      (perChannel)  boolean = true  a scale for each output plane's weights
   ]],
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>)',
})

local FIELDS = { 'nInputPlane', 'nOutputPlane', 'kW', 'kH', 'dW', 'dH', 'padW', 'padH', 'dilationW',
   'dilationH', 'groups' }

function QuantizedConvolution:__initialize(layer, input, perChannel)
   if not torch.isTypeOf(layer, 'nn.SpatialConvolution') then
      check.fail(self, 'layer is a %s, expected an nn.SpatialConvolution', torch.typename(layer))
   end
   for _, name in ipairs(FIELDS) do
      self[name] = layer[name]
   end
   self._type = layer:type()
   nn.QuantizedLinear.__take(self, layer:__kernel(), layer.bias, input, perChannel)
end

--- Have another image added to what the convolution gives.
-- @tparam[opt] table addend { scale, zero } of its bytes; nil: none
-- @return self
function QuantizedConvolution:setAddend(addend)
   self.addScale, self.addZero = addend and addend.scale, addend and addend.zero
   self:__fold()
   return self
end

function QuantizedConvolution:__fold()
   nn.QuantizedLinear.__fold(self, self.addScale and -self.addScale * self.addZero)
end

function QuantizedConvolution:__computeOutput(y, x)
   local addend
   if self.addScale then
      check.entries(self, x, 'input', 2, 'tensors')
      x, addend = x[1], self:__codes(x[2], 'codes2', self.addScale, self.addZero)
   end
   local codes = self:__codes(x, 'codes', self.inScale, self.inZero)
   axes.image.fill(self)
   return self:__output(y, ops.quantized_conv(self, self:__target(y, codes), codes, self.weight,
      self.offset, self.factor, addend, addend and self.addScale / (self.outScale or 1) or 0,
      self.inZero, 2, axes.stride, axes.padding, axes.dilation, self.groups))
end
