-- Products with weights.
local torch = require 'torch'
local L = require('onnx.export.walk').layers

-- x W' + b, of rows or of one sample.
local function linear(g, x, weight, bias)
   if x.tensor:dim() == 2 then
      return g:op('Gemm', { x, weight, bias }, { transB = 1 })
   end
   local y = g:op('MatMul', { x, weight:t():contiguous() })
   return bias and g:op('Add', { y, bias }) or y
end

L['nn.Linear'] = function(g, m, x)
   return linear(g, x, m.weight, m.bias)
end

L['nn.LinearWeightNorm'] = L['nn.Linear']

L['nn.PartialLinear'] = function(g, m, x)
   local rows = m.partition:long()
   local weight = m.network:get(1):get(2).weight
   return linear(g, x, weight:index(1, rows), m.bias and m.bias:view(-1):index(1, rows))
end

L['nn.Bilinear'] = function(g, m, x)
   local W = m.weight
   local N = x[1].tensor:size(1)
   local flat = W:permute(3, 1, 2):contiguous():view(W:size(3), -1)
   local products = g:reshape(g:op('MatMul', { x[2], flat }), { N, W:size(1), W:size(2) })
   local y = g:squeeze(g:op('MatMul', { products, g:unsqueeze(x[1], 2) }), 2)
   return m.bias and g:op('Add', { y, m.bias }) or y
end

-- Each row divided by its length.
local function units(g, x, axis)
   local norm = g:reduce('ReduceL2', x, { axis }, true)
   return g:op('Div', { x, g:op('Add', { norm, 1e-12 }) })
end

L['nn.Cosine'] = function(g, m, x)
   local w = m.weight
   local norms = w:norm(2, 2):add(1e-12)
   return g:op('MatMul', { units(g, x, x.tensor:dim() - 1),
      torch.cdiv(w, norms:expandAs(w)):t():contiguous() })
end

for _, class in ipairs { 'Euclidean', 'WeightedEuclidean' } do
   L['nn.' .. class] = function(g, m, x)
      local last = x.tensor:dim()
      local d = g:op('Sub', { g:unsqueeze(x, last), m.weight })
      if m.diagCov then
         d = g:op('Mul', { d, m.diagCov })
      end
      return g:reduce('ReduceL2', d, { last - 1 }, false)
   end
end

local function swapped(g, x, swap)
   if not swap then
      return x
   end
   return x.tensor:dim() == 3 and g:transpose(x, 0, 2, 1) or g:transpose(x, 1, 0)
end

L['nn.MM'] = function(g, m, x)
   return g:op('MatMul', { swapped(g, x[1], m.transA), swapped(g, x[2], m.transB) })
end

L['nn.MV'] = function(g, m, x)
   local last = x[2].tensor:dim()
   return g:squeeze(g:op('MatMul', { swapped(g, x[1], m.trans), g:unsqueeze(x[2], last) }), last)
end

