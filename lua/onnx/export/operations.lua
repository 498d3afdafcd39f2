--- The exporters of operations of the core: name -> function(g, a, r) that returns the names of
-- what comes out; a has the operands by their names in lib/TH/ops, r is the first result.
-- @module onnx.export.operations
local torch = require 'torch'
local types = require 'onnx.types'
local L = require 'onnx.layers'

local M = {}

local function tensor_of(x)
   return torch.isTensor(x) and x or x.tensor
end

for name, operator in pairs {
   abs = 'Abs', neg = 'Neg', sign = 'Sign', exp = 'Exp', log = 'Log', sqrt = 'Sqrt', sin = 'Sin',
   cos = 'Cos', tan = 'Tan', tanh = 'Tanh', floor = 'Floor', ceil = 'Ceil', sigmoid = 'Sigmoid',
   softplus = 'Softplus', relu = 'Relu', softsign = 'Softsign', cinv = 'Reciprocal', asin = 'Asin',
   acos = 'Acos', atan = 'Atan', sinh = 'Sinh', cosh = 'Cosh', alias = 'Identity',
} do
   M[name] = function(g, a)
      return g:op(operator, { a.x or a.t })
   end
end

-- As the layers of their names.
for name, class in pairs {
   square = 'Square', selu = 'SELU', tanhshrink = 'TanhShrink', logsigmoid = 'LogSigmoid',
   gelu = 'GELU', silu = 'SiLU', mish = 'Mish', hardsigmoid = 'HardSigmoid',
   hardswish = 'HardSwish',
} do
   M[name] = function(g, a)
      return L['nn.' .. class](g, {}, a.x)
   end
end

function M.gelu_tanh(g, a)
   return L['nn.GELU'](g, { tanh = true }, a.x)
end

function M.rsqrt(g, a)
   return g:op('Reciprocal', { g:op('Sqrt', { a.x }) })
end

local SMALL = { [types.UINT8] = true, [types.INT8] = true, [types.INT16] = true }

local function is_small(r)
   return SMALL[types.written(r:type())] or false
end

-- A tensor of the type that r is computed in.
local function words(r)
   return is_small(r) and torch.IntTensor() or r
end

-- f(x, ...) of operands of r's type. Runtimes have no arithmetic of bytes, such as masks are: that
-- is done in 32 bits, and cut off.
local function in_words(g, r, f, ...)
   if not is_small(r) then
      return f(...)
   end
   local list = { ... }
   for i, x in ipairs(list) do
      list[i] = type(x) == 'number' and g:number(x, torch.IntTensor())
         or g:op('Cast', { x }, { to = types.INT32 })
   end
   return g:op('Cast', { f(unpack(list)) }, { to = types.written(r:type()) })
end

local function arithmetic(g, operator, r, ...)
   return in_words(g, r, function(...)
      return g:op(operator, { ... })
   end, ...)
end

for name, operator in pairs {
   add_value = 'Add', mul = 'Mul', div = 'Div', pow = 'Pow', cmax_value = 'Max', cmin_value = 'Min',
} do
   M[name] = function(g, a, r)
      return arithmetic(g, operator, r, a.x, a.value)
   end
end

function M.tpow(g, a, r)
   return arithmetic(g, 'Pow', r, a.value, a.x)
end

function M.clamp(g, a)
   local function bound(value)
      return math.abs(value) < math.huge and value
   end
   return g:op('Clip', { a.x, bound(a.a), bound(a.b) })
end

function M.threshold(g, a)
   return L['nn.Threshold'](g, { threshold = a.a, val = a.b }, a.x)
end

function M.leaky_relu(g, a)
   return L['nn.LeakyReLU'](g, { negval = a.a }, a.x)
end

for name, operator in pairs {
   cmul = 'Mul', cdiv = 'Div', cpow = 'Pow', cmax = 'Max', cmin = 'Min',
} do
   M[name] = function(g, a, r)
      return arithmetic(g, operator, r, a.x, a.y)
   end
end

-- `like`: a tensor of x's type.
local function scaled(g, x, factor, like)
   return factor == 1 and x or g:op('Mul', { x, g:number(factor, like) })
end

function M.add_scaled(g, a, r)
   return in_words(g, r, function(x, y)
      if a.value == -1 then
         return g:op('Sub', { x, y })
      end
      return g:op('Add', { x, scaled(g, y, a.value, words(r)) })
   end, a.x, a.y)
end

for name, operator in pairs { addcmul = 'Mul', addcdiv = 'Div' } do
   M[name] = function(g, a, r)
      return in_words(g, r, function(x, y, z)
         return g:op('Add', { x, scaled(g, g:op(operator, { y, z }), a.value, words(r)) })
      end, a.x, a.y, a.z)
   end
end

-- Masks are bytes here.
for name, operator in pairs {
   lt = 'Less', le = 'LessOrEqual', gt = 'Greater', ge = 'GreaterOrEqual', eq = 'Equal',
} do
   for suffix, operand in pairs { [''] = 'y', _value = 'value' } do
      M[name .. suffix] = function(g, a)
         return g:op('Cast', { g:op(operator, { a.x, a[operand] }) }, { to = 2 })
      end
   end
end

for name, kind in pairs { sum = 'ReduceSum', mean = 'ReduceMean', prod = 'ReduceProd' } do
   M[name] = function(g, a, r)
      if g.dynamic and a.dim == 0 then
         g:refuse('%s reduces the batch, whose size may change: give dynamicBatch = false', name)
      end
      return in_words(g, r, function(x)
         return g:reduce(kind, x, { a.dim }, true)
      end, a.x)
   end
end

for name, kinds in pairs { max = { 'ReduceMax', 'ArgMax' }, min = { 'ReduceMin', 'ArgMin' } } do
   M[name] = function(g, a)
      local at = g:op(kinds[2], { a.x }, { axis = a.dim, keepdims = 1 })
      return g:reduce(kinds[1], a.x, { a.dim }, true), g:op('Add', { at, torch.LongTensor { 1 } })
   end
end

function M.norm(g, a)
   if a.p ~= 1 and a.p ~= 2 then
      g:refuse('norms of exponent 1 and 2 are exported, this is %g', a.p)
   end
   return g:reduce(a.p == 1 and 'ReduceL1' or 'ReduceL2', a.x, { a.dim }, true)
end

function M.softmax(g, a)
   return g:op('Softmax', { a.x }, { axis = a.dim })
end

function M.log_softmax(g, a)
   return g:op('LogSoftmax', { a.x }, { axis = a.dim })
end

function M.cumsum(g, a)
   return g:op('CumSum', { a.x, torch.LongTensor { a.dim } })
end

-- beta t + alpha a b.
local function product(g, a, r)
   local y = scaled(g, g:op('MatMul', { a.a, a.b or a.x }), a.alpha, r)
   return a.beta == 0 and y or g:op('Add', { scaled(g, a.t, a.beta, r), y })
end

M.addmm, M.baddbmm, M.addmv = product, product, product

function M.linear(g, a)
   local weight = a.weight
   weight = torch.isTensor(weight) and weight:t():contiguous() or g:transpose(weight, 1, 0)
   local y = g:op('MatMul', { a.x, weight })
   return a.bias and g:op('Add', { y, a.bias }) or y
end

local function doubled(list)
   local both = { unpack(list) }
   for i, n in ipairs(list) do
      both[#list + i] = n
   end
   return both
end

function M.conv(g, a)
   local x = a.x
   local function run(images)
      return g:op('Conv', { images, a.weight, a.bias }, { strides = a.stride,
         pads = doubled(a.padding), dilations = a.dilation, group = a.groups })
   end
   return tensor_of(x):dim() == a.dims + 1 and g:squeeze(run(g:unsqueeze(x, 0)), 0) or run(x)
end

-- Layers with windows have the names of their axes.
local AXES = { [2] = { 'H', 'W' }, [3] = { 'T', 'H', 'W' } }

local function window(a)
   local m = { count_include_pad = a.count_padding, divide = true }
   for d, name in ipairs(AXES[a.dims]) do
      m['k' .. name], m['d' .. name], m['pad' .. name] = a.kernel[d], a.stride[d], a.padding[d]
      m['dilation' .. name] = a.dilation[d]
   end
   return m
end

function M.max_pool(g, a, r)
   local class = a.dims == 2 and 'nn.SpatialMaxPooling' or 'nn.VolumetricMaxPooling'
   return L[class](g, window(a), a.x, r)
end

function M.avg_pool(g, a, r)
   local class = a.dims == 2 and 'nn.SpatialAveragePooling' or 'nn.VolumetricAveragePooling'
   return L[class](g, window(a), a.x, r)
end

function M.adaptive_avg_pool(g, a)
   return L['nn.SpatialAdaptiveAveragePooling'](g, { H = a.sizes[1], W = a.sizes[2] }, a.x)
end

-- --- views --------------------------------------------------------------------------------------

function M.narrow(g, a)
   if g.dynamic and a.dim == 0 then
      g:refuse 'it cuts the batch, whose size may change: give dynamicBatch = false'
   end
   return g:slice(a.t, a.dim, a.first, a.first + a.length)
end

function M.select(g, a)
   return g:squeeze(g:slice(a.t, a.dim, a.index, a.index + 1), a.dim)
end

function M.transpose(g, a)
   local order = {}
   for d = 1, tensor_of(a.t):dim() do
      order[d] = d - 1
   end
   order[a.dim1 + 1], order[a.dim2 + 1] = a.dim2, a.dim1
   return g:transpose(a.t, unpack(order))
end

function M.permute(g, a)
   return g:transpose(a.t, unpack(a.order))
end

function M.view(g, a, r)
   return g:reshape(a.t, r:size())
end

M.squeeze, M.unsqueeze = M.view, M.view

-- Sizes that stay are written as 1, which any batch keeps; rows are stretched to the input's.
function M.expand(g, a, r)
   local own, sizes = tensor_of(a.t):size():totable(), r:size():totable()
   for d = 1, #own do
      local at = #sizes - #own + d
      sizes[at] = own[d] == sizes[at] and 1 or sizes[at]
   end
   return g:expand(a.t, sizes, g.first)
end

function M.copy(g, a, r)
   local x = a.x
   local from, to = types.written(tensor_of(x):type()), types.written(r:type())
   local name = from == to and g:op('Identity', { x }) or g:op('Cast', { x }, { to = to })
   return tensor_of(x):isSameSizeAs(r) and name or g:reshape(name, r:size())
end

function M.cat(g, a)
   return g:op('Concat', a.xs, { axis = a.dim })
end

local function from_zero(g, positions)
   return torch.isTensor(positions) and positions:long() - 1
      or g:op('Sub', { positions, torch.LongTensor { 1 } })
end

function M.index(g, a)
   return g:op('Gather', { a.x, from_zero(g, a.positions) }, { axis = a.dim })
end

function M.gather(g, a)
   return g:op('GatherElements', { a.x, from_zero(g, a.positions) }, { axis = a.dim })
end

return M
