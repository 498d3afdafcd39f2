-- Normalisation.
local torch = require 'torch'
local walk = require 'onnx.export.walk'
local L, containers = walk.layers, walk.containers

for class, dims in pairs {
   BatchNormalization = 2, SpatialBatchNormalization = 4, VolumetricBatchNormalization = 5,
} do
   local function normalise(g, m, x)
      local ones = torch.FloatTensor(m.running_mean:nElement()):fill(1)
      local scale, shift = m.weight or ones, m.bias or ones:clone():zero()
      return g:batched(x, dims, function(images)
         return g:op('BatchNormalization', { images, scale, shift, m.running_mean, m.running_var },
            { epsilon = { float = m.eps } })
      end)
   end
   L['nn.' .. class], L['nn.Sync' .. class] = normalise, normalise -- alike in evaluation
end

-- (x - mean) / sqrt(variance + eps) over axes, which keep their dimensions.
local function normalised(g, x, axes, eps, centred)
   if centred then
      x = g:op('Sub', { x, g:reduce('ReduceMean', x, axes, true) })
   end
   local variance = g:reduce('ReduceMean', g:op('Mul', { x, x }), axes, true)
   return g:op('Div', { x, g:op('Sqrt', { g:op('Add', { variance, eps }) }) })
end

local function affine(g, y, weight, bias)
   y = weight and g:op('Mul', { y, weight }) or y
   return bias and g:op('Add', { y, bias }) or y
end

local function last_axes(x, m)
   local axes, dims = {}, x.tensor:dim()
   for i = 1, #m.size do
      axes[i] = dims - #m.size + i - 1
   end
   return axes
end

L['nn.LayerNorm'] = function(g, m, x)
   local axes = last_axes(x, m)
   if g.opset >= 17 then
      local weight = m.weight or torch.FloatTensor(m.size):fill(1)
      return g:op('LayerNormalization', { x, weight, m.bias }, { axis = axes[1],
         epsilon = { float = m.eps } })
   end
   return affine(g, normalised(g, x, axes, m.eps, true), m.weight, m.bias)
end

L['nn.LayerNormalization'] = function(g, m, x)
   local length = 1
   for i = 1, #m.size do
      length = length * m.size[i]
   end
   return affine(g, normalised(g, x, last_axes(x, m), m:__epsilon(length), true), m.weight, m.bias)
end

L['nn.RMSNorm'] = function(g, m, x)
   return affine(g, normalised(g, x, last_axes(x, m), m.eps, false), m.weight)
end

-- Groups of planes are instances of one plane.
L['nn.GroupNorm'] = function(g, m, x)
   local sizes = x.tensor:size():totable()
   local N = sizes[1]
   local rows = g:reshape(x, { N, m.groups, x.tensor:nElement() / (N * m.groups) })
   local y = g:reshape(normalised(g, rows, { 2 }, m.eps, true), sizes)
   local spread = { m.planes }
   for d = 3, #sizes do
      spread[d - 1] = 1
   end
   return affine(g, y, m.weight and m.weight:view(unpack(spread)),
      m.bias and m.bias:view(unpack(spread)))
end

L['nn.InstanceNorm'] = L['nn.GroupNorm']

L['nn.SpatialCrossMapLRN'] = function(g, m, x)
   return g:batched(x, 4, function(images)
      -- An even size counts one plane less, and divides by itself.
      local count = 2 * math.floor((m.size - 1) / 2) + 1
      return g:op('LRN', { images }, { size = count, alpha = { float = m.alpha * count / m.size },
         beta = { float = m.beta }, bias = { float = m.k } })
   end)
end

L['nn.Normalize'] = function(g, m, x)
   local axes = { x.tensor:dim() - 1 }
   local norm
   if m.p == 2 then
      norm = g:op('Sqrt', { g:op('Add', { g:reduce('ReduceSumSquare', x, axes, true), m.eps }) })
   elseif m.p == math.huge then
      norm = g:op('Add', { g:reduce('ReduceMax', g:op('Abs', { x }), axes, true), m.eps })
   else
      local sum = g:reduce('ReduceSum', g:op('Pow', { g:op('Abs', { x }), m.p }), axes, true)
      norm = g:op('Pow', { g:op('Add', { sum, m.eps }), 1 / m.p })
   end
   return g:op('Div', { x, norm })
end

-- Of the evaluation, the weight that they give the layer inside.
for _, class in ipairs { 'WeightNorm', 'SpectralNorm' } do
   containers['nn.' .. class] = function(_, m, x, export)
      if m.updateWeight then
         m:updateWeight()
      end
      return export(m.modules[1], x, 1)
   end
end

-- The means around each place, over all planes: as convolution, and corrected at the borders, where
-- fewer elements are seen.
local function means(g, m, images, x)
   local estimator = m.meanestimator
   local y = g:op('Conv', { images, estimator.weight, estimator.bias }, {
      kernel_shape = { estimator.kH, estimator.kW },
      pads = { estimator.padH, estimator.padW, estimator.padH, estimator.padW },
   })
   local dims = x.tensor:dim()
   local ones = torch.FloatTensor(1, m.nInputPlane, x.tensor:size(dims - 1),
      x.tensor:size(dims)):fill(1)
   return y, estimator:forward(ones):clone()
end

L['nn.SpatialSubtractiveNormalization'] = function(g, m, x)
   return g:batched(x, 4, function(images)
      local sums, coef = means(g, m, images, x)
      return g:op('Sub', { images, g:op('Div', { sums, coef }) })
   end)
end

L['nn.SpatialDivisiveNormalization'] = function(g, m, x)
   return g:batched(x, 4, function(images)
      local sums, coef = means(g, m, g:op('Mul', { images, images }), x)
      local s = g:op('Div', { g:op('Sqrt', { sums }), coef })
      local divisor = g:op('Where', { g:op('Greater', { s, m.threshold }), s, m.thresval })
      return g:op('Div', { images, divisor })
   end)
end
