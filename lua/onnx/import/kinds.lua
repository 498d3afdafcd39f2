--- Which values are whole numbers, as far as layers of nn care, which are of reals alone.
-- @module onnx.import.kinds
local types = require 'onnx.types'

local M = {}

local function set(names)
   local found = {}
   for name in names:gmatch '%S+' do
      found[name] = true
   end
   return found
end

-- What gives whole numbers, what gives those of its first operand, and the operators that are
-- layers of reals and mean the same of whole numbers.
local WHOLE = set [[QuantizeLinear QLinearConv QLinearMatMul MatMulInteger ConvInteger Shape Size
   ArgMax ArgMin NonZero NonMaxSuppression]]
local ALIKE = set [[MaxPool Reshape Flatten Transpose Concat Squeeze Unsqueeze Slice Gather Relu
   Clip Abs Add Sub Mul Max Min Split Pad Expand Tile Where]]
local LAYERS = set 'MaxPool Relu Clip Abs'

local function is_real(number)
   local class = types.class(number)
   return not class or types.is_real_class(class)
end

--- Whether an input or output of the graph is declared to be of whole numbers.
function M.declared(info)
   local tensor = info.type and info.type.tensor_type
   return tensor ~= nil and not is_real(tensor.elem_type or types.FLOAT)
end

local function operand(n, i)
   local found = n.operands[i]
   if found and found.tensor then
      return not types.is_real(found.tensor)
   end
   return found ~= nil and found.whole == true
end

--- Whether a node's first output is of whole numbers.
function M.output(n)
   local kind = n.kind
   if kind == 'Cast' then
      return not is_real(n.a.to)
   elseif ALIKE[kind] then
      return operand(n, kind == 'Where' and 2 or 1)
   end
   return WHOLE[kind] or kind:find '^com%.microsoft%.QLinear' ~= nil
end

--- Whether a node may be a layer of nn.
function M.is_for_layers(n)
   return not (LAYERS[n.kind] and operand(n, 1))
end

return M
