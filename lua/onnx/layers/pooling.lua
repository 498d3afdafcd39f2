-- Pooling.
local torch = require 'torch'
local walk = require 'onnx.export.walk'
local L, refused = walk.layers, walk.refused

-- Windows that `ceil` lets reach beyond the border are borders of that size here: runtimes
-- differ in what they make of the other way to say it.
local function windows(m, names, x, y)
   local list = { kernel_shape = {}, strides = {}, pads = {}, dilations = {} }
   local n, dims = #names, x.tensor:dim()
   for d, name in ipairs(names) do
      local k, step, pad = m['k' .. name], m['d' .. name], m['pad' .. name] or 0
      local dilation = m['dilation' .. name] or 1
      local size, outputs = x.tensor:size(dims - n + d), y:size(dims - n + d)
      local beyond = (outputs - 1) * step + (k - 1) * dilation + 1 - size - 2 * pad
      list.kernel_shape[d], list.strides[d], list.dilations[d] = k, step, dilation
      list.pads[d], list.pads[n + d] = pad, pad + math.max(beyond, 0)
      list.reaches = list.reaches or beyond > 0
   end
   return list
end

local IMAGE, VOLUME = { 'H', 'W' }, { 'T', 'H', 'W' }

for class, names in pairs {
   SpatialMaxPooling = IMAGE, SpatialDilatedMaxPooling = IMAGE, VolumetricMaxPooling = VOLUME,
   VolumetricDilatedMaxPooling = VOLUME,
} do
   L['nn.' .. class] = function(g, m, x, y)
      local list = windows(m, names, x, y)
      list.reaches = nil
      return g:batched(x, #names + 2, function(images)
         return g:op('MaxPool', { images }, list)
      end)
   end
end

-- What each mean along one dimension is divided by, in the place of the window's size.
local function counts(m, name, size, outputs)
   local k, step, pad = m['k' .. name], m['d' .. name], m['pad' .. name] or 0
   local list = torch.FloatTensor(outputs)
   for i = 1, outputs do
      local first = (i - 1) * step - pad
      local last = math.min(first + k, size + pad)
      if not m.count_include_pad then
         first, last = math.max(first, 0), math.min(last, size)
      end
      list[i] = last - first
   end
   return list
end

-- Window's size / counts, for every place.
local function corrections(m, names, x, y)
   local dims, n = y:dim(), #names
   local sizes = {}
   for d = 1, n do
      sizes[d] = y:size(dims - n + d)
   end
   local factors = torch.FloatTensor(unpack(sizes)):fill(1)
   for d, name in ipairs(names) do
      local view = {}
      for i = 1, n do
         view[i] = i == d and sizes[d] or 1
      end
      local list = counts(m, name, x.tensor:size(dims - n + d), sizes[d])
      factors:cmul(list:pow(-1):mul(m['k' .. name]):view(unpack(view)):expandAs(factors))
   end
   return factors
end

for class, names in pairs { SpatialAveragePooling = IMAGE, VolumetricAveragePooling = VOLUME } do
   L['nn.' .. class] = function(g, m, x, y)
      local list = windows(m, names, x, y)
      local reaches = list.reaches
      list.dilations, list.reaches = nil, nil
      list.count_include_pad = (m.count_include_pad or reaches) and 1 or 0
      return g:batched(x, #names + 2, function(images)
         local mean = g:op('AveragePool', { images }, list)
         if reaches then
            mean = g:op('Mul', { mean, corrections(m, names, x, y) })
         end
         return m.divide == false and g:op('Mul', { mean, m.kH * m.kW }) or mean
      end)
   end
end

L['nn.TemporalMaxPooling'] = function(g, m, x)
   return g:batched(x, 3, function(frames)
      local signals = g:op('MaxPool', { g:transpose(frames, 0, 2, 1) },
         { kernel_shape = { m.kW }, strides = { m.dW } })
      return g:transpose(signals, 0, 2, 1)
   end)
end

-- Where windows begin and end for `outputs` of `size`: they may overlap.
local function spans(size, outputs)
   local list = {}
   for i = 0, outputs - 1 do
      list[i + 1] = { math.floor(i * size / outputs), math.ceil((i + 1) * size / outputs) }
   end
   return list
end

-- The means of spans are a product with a matrix.
local function means(size, outputs)
   local matrix = torch.FloatTensor(outputs, size):zero()
   for i, span in ipairs(spans(size, outputs)) do
      matrix[i]:narrow(1, span[1] + 1, span[2] - span[1]):fill(1 / (span[2] - span[1]))
   end
   return matrix
end

L['nn.SpatialAdaptiveAveragePooling'] = function(g, m, x)
   local dims = x.tensor:dim()
   local H, W = x.tensor:size(dims - 1), x.tensor:size(dims)
   return g:batched(x, 4, function(images)
      if m.H == 1 and m.W == 1 then
         return g:op('GlobalAveragePool', { images })
      elseif H % m.H == 0 and W % m.W == 0 then
         local kernel = { H / m.H, W / m.W }
         return g:op('AveragePool', { images }, { kernel_shape = kernel, strides = kernel })
      end
      local rows = g:op('MatMul', { means(H, m.H), images })
      return g:op('MatMul', { rows, means(W, m.W):t():contiguous() })
   end)
end

local function maxima(g, images, axis, size, outputs)
   local parts = {}
   for i, span in ipairs(spans(size, outputs)) do
      parts[i] = g:reduce('ReduceMax', g:slice(images, axis, span[1], span[2]), { axis }, true)
   end
   return g:op('Concat', parts, { axis = axis })
end

L['nn.SpatialAdaptiveMaxPooling'] = function(g, m, x)
   local dims = x.tensor:dim()
   return g:batched(x, 4, function(images)
      local rows = maxima(g, images, 2, x.tensor:size(dims - 1), m.H)
      return maxima(g, rows, 3, x.tensor:size(dims), m.W)
   end)
end

L['nn.FeatureLPPooling'] = function(g, m, x, y)
   local batch = m.batch_mode and 1 or 0
   if g.dynamic and batch == 0 then
      g:refuse('it has no batch, whose size may change: give dynamicBatch = false')
   end
   local sizes = x.tensor:size():totable()
   local features = sizes[batch + 1]
   local flat = { batch == 1 and sizes[1] or 1, 1, features, -1 }
   local rest = x.tensor:nElement() / (flat[1] * features)
   flat[4] = rest
   local images = g:reshape(x, flat)
   if m.power ~= 1 then
      images = g:op('Pow', { images, m.power })
   end
   local mean = g:op('AveragePool', { images }, { kernel_shape = { m.width, 1 },
      strides = { m.stride, 1 } })
   local sum = g:op('Mul', { mean, m.width })
   if m.power ~= 1 then
      sum = g:op('Pow', { sum, 1 / m.power })
   end
   return g:reshape(sum, y:size())
end

-- The k largest in the order of time: their places, sorted, are looked up.
L['nn.TemporalDynamicKMaxPooling'] = function(g, _, x, y)
   local axis = x.tensor:dim() - 2
   local k = torch.LongTensor { y:size(axis + 1) }
   local _, places = g:op('TopK', { x, k }, { axis = axis, largest = 1 }, 2)
   local sorted = g:op('TopK', { places, k }, { axis = axis, largest = 0, sorted = 1 }, 2)
   return g:op('GatherElements', { x, sorted }, { axis = axis })
end

for _, class in ipairs { 'SpatialFractionalMaxPooling', 'VolumetricFractionalMaxPooling' } do
   refused['nn.' .. class] = 'it draws its windows at random, in evaluation too, and ONNX has no '
      .. 'operator for that'
end
for _, class in ipairs { 'SpatialMaxUnpooling', 'VolumetricMaxUnpooling' } do
   refused['nn.' .. class] = 'it reads the places of a pooling layer elsewhere in the net, '
      .. 'from which no edge of a graph leads'
end
