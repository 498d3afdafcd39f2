-- Layers of one addition or product, and those that only training knows of.
local torch = require 'torch'
local types = require 'onnx.types'
local repeated = require 'nn.base.repeated'
local walk = require 'onnx.export.walk'

local L = walk.layers

-- In evaluation they hand on what comes, tables too.
for _, class in ipairs {
   'Identity', 'PrintSize', 'ZeroGrad', 'GradientReversal', 'Contiguous', 'L1Penalty',
} do
   walk.containers['nn.' .. class] = function(_, _, x)
      return x
   end
end

local function refuse_draws(g, m)
   if m.stochastic_inference and m.p > 0 then
      g:refuse('with stochasticInference it draws in evaluation, too')
   end
end

for _, class in ipairs { 'SpatialDropout', 'VolumetricDropout' } do
   L['nn.' .. class] = function(g, m, x)
      refuse_draws(g, m)
      return g:op('Mul', { x, 1 - m.p })
   end
end

L['nn.WhiteNoise'] = function(g, m, x)
   return g:op('Add', { x, m.mean })
end

L['nn.Dropout'] = function(g, m, x)
   refuse_draws(g, m)
   return m.v2 and g:op('Identity', { x }) or g:op('Mul', { x, 1 - m.p })
end

-- Sizes of one sample, or of the whole input where a batch has the numbers of one.
local function spread(m, w, x)
   return repeated.over(m, w, x.tensor)
end

L['nn.Add'] = function(g, m, x)
   if m.bias:nElement() == 1 then
      return g:op('Add', { x, m.bias })
   end
   local sizes, count, d = x.tensor:size():totable(), m.bias:nElement(), x.tensor:dim()
   local own, product = {}, 1
   while product < count and d > 0 do -- the last dimensions that have as many elements as b
      product = product * sizes[d]
      table.insert(own, 1, sizes[d])
      d = d - 1
   end
   if product ~= count then
      g:refuse('an input of %s has no dimensions of %d elements', table.concat(sizes, 'x'), count)
   end
   return g:op('Add', { x, m.bias:view(unpack(own)) })
end

L['nn.AddConstant'] = function(g, m, x)
   local c = m.constant_scalar
   return g:op('Add', { x, torch.isTensor(c) and spread(m, c, x) or c })
end

L['nn.CAdd'] = function(g, m, x)
   return g:op('Add', { x, spread(m, m.bias, x) })
end

L['nn.CMul'] = function(g, m, x)
   return g:op('Mul', { x, spread(m, m.weight, x) })
end

L['nn.Mul'] = function(g, m, x)
   return g:op('Mul', { x, m.weight })
end

L['nn.MulConstant'] = function(g, m, x)
   return g:op('Mul', { x, m.constant_scalar })
end

L['nn.Constant'] = function(g, m, x, y)
   local value = m.value
   if not (m.nInputDim and x.tensor:dim() > m.nInputDim) then
      return g:op('Identity', { value })
   end
   return g:expand(value:view(1, unpack(value:size():totable())), y:size():totable(), x)
end

L['nn.Copy'] = function(g, _, x, y)
   local from, to = types.number(x.tensor:type()), types.number(y:type())
   return from == to and g:op('Identity', { x }) or g:op('Cast', { x }, { to = to })
end

--- Positions as integers that count from 0.
local function positions(g, x)
   local long = x.tensor:type() == 'torch.LongTensor' and x or g:op('Cast', { x },
      { to = types.INT64 })
   return g:op('Sub', { long, torch.LongTensor { 1 }:view(1) })
end

L['nn.OneHot'] = function(g, m, x)
   return g:op('OneHot', { positions(g, x), torch.LongTensor { m.outputSize },
      torch.FloatTensor { 0, 1 } }, { axis = -1 })
end

L['nn.LookupTable'] = function(g, m, x)
   if m.maxNorm then
      g:refuse('with maxNorm it changes its weights as it looks them up')
   end
   return g:op('Gather', { m.weight, positions(g, x) }, { axis = 0 })
end
