--- Which type of elements values have, by the schema's numbers, as far as a graph tells them:
-- layers of nn are of reals alone, and numbers without a sign may lie in a wider tensor.
-- @module onnx.import.kinds
local types = require 'onnx.types'

local M = {}

-- An operator gives what its first operand is, but for those below.
local GIVEN, OPERAND = {}, {}
for kind, names in pairs {
   [types.BOOL] = 'Equal Greater Less GreaterOrEqual LessOrEqual And Or Xor Not IsNaN IsInf',
   [types.INT64] = 'Shape Size ArgMax ArgMin NonZero NonMaxSuppression',
   [types.INT32] = 'MatMulInteger ConvInteger',
   [types.UINT8] = 'DynamicQuantizeLinear',
   [types.FLOAT] = 'com.microsoft.MatMulIntegerToFloat com.microsoft.DynamicQuantizeMatMul',
} do
   for name in names:gmatch '%S+' do
      GIVEN[name] = kind
   end
end
-- The operand whose type an operator gives.
for i, names in pairs {
   [2] = 'Where CastLike DequantizeLinear com.microsoft.DequantizeLinear '
      .. 'com.microsoft.QLinearConcat',
   [3] = 'OneHot', [8] = 'QLinearConv QLinearMatMul',
} do
   for name in names:gmatch '%S+' do
      OPERAND[name] = i
   end
end

local LATER = { TopK = { [2] = types.INT64 }, MaxPool = { [2] = types.INT64 },
   DynamicQuantizeLinear = { [2] = types.FLOAT } }

local function operand(n, i)
   local found = n.operands[i]
   return found and (found.type or found.tensor and types.number(found.tensor:type()))
end

-- Those that an attribute decides, or whether there is an operand.
local OWN = {}

function OWN.Cast(n)
   return n.a.to
end

function OWN.EyeLike(n)
   return n.a.dtype or operand(n, 1)
end

function OWN.Constant(n)
   return n.types.value or n.a.value_int and types.INT64 or n.a.value_ints and types.INT64
      or types.FLOAT
end

function OWN.ConstantOfShape(n)
   return n.types.value or types.FLOAT
end

for _, name in ipairs { 'HannWindow', 'HammingWindow', 'BlackmanWindow' } do
   OWN[name] = function(n)
      return n.a.output_datatype or types.FLOAT
   end
end

function OWN.QuantizeLinear(n)
   return operand(n, 3) or (n.a.output_dtype or 0) ~= 0 and n.a.output_dtype or types.UINT8
end
OWN['com.microsoft.QuantizeLinear'] = OWN.QuantizeLinear

OWN['com.microsoft.QGemm'] = function(n)
   return n:has(8) and (operand(n, 9) or types.UINT8) or types.FLOAT
end

--- The type that an input or output of the graph is declared to have; nil where it is not.
function M.declared(info)
   local tensor = info.type and info.type.tensor_type
   return tensor and tensor.elem_type
end

--- The type of a node's output; nil where it is not known.
-- @int[opt=1] i which
function M.output(n, i)
   local kind = n.kind
   local later = LATER[kind] and LATER[kind][i or 1]
   if later then
      return later
   elseif OWN[kind] then
      return OWN[kind](n)
   end
   return GIVEN[kind] or operand(n, OPERAND[kind] or 1)
end

--- Whether a node may be a layer of nn.
function M.is_for_layers(n)
   local class = types.class(operand(n, 1) or types.FLOAT)
   return not class or types.is_real_class(class)
end

-- Which types without a sign lie in a wider one with it, and their bits.
local BITS = { [types.UINT16] = 16, [types.UINT32] = 32 }

-- The operators that may give numbers beyond these.
local BEYOND = {}
for name in ('Add Sub Mul Pow Sum MatMul Gemm Einsum ReduceSum ReduceProd ReduceSumSquare ReduceL1 '
   .. 'CumSum BitwiseNot BitShift Cast CastLike ScatterND ScatterElements'):gmatch '%S+' do
   BEYOND[name] = true
end

--- The bits of numbers without a sign, where a node's operator may give some beyond them; nil else.
function M.bits(n)
   return BEYOND[n.kind] and BITS[M.output(n)] or nil
end

return M
