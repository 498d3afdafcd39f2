--- Numbers of dimensions, as far as a graph tells them: name -> function(n) that gives the
-- output's.
--
-- They decide which layer an operator becomes, and which tensors of one element are numbers without
-- dimensions.
-- @module onnx.import.ranks
local sizes = require 'onnx.import.sizes'

local M = {}

local function most(n)
   local rank = 0
   for i = 1, n.count do
      if n:has(i) then
         if not n.ranks[i] then
            return nil
         end
         rank = math.max(rank, n.ranks[i])
      end
   end
   return rank
end

local function first(n)
   return n.ranks[1]
end

for _, name in ipairs {
   'Add', 'Sub', 'Mul', 'Div', 'Pow', 'Mod', 'Max', 'Min', 'Sum', 'Mean', 'Where', 'Greater',
   'Less', 'Equal', 'GreaterOrEqual', 'LessOrEqual', 'And', 'Or', 'Xor', 'BitwiseAnd',
   'BitwiseOr', 'BitwiseXor', 'BitShift',
} do
   M[name] = most
end

for _, name in ipairs {
   'Abs', 'Neg', 'Sqrt', 'Exp', 'Log', 'Floor', 'Ceil', 'Sign', 'Sin', 'Cos', 'Tan', 'Asin',
   'Acos', 'Atan', 'Sinh', 'Cosh', 'Tanh', 'Sigmoid', 'Relu',
   'LeakyRelu', 'Elu', 'Celu', 'Selu', 'HardSigmoid', 'HardSwish', 'Gelu', 'Erf', 'Shrink',
   'PRelu', 'Clip',
   'Softplus', 'Softsign', 'Mish', 'Not', 'Cast', 'CastLike', 'Identity', 'Dropout', 'Slice',
   'Concat',
   'Transpose', 'Pad', 'Resize', 'Upsample', 'Softmax', 'LogSoftmax', 'LayerNormalization',
   'Reciprocal',
   'InstanceNormalization', 'GroupNormalization', 'BatchNormalization', 'LRN', 'CumSum',
   'Trilu', 'Tile',
   'MaxPool', 'AveragePool', 'GlobalAveragePool', 'GlobalMaxPool', 'Split', 'TopK', 'DepthToSpace',
   'SpaceToDepth', 'Conv', 'ConvTranspose', 'Round', 'IsNaN', 'QuantizeLinear', 'DequantizeLinear',
   'IsInf', 'ThresholdedRelu', 'Swish', 'Asinh', 'Acosh', 'Atanh', 'Hardmax', 'LpNormalization',
   'RMSNormalization', 'LpPool', 'GlobalLpPool', 'MaxUnpool', 'ConvInteger', 'QLinearConv',
   'BitwiseNot', 'EyeLike', 'CenterCropPad', 'ReverseSequence', 'MeanVarianceNormalization',
   'ScatterND', 'ScatterElements', 'Scatter',
} do
   M[name] = first
end

for name, rank in pairs { Shape = 1, Size = 0, Gemm = 2, Flatten = 2, Range = 1, NonZero = 2,
   GridSample = 4, AffineGrid = 4, NonMaxSuppression = 2, RoiAlign = 4,
   HannWindow = 1, HammingWindow = 1, BlackmanWindow = 1 } do
   M[name] = function()
      return rank
   end
end

-- The second is that of the outputs behind the first: the last states.
for _, name in ipairs { 'LSTM', 'GRU', 'RNN' } do
   M[name] = function()
      return 4, 3
   end
end

-- A scale and a zero are numbers.
function M.DynamicQuantizeLinear(n)
   return n.ranks[1], 0
end

local function entries(n, i, attribute)
   local constant = n:constant(i)
   return constant and constant:nElement() or n.a[attribute] and #n.a[attribute] or n:has(i)
      and n:isConstant(i) and 0 or nil
end

function M.Reshape(n)
   return entries(n, 2, 'shape')
end

function M.ConstantOfShape(n)
   return entries(n, 1)
end

function M.Unsqueeze(n)
   local added = entries(n, 2, 'axes')
   return n.ranks[1] and added and n.ranks[1] + added
end

-- Without axes all of size 1 go, as far as sizes are numbers.
function M.Squeeze(n)
   local gone = entries(n, 2, 'axes')
   if gone or n:has(2) then
      return n.ranks[1] and gone and n.ranks[1] - gone
   end
   local rank = 0
   for _, size in ipairs(sizes.operand(n, 1) or { '?' }) do
      if type(size) ~= 'number' then
         return nil
      end
      rank = rank + (size == 1 and 0 or 1)
   end
   return rank
end

function M.Gather(n)
   return n.ranks[1] and n.ranks[2] and n.ranks[1] - 1 + n.ranks[2]
end

function M.GatherND(n)
   local places = sizes.operand(n, 2)
   local depth = places and places[#places]
   return n.ranks[1] and type(depth) == 'number'
      and n.ranks[1] + #places - 1 - depth - (n.a.batch_dims or 0) or nil
end

-- As many as there are labels behind the arrow, or that come once where there is none.
function M.Einsum(n)
   local left, right = (n.a.equation or '.'):gsub('%s', ''):match '^([^%-]*)%-?>?(.*)$'
   if left:find('.', 1, true) then
      return nil
   elseif n.a.equation:find('->', 1, true) then
      return #right
   end
   local rank = 0
   for label in left:gmatch '%a' do
      rank = rank + (select(2, left:gsub(label, '')) == 1 and 1 or 0)
   end
   return rank
end

function M.GatherElements(n)
   return n.ranks[2]
end

function M.Expand(n)
   local wanted = entries(n, 2)
   return n.ranks[1] and wanted and math.max(wanted, n.ranks[1])
end

function M.MatMul(n)
   local a, b = n.ranks[1], n.ranks[2]
   if a and b then
      return a > 1 and b > 1 and math.max(a, b) or math.max(a, b) - 1
   end
end

M.MatMulInteger = M.MatMul

-- Operators on bytes have scale and zero behind an operand.
function M.QLinearMatMul(n)
   return M.MatMul { ranks = { n.ranks[1], n.ranks[4] } }
end

-- Those of onnxruntime's own domain.
local function microsoft(f, ...)
   for _, name in ipairs { ... } do
      M['com.microsoft.' .. name] = f
   end
end

microsoft(first, 'Gelu', 'BiasGelu', 'FastGelu', 'QuickGelu', 'SkipLayerNormalization',
   'SkipSimplifiedLayerNormalization', 'FusedConv', 'FusedGemm',
   'QLinearSigmoid', 'QLinearLeakyRelu', 'QLinearAveragePool', 'QLinearGlobalAveragePool',
   'QLinearSoftmax', 'QuantizeLinear', 'DequantizeLinear', 'QGemm')
microsoft(M.MatMul, 'FusedMatMul', 'MatMulIntegerToFloat', 'DynamicQuantizeMatMul')
microsoft(function(n)
   return n.ranks[1] and n.ranks[4] and math.max(n.ranks[1], n.ranks[4])
end, 'QLinearAdd', 'QLinearMul')
microsoft(function(n)
   return n.ranks[3]
end, 'QLinearConcat')

function M.OneHot(n)
   return n.ranks[1] and n.ranks[1] + 1
end

local function reduced(n)
   local gone = entries(n, 2, 'axes') or not n:has(2) and 0
   if n.a.keepdims ~= 0 or gone == 0 and n.a.noop_with_empty_axes == 1 then
      return n.ranks[1]
   elseif gone == 0 then -- all
      return 0
   end
   return gone and n.ranks[1] and n.ranks[1] - gone or nil
end

for _, name in ipairs {
   'Sum', 'Mean', 'Max', 'Min', 'Prod', 'L1', 'L2', 'SumSquare', 'LogSum', 'LogSumExp',
} do
   M['Reduce' .. name] = reduced
end

local function place(n)
   return n.ranks[1] and n.ranks[1] - (n.a.keepdims == 0 and 1 or 0)
end
M.ArgMax, M.ArgMin = place, place

return M
