--- Weights packed into 4 or 8 bits: each row in groups of columns, each group with a scale and a
-- zero.
--
-- A code c of 0 to 2^bits - 1 stands for scale (c - zero). With 4 bits two codes share a byte, the
-- first in its lower half.
-- @module nn.quantization.packing

local torch = require 'torch'
local check = require 'nn.check'
local numbers = require 'nn.quantization.numbers'

local M = {}

--- The columns of a group: `wanted`, or all where rows cannot be cut so.
-- @int columns
-- @int wanted
-- @int bits
-- @treturn int
-- @raise errors for rows that are no whole number of bytes, as the second result after nil
function M.group(columns, wanted, bits)
   if columns * bits % 8 ~= 0 then
      return nil, ('rows of %d numbers of %d bits are no whole bytes'):format(columns, bits)
   elseif wanted % 8 ~= 0 then
      return nil, ('groups of %d columns, expected a multiple of 8'):format(wanted)
   end
   return columns % wanted == 0 and wanted or columns
end

-- The least and largest of each group, 0 included.
local function ranges(groups)
   local low = groups:min(2):clamp(nil, 0)
   local high = groups:max(2):clamp(0, nil)
   return low, high
end

--- Pack a matrix.
-- @tparam Tensor weight rows x columns, of any floating type
-- @int bits 4 or 8
-- @int group columns that share a scale, a divisor of their number
-- @treturn Tensor codes, rows x bytes
-- @treturn Tensor scales, rows x groups, of the weight's type
-- @treturn Tensor zeros, bytes, likewise
function M.pack(weight, bits, group)
   local rows, columns = weight:size(1), weight:size(2)
   local most = 2^bits - 1
   local groups = weight:double():contiguous():view(-1, group)
   local low, high = ranges(groups)
   local scales = torch.add(high, -1, low):div(most)
   scales:add(scales:eq(0):typeAs(scales))
   -- As the layer will have them, so that codes fit what they stand for.
   scales:copy(scales:type(torch.typename(weight)))
   local zeros = numbers.round(torch.cdiv(low, scales):mul(-1)):clamp(0, most)
   local codes = numbers.round(torch.cdiv(groups, scales:expandAs(groups)))
      :add(zeros:expandAs(groups)):clamp(0, most):view(rows, columns)
   if bits == 4 then
      local pairs_of = codes:view(rows, columns / 2, 2)
      codes = torch.add(pairs_of:select(3, 1), 16, pairs_of:select(3, 2))
   end
   local byte = numbers.classes(weight).byte
   local function bytes(t, width)
      return byte.new():resize(rows, width):copy(t:contiguous():view(rows, width))
   end
   return bytes(codes, columns * bits / 8),
      weight.new():resize(rows, columns / group):copy(scales:view(rows, -1)),
      bytes(zeros, columns / group)
end

--- Give a layer the weights of another one, packed: `codes`, `scale` and `zero`.
-- @tparam nn.Module self
-- @param layer of the class `wanted`
-- @string wanted
-- @int bits
-- @int group columns that share a scale, if they divide a row
function M.take(self, layer, wanted, bits, group)
   if not torch.isTypeOf(layer, wanted) then
      check.fail(self, 'layer is a %s, expected an %s', torch.typename(layer), wanted)
   elseif bits ~= 4 and bits ~= 8 then
      check.fail(self, 'bits is %s, expected 4 or 8', tostring(bits))
   end
   local weight = layer.weight
   local columns, problem = M.group(weight:size(2), group, bits)
   if not columns then
      check.fail(self, '%s', problem)
   end
   numbers.check_weight(self, weight)
   self.codes, self.scale, self.zero = M.pack(weight, bits, columns)
   self._type = layer:type()
   self.output, self.gradInput = weight.new(), weight.new()
end

--- Move a layer with packed weights to another type: scales and bias become of it, codes stay
-- bytes.
-- @tparam nn.Module self with `codes`, `zero`
-- @string typename
-- @param cache of conversions
-- @return self
function M.type(self, typename, cache)
   local codes, zero = self.codes, self.zero
   self.codes, self.zero = nil, nil
   require('nn').Module.type(self, typename, cache)
   self.codes = codes:type(numbers.moved(codes, typename))
   self.zero = zero:type(numbers.moved(zero, typename))
   return self
end

return M
