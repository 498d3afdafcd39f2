-- Operators of onnxruntime's own domain, which its quantiser and its optimiser write.
-- Definitions: onnxruntime's docs/ContribOperators.md.
local torch = require 'torch'
local integers = require 'onnx.operators.integers'
local pointwise = require 'onnx.operators.pointwise'
local product = require 'onnx.operators.product'
local quantize = require 'onnx.operators.quantize'
local reduce = require 'onnx.operators.reduce'
local tools = require 'onnx.operators.tools'
local windows = require 'onnx.operators.windows'

local M = {}

-- --- on bytes: reals of them, the operator, bytes of the result --------------------------------

local function reals(x, scale, zero)
   return quantize.DequantizeLinear({}, x, scale, zero)
end

local function bytes(y, scale, zero)
   return quantize.QuantizeLinear({}, y, scale, zero)
end

-- Whose axis is the last one in all opsets, where there is none.
local function softmax(c, x)
   return reduce.Softmax({ axis = c.axis or -1, opset = c.opset }, x)
end

for name, f in pairs {
   QLinearSigmoid = pointwise.Sigmoid, QLinearLeakyRelu = pointwise.LeakyRelu,
   QLinearAveragePool = windows.AveragePool, QLinearGlobalAveragePool = reduce.GlobalAveragePool,
   QLinearSoftmax = softmax,
} do
   M[name] = function(c, x, x_scale, x_zero, y_scale, y_zero)
      if c.channels_last == 1 then
         error('planes behind the image are not read', 0)
      end
      return bytes(f(c, reals(x, x_scale, x_zero)), y_scale, y_zero)
   end
end

for name, f in pairs { QLinearAdd = pointwise.Add, QLinearMul = pointwise.Mul } do
   M[name] = function(c, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero)
      return bytes(f(c, reals(a, a_scale, a_zero), reals(b, b_scale, b_zero)), y_scale, y_zero)
   end
end

-- The operands are three for each part, behind the result's scale and zero.
function M.QLinearConcat(c, y_scale, y_zero, ...)
   local parts = {}
   for i = 1, select('#', ...), 3 do
      parts[#parts + 1] = reals(select(i, ...))
   end
   local list = tools.together { y_scale, unpack(parts) }
   table.remove(list, 1)
   return bytes(torch.cat(list, tools.dim(list[1], c.axis)), y_scale, y_zero)
end

function M.QGemm(c, a, a_scale, a_zero, b, b_scale, b_zero, bias, y_scale, y_zero)
   a, b = c.transA == 1 and a:t() or a, c.transB == 1 and b:t() or b
   local function of_columns(t) -- one for all, or for each column of b
      return t and t:nElement() > 1 and tools.view(t, { 1, t:nElement() }) or t
   end
   local x = reals(a:contiguous(), a_scale, a_zero)
   local codes = b:type(tools.beside('torch.FloatTensor', x))
   if b_zero then
      codes = codes - tools.expand(of_columns(b_zero:typeAs(codes)), tools.sizes(codes))
   end
   local scale = b_scale:typeAs(codes)
   local y = torch.mm(x, torch.cmul(codes,
      scale:nElement() > 1 and tools.expand(of_columns(scale), tools.sizes(codes))
         or codes:clone():fill(tools.number(scale))))
   if bias then -- whole numbers, each of which is worth a's scale times b's
      local each = tools.expand(of_columns(scale), tools.sizes(y)) * tools.number(a_scale)
      y = y + torch.cmul(tools.expand(bias:typeAs(y), tools.sizes(y)), each)
   end
   y = y * (c.alpha or 1)
   return y_scale and bytes(y, y_scale, y_zero) or y
end

function M.MatMulIntegerToFloat(_, a, b, a_scale, b_scale, a_zero, b_zero, bias)
   local y = integers.product(a, a_scale, a_zero, b, b_scale, b_zero)
   y = y:type(tools.beside('torch.FloatTensor', y))
   bias = bias and tools.together({ y, bias })[2]
   return bias and y + tools.expand(bias, tools.sizes(y)) or y
end

function M.DynamicQuantizeMatMul(c, a, b, b_scale, b_zero, bias)
   local codes, scale, zero = unpack(quantize.DynamicQuantizeLinear({}, a))
   return M.MatMulIntegerToFloat(c, codes, b, scale, b_scale, zero, b_zero, bias)
end

M.QuantizeLinear, M.DequantizeLinear = quantize.QuantizeLinear, quantize.DequantizeLinear

-- --- fused ---------------------------------------------------------------------------------------

function M.Gelu(_, x)
   return torch.gelu(x)
end

local function with_bias(x, bias)
   return bias and x + tools.expand(bias, tools.sizes(x)) or x
end

function M.BiasGelu(_, x, bias)
   return torch.gelu(with_bias(x, bias))
end

function M.FastGelu(_, x, bias)
   return pointwise.Gelu({ approximate = 'tanh' }, with_bias(x, bias))
end

function M.QuickGelu(c, x)
   return pointwise.Swish({ alpha = c.alpha or 1.702 }, x)
end

-- The sum of x, another and a bias, normalised, and, where it is wanted, the sum itself; the
-- outputs between are of training.
local function skip(normalization, c, x, other, bias, ...)
   local sum = with_bias(with_bias(x, bias), other)
   local y = normalization({ axis = -1, epsilon = c.epsilon or 1e-12 }, sum, ...)
   return (c.outputs or 1) > 1 and { y, sum } or y
end

function M.SkipLayerNormalization(c, x, other, scale, beta, bias)
   return skip(reduce.LayerNormalization, c, x, other, bias, scale, beta)
end

function M.SkipSimplifiedLayerNormalization(c, x, other, scale, bias)
   return skip(reduce.RMSNormalization, c, x, other, bias, scale)
end

function M.FusedMatMul(c, a, b)
   if c.transBatchA == 1 or c.transBatchB == 1 then
      error('transposed batches are not read', 0)
   end
   local function turned(x, on)
      return on == 1 and x:transpose(x:dim() - 1, x:dim()):contiguous() or x
   end
   local y = product.MatMul(c, turned(a, c.transA), turned(b, c.transB))
   return (c.alpha or 1) ~= 1 and y * c.alpha or y
end

-- A convolution or product with an activation behind it.
local function activated(f)
   return function(c, ...)
      local kind, y = c.activation or 'Relu', f(c, ...)
      local given = c.activation_params or {}
      if kind == 'Clip' then
         return torch.clamp(y, given[1], given[2])
      end
      local activation = pointwise[kind]
         or error(("the activation '%s' is not read"):format(kind), 0)
      return activation({ alpha = c.activation_alpha or given[1],
         beta = c.activation_beta or given[2], gamma = c.activation_gamma }, y)
   end
end

M.FusedConv = activated(function(c, x, W, B, more)
   local y = windows.Conv(c, x, W, B)
   return more and y + more or y
end)
M.FusedGemm = activated(product.Gemm)

local named = {}
for name, f in pairs(M) do
   named['com.microsoft.' .. name] = f
end
return named
