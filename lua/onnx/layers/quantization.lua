-- Layers on bytes, as pairs of QuantizeLinear and DequantizeLinear around operators on floats,
-- which runtimes join to operators on bytes.
local torch = require 'torch'
local Graph = require 'onnx.export.Graph'
local walk = require 'onnx.export.walk'
local types = require 'onnx.types'
local L, containers = walk.layers, walk.containers

local PER_CHANNEL = 13 -- the opset from which on scales may be those of an axis

-- A constant without dimensions: a float, or a byte.
local function number(g, x, class)
   local name = g:fresh 'number'
   table.insert(g.constants, types.encode(name, torch.getmetatable(class).new(1):fill(x), {}))
   return name
end

local function scale_and_zero(g, scale, zero)
   return number(g, scale, 'torch.FloatTensor'), number(g, zero, 'torch.ByteTensor')
end

local function quantize(g, x, scale, zero)
   return g:op('QuantizeLinear', { x, scale_and_zero(g, scale, zero) })
end

local function dequantize(g, x, scale, zero)
   return g:op('DequantizeLinear', { x, scale_and_zero(g, scale, zero) })
end

-- What an input of bytes, or one that is rounded to such first, stands for.
local function numbers(g, x, scale, zero)
   if x.tensor:type() ~= 'torch.ByteTensor' then
      return dequantize(g, quantize(g, x, scale, zero), scale, zero)
   end
   return dequantize(g, x, scale, zero)
end

-- The outputs of a layer: bytes where it gives such.
local function given(g, m, y)
   return m.outScale and quantize(g, y, m.outScale, m.outZero) or y
end

local function weight(g, m)
   g:need(PER_CHANNEL, 'DequantizeLinear with an axis')
   local zeros = torch.CharTensor(m.weight:size(1)):zero()
   return g:op('DequantizeLinear', { m.weight:clone(), m.weightScale:float(), zeros },
      { axis = 0 })
end

L['nn.QuantizedLinear'] = function(g, m, x)
   local rows = numbers(g, x, m.inScale, m.inZero)
   local bias = m.bias:float()
   local y
   if x.tensor:dim() == 2 then
      y = g:op('Gemm', { rows, weight(g, m), bias }, { transB = 1 })
   else
      y = g:op('Add', { g:op('MatMul', { rows, g:transpose(weight(g, m), 1, 0) }), bias })
   end
   return given(g, m, y)
end

L['nn.QuantizedConvolution'] = function(g, m, x)
   local addend
   if not Graph.isValue(x) then
      x, addend = x[1], x[2]
   end
   local floats = g:value(numbers(g, x, m.inScale, m.inZero), x.tensor)
   local y = g:batched(floats, 4, function(images)
      return g:op('Conv', { images, weight(g, m), m.bias:float() }, {
         kernel_shape = { m.kH, m.kW }, strides = { m.dH, m.dW },
         pads = { m.padH, m.padW, m.padH, m.padW },
         dilations = { m.dilationH or 1, m.dilationW or 1 }, group = m.groups or 1,
      })
   end)
   if addend then
      y = g:op('Add', { y, numbers(g, addend, m.addScale, m.addZero) })
   end
   return given(g, m, y)
end

L['nn.QuantizedAdd'] = function(g, m, x)
   return given(g, m, g:op('Add', { numbers(g, x[1], m.first.scale, m.first.zero),
      numbers(g, x[2], m.second.scale, m.second.zero) }))
end

L['nn.QuantizedMaxPooling'] = function(g, m, x, y)
   local floats = g:value(numbers(g, x, m.inScale, m.inZero), x.tensor)
   return given(g, m, L['nn.SpatialMaxPooling'](g, m, floats, y))
end

containers['nn.QuantizedResidual'] = function(_, m, x, export)
   local addend = export(m.modules[2], x, 2)
   local main = m:mainSteps()
   for i = 1, #main - 1 do
      x = export(main[i], x, 1)
   end
   return export(main[#main], { x, addend }, 1)
end

L['nn.FakeQuantize'] = function(g, m, x)
   local n = m:numbers()
   return numbers(g, x, n.scale, n.zero)
end

containers['nn.FakeQuantizedWeight'] = function(_, m, x, export)
   m:updateWeight()
   return export(m.modules[1], x, 1)
end

-- Groups of columns with scales of their own are not in the schema before opset 21: floats.
L['nn.PackedLinear'] = function(g, m, x)
   return L['nn.Linear'](g, { weight = m:unpacked(), bias = m.bias }, x)
end

L['nn.PackedLookupTable'] = function(g, m, x)
   return L['nn.LookupTable'](g, { weight = m:unpacked() }, x)
end
