-- Transfer functions.
local L = require('onnx.export.walk').layers

-- Those that have an operator of their own.
for class, operator in pairs {
   Abs = 'Abs', Exp = 'Exp', Log = 'Log', Sigmoid = 'Sigmoid', Tanh = 'Tanh', SoftSign = 'Softsign',
   ReLU = 'Relu',
} do
   L['nn.' .. class] = function(g, _, x)
      return g:op(operator, { x })
   end
end

L['nn.Square'] = function(g, _, x)
   return g:op('Mul', { x, x })
end

L['nn.Sqrt'] = function(g, m, x)
   return g:op('Sqrt', { m.eps ~= 0 and g:op('Add', { x, m.eps }) or x })
end

L['nn.Power'] = function(g, m, x)
   return g:op('Pow', { x, m.pow })
end

L['nn.LogSigmoid'] = function(g, _, x)
   return g:op('Neg', { g:op('Softplus', { g:op('Neg', { x }) }) })
end

L['nn.HardSigmoid'] = function(g, _, x)
   return g:op('HardSigmoid', { x }, { alpha = { float = 1 / 6 }, beta = { float = 0.5 } })
end

L['nn.HardTanh'] = function(g, m, x)
   return g:op('Clip', { x, m.min_val, m.max_val })
end

L['nn.Clamp'] = L['nn.HardTanh']

L['nn.ReLU6'] = function(g, _, x)
   return g:op('Clip', { x, 0, 6 })
end

L['nn.TanhShrink'] = function(g, _, x)
   return g:op('Sub', { x, g:op('Tanh', { x }) })
end

L['nn.HardShrink'] = function(g, m, x)
   return g:op('Shrink', { x }, { lambd = { float = m.lambda }, bias = { float = 0 } })
end

L['nn.SoftShrink'] = function(g, m, x)
   return g:op('Shrink', { x }, { lambd = { float = m.lambda }, bias = { float = m.lambda } })
end

L['nn.SoftPlus'] = function(g, m, x)
   if m.beta == 1 then
      return g:op('Softplus', { x })
   end
   return g:op('Div', { g:op('Softplus', { g:op('Mul', { x, m.beta }) }), m.beta })
end

L['nn.Threshold'] = function(g, m, x)
   return g:op('Where', { g:op('Greater', { x, m.threshold }), x, m.val })
end

L['nn.LeakyReLU'] = function(g, m, x)
   return g:op('LeakyRelu', { x }, { alpha = { float = m.negval } })
end

-- In evaluation the slope is the mean of what is drawn in training.
L['nn.RReLU'] = function(g, m, x)
   return g:op('LeakyRelu', { x }, { alpha = { float = (m.lower + m.upper) / 2 } })
end

L['nn.PReLU'] = function(g, m, x)
   local dims, sizes = x.tensor:dim(), {}
   for d = 1, dims do
      sizes[d] = 1
   end
   if m.nOutputPlane > 0 then
      sizes[(dims == 1 or dims == 3) and 1 or 2] = m.nOutputPlane
   end
   return g:op('PRelu', { x, m.weight:view(unpack(sizes)) })
end

L['nn.ELU'] = function(g, m, x)
   return g:op('Elu', { x }, { alpha = { float = m.alpha } })
end

L['nn.CELU'] = function(g, m, x)
   return g:op('Celu', { x }, { alpha = { float = m.alpha } })
end

L['nn.SELU'] = function(g, _, x)
   return g:op('Selu', { x }, { alpha = { float = 1.6732632423543772 },
      gamma = { float = 1.0507009873554805 } })
end

L['nn.GELU'] = function(g, m, x)
   if g.opset >= 20 then
      return g:op('Gelu', { x }, { approximate = m.tanh and 'tanh' or 'none' })
   end
   local inner
   if m.tanh then
      local cube = g:op('Mul', { x, g:op('Mul', { x, x }) })
      local sum = g:op('Add', { x, g:op('Mul', { cube, 0.044715 }) })
      inner = g:op('Tanh', { g:op('Mul', { sum, math.sqrt(2 / math.pi) }) })
   else
      inner = g:op('Erf', { g:op('Mul', { x, math.sqrt(0.5) }) })
   end
   return g:op('Mul', { g:op('Mul', { x, 0.5 }), g:op('Add', { inner, 1 }) })
end

L['nn.SiLU'] = function(g, _, x)
   return g:op('Mul', { x, g:op('Sigmoid', { x }) })
end

L['nn.Mish'] = function(g, _, x)
   return g:op('Mul', { x, g:op('Tanh', { g:op('Softplus', { x }) }) })
end

L['nn.HardSwish'] = function(g, _, x)
   local gate = g:op('HardSigmoid', { x }, { alpha = { float = 1 / 6 }, beta = { float = 0.5 } })
   return g:op('Mul', { x, gate })
end

L['nn.GatedLinearUnit'] = function(g, m, x)
   local axis = (m.dim or x.tensor:dim()) - 1
   local half = x.tensor:size(axis + 1) / 2
   return g:op('Mul', { g:slice(x, axis, 0, half),
      g:op('Sigmoid', { g:slice(x, axis, half, 2 * half) }) })
end

-- Classes lie in the first dimension of one sample.
local function class_axis(x)
   return (x.tensor:dim() + 1) % 2
end

for _, class in ipairs { 'SoftMax', 'SpatialSoftMax' } do
   L['nn.' .. class] = function(g, _, x)
      return g:op('Softmax', { x }, { axis = class_axis(x) })
   end
end

for _, class in ipairs { 'LogSoftMax', 'SpatialLogSoftMax' } do
   L['nn.' .. class] = function(g, _, x)
      return g:op('LogSoftmax', { x }, { axis = class_axis(x) })
   end
end

L['nn.SoftMin'] = function(g, _, x)
   return g:op('Softmax', { g:op('Neg', { x }) }, { axis = class_axis(x) })
end
