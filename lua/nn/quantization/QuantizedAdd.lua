--- The sum of two tensors of bytes of one size, each with its own scale: nn.CAddTable in a
-- quantised net.
-- @classmod nn.QuantizedAdd
-- @example
-- local sum = nn.QuantizedAdd({ scale = 0.5, zero = 0 }, { scale = 0.25, zero = 10 })
-- sum:forward { torch.ByteTensor { 4, 6 }, torch.ByteTensor { 10, 14 } } --> { 2, 4 }

local nn = require 'nn'
local check = require 'nn.check'
local numbers = require 'nn.quantization.numbers'
local ops = require 'nn.base.ops'
local shapes = require 'torch.functions.shapes'
local torch = require 'torch'

local QuantizedAdd = nn.declare('nn.QuantizedAdd', 'nn.Quantized', {
   arguments = [[
      first   table  { scale, zero } of the first input
      second  table  { scale, zero } of the second
   ]],
})

function QuantizedAdd:__computeOutput(y, x)
   check.entries(self, x, 'input', 2, 'tensors')
   local a, b = self.first, self.second
   local p = self:__codes(x[1], 'codes', a.scale, a.zero)
   local q = self:__codes(x[2], 'codes2', b.scale, b.zero)
   if not p:isSameSizeAs(q) then
      check.fail(self, 'input 1 is %s, input 2 is %s, and sums of bytes are of equal sizes; '
         .. 'onnx.import(path, { bytes = false }) makes such a sum in floats', shapes.text(p),
         shapes.text(q))
   end
   if self.outScale then
      local share, other = a.scale / self.outScale, b.scale / self.outScale
      return ops.quantized_add(self, self:__target(y, p), p, q, share, other,
         self.outZero - share * a.zero - other * b.zero)
   end
   local r = self.__numbers(self:__target(y, p), p, a.scale, a.zero)
   self.floats2 = self.__numbers(self.floats2 or numbers.classes(p).float.new(), q, b.scale, b.zero)
   return self:__output(y, r:add(self.floats2))
end

function QuantizedAdd:__tostring__()
   return torch.type(self)
end
