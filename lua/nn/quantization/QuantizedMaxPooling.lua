--- The maxima of windows over images of bytes, which stay what they stood for.
-- @classmod nn.QuantizedMaxPooling
-- @example
-- local pool = nn.QuantizedMaxPooling(nn.SpatialMaxPooling(2, 2), { scale = 1, zero = 0 })
-- pool:forward(torch.ByteTensor { { { 1, 2 }, { 4, 3 } } }) --> { { { 4 } } }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local torch = require 'torch'
local windows = require 'nn.pooling.windows'

local QuantizedMaxPooling = nn.declare('nn.QuantizedMaxPooling', 'nn.Quantized', {
   arguments = [[
      (layer)  module  an nn.SpatialMaxPooling
      (input)  table   { scale, zero } of input and output
   ]],
   text = '({kW}x{kH}, {dW},{dH}<, {padW},{padH}>)',
})

local FIELDS = { 'kW', 'kH', 'dW', 'dH', 'padW', 'padH', 'dilationW', 'dilationH', 'ceil_mode' }

function QuantizedMaxPooling:__initialize(layer, input)
   if not torch.isTypeOf(layer, 'nn.SpatialMaxPooling') then
      check.fail(self, 'layer is a %s, expected an nn.SpatialMaxPooling', torch.typename(layer))
   end
   for _, name in ipairs(FIELDS) do
      self[name] = layer[name]
   end
   self._type = layer:type()
   self.inScale, self.inZero = input.scale, input.zero
   self:setOutput(input)
end

function QuantizedMaxPooling:__computeOutput(y, x)
   local codes = self:__codes(x, 'codes', self.inScale, self.inZero)
   if self.outScale then
      return ops.quantized_max_pool(self, self:__target(y, codes), codes, windows.image(self))
   end
   self.codes2 = ops.quantized_max_pool(self, self.codes2 or codes.new(), codes,
      windows.image(self))
   return self:__output(y, self.__numbers(self:__target(y, codes), self.codes2, self.inScale,
      self.inZero))
end
