--- A fully connected layer with weights of 4 or 8 bits: y = x W' + b in floats, where each group of
-- a row's columns has a scale and a zero, W = scale (code - zero).
--
-- What reading weights costs is the time of a large layer with few samples: these are an eighth or
-- a quarter of the floats' bytes. The weights do not learn; gradInput is that of the layer. Shapes:
-- as for nn.Linear.
-- @classmod nn.PackedLinear
-- @example
-- local layer = nn.PackedLinear(nn.Linear(64, 8), 4, 32)
-- #layer:forward(torch.randn(5, 64)) --> { 5, 8 }
-- #layer.codes, #layer.scale --> { 8, 32 }, { 8, 2 }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local packing = require 'nn.quantization.packing'

local PackedLinear = nn.declare('nn.PackedLinear', {
   arguments = [[
      (layer)  module        an nn.Linear
      bits     integer = 4   of a weight: 4 or 8
      (group)  integer = 64  columns that share a scale; all of a row where it is no divisor
   ]],
   own = 'scale',
   input = 'N? inputSize',
   output = 'N? codes[1]',
   text = '({inputSize} -> {codes[1]}, {bits} bits)',
})

function PackedLinear:__initialize(layer, bits, group)
   packing.take(self, layer, 'nn.Linear', bits, group)
   self.inputSize = layer.weight:size(2)
   self.bias = layer.bias and layer.bias:clone()
end

function PackedLinear:__computeOutput(y, x)
   return ops.packed_linear(self, y, x, self.codes, self.scale, self.zero, self.bias, self.bits)
end

--- The weights as numbers.
-- @treturn Tensor outputs x inputs
function PackedLinear:unpacked()
   return ops.unpack_rows(self, self.scale.new(), self.codes, self.scale, self.zero, self.bits)
end

function PackedLinear:__computeGradInput(gx, x, g)
   local weight = self:unpacked()
   gx:resize(x:size())
   if x.ndim == 1 then
      return gx:mv(weight:t(), g)
   end
   return gx:mm(g, weight)
end

--- Nothing here learns.
function PackedLinear.parameters() end

function PackedLinear:type(typename, cache)
   return typename and packing.type(self, typename, cache) or self._type
end
