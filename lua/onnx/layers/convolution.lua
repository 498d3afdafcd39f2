-- Convolutions and their transposes.
local L = require('onnx.export.walk').layers

-- The attributes of a convolution along a class's axes.
local function attributes(m)
   local list = { kernel_shape = {}, strides = {}, pads = {}, dilations = {},
      group = m.groups or 1 }
   local n = #m.__axes
   for d, axis in ipairs(m.__axes) do
      list.kernel_shape[d], list.strides[d] = m[axis.kernel], m[axis.stride]
      list.pads[d], list.pads[n + d] = m[axis.padding] or 0, m[axis.padding] or 0
      list.dilations[d] = m[axis.dilation] or 1
   end
   return list, n
end

local function convolution(g, m, x, weight, bias)
   local list, n = attributes(m)
   return g:batched(x, n + 2, function(images)
      return g:op('Conv', { images, weight, bias }, list)
   end)
end

for _, class in ipairs {
   'SpatialConvolution', 'SpatialConvolutionMM', 'SpatialDilatedConvolution',
   'VolumetricConvolution', 'VolumetricDilatedConvolution', 'SpatialConvolutionMap',
} do
   L['nn.' .. class] = function(g, m, x)
      return convolution(g, m, x, m:__kernel():clone(), m.bias)
   end
end

L['nn.SpatialDepthWiseConvolution'] = function(g, m, x)
   local weight = m:__kernel():clone()
   return convolution(g, m, x, weight, m.bias and m.bias:t():contiguous():view(-1))
end

for _, class in ipairs {
   'SpatialFullConvolution', 'VolumetricFullConvolution', 'SpatialFullConvolutionMap',
} do
   L['nn.' .. class] = function(g, m, x, y)
      x = x.name and x or x[1] -- a second input gives the size alone
      local list, n = attributes(m)
      list.output_padding = {}
      local dims = x.tensor:dim()
      for d, axis in ipairs(m.__axes) do
         local least = (x.tensor:size(dims - n + d) - 1) * list.strides[d] - 2 * list.pads[d]
            + (m[axis.kernel] - 1) * list.dilations[d] + 1
         list.output_padding[d] = y:size(dims - n + d) - least
      end
      return g:batched(x, n + 2, function(images)
         return g:op('ConvTranspose', { images, m:__kernel():clone(), m.bias }, list)
      end)
   end
end

-- Frames come before features here, behind them in the file.
local function over_time(g, x, f)
   return g:batched(x, 3, function(frames)
      return g:transpose(f(g:transpose(frames, 0, 2, 1)), 0, 2, 1)
   end)
end

L['nn.TemporalConvolution'] = function(g, m, x)
   local weight = m.weight:view(-1, m.kW, m.inputFrameSize):transpose(2, 3):contiguous()
   return over_time(g, x, function(signals)
      return g:op('Conv', { signals, weight, m.bias }, { kernel_shape = { m.kW },
         strides = { m.dW } })
   end)
end

L['nn.TemporalRowConvolution'] = function(g, m, x)
   local list = attributes(m)
   local function run(signals)
      return g:op('Conv', { signals, m:__kernel():clone(), m.bias }, list)
   end
   return m.featFirst and g:batched(x, 3, run) or over_time(g, x, run)
end

-- A sum of windows is their mean, times their size.
local function sub_sampling(g, m, signals, kernel, stride)
   local count = 1
   local sizes = { -1 }
   for d, n in ipairs(kernel) do
      count, sizes[d + 1] = count * n, 1
   end
   local mean = g:op('AveragePool', { signals }, { kernel_shape = kernel, strides = stride })
   local y = g:op('Mul', { mean, (m.weight * count):view(unpack(sizes)) })
   return m.bias and g:op('Add', { y, m.bias:view(unpack(sizes)) }) or y
end

L['nn.SpatialSubSampling'] = function(g, m, x)
   return g:batched(x, 4, function(images)
      return sub_sampling(g, m, images, { m.kH, m.kW }, { m.dH, m.dW })
   end)
end

L['nn.TemporalSubSampling'] = function(g, m, x)
   return over_time(g, x, function(signals)
      return sub_sampling(g, m, signals, { m.kW }, { m.dW })
   end)
end

-- A product for each place: columns of all windows by the kernels of their places.
L['nn.SpatialConvolutionLocal'] = function(g, m, x)
   local planes = m.nInputPlane
   return g:batched(x, 4, function(images)
      local padded = g:op('Pad', { images, g:integers { 0, 0, m.padH, m.padW, 0, 0, m.padH,
         m.padW } })
      local taps = {} -- each tap of all windows, N x C x 1 x oH x oW
      for i = 0, m.kH - 1 do
         for j = 0, m.kW - 1 do
            local rows = g:slice(padded, 2, i, i + (m.oH - 1) * m.dH + 1, m.dH)
            local tap = g:slice(rows, 3, j, j + (m.oW - 1) * m.dW + 1, m.dW)
            taps[#taps + 1] = g:unsqueeze(tap, 2)
         end
      end
      local seen = g:op('Concat', taps, { axis = 2 }) -- N x C x kH kW x oH x oW
      local W = m.weight:view(m.oH, m.oW, m.nOutputPlane, planes, -1):permute(3, 4, 5, 1, 2)
         :contiguous() -- out x C x kH kW x oH x oW
      local products = g:op('Mul', { g:unsqueeze(seen, 1), W })
      local y = g:reduce('ReduceSum', products, { 2, 3 }, false)
      return m.bias and g:op('Add', { y, m.bias }) or y
   end)
end
