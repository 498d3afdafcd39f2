-- For each family of kernels the layer, or criterion, that does the same: { X of X_updateOutput,
-- its constructor, sizes of an input (or the function that makes one) }, and by name `target`
-- (function of the input), and `names`, function(layer, input): what the kernel's arguments are
-- called in the layer, where that is something else. Numbers that lie near each other in a call are
-- different, so that no two can be exchanged. `flat`: the weight has two dimensions in calls.
local torch = require 'torch'
local nn = require 'nn'

local function random(...)
   return torch.Tensor(...):uniform(-1, 1)
end

local function classes(count, ...)
   return torch.LongTensor(...):random(count)
end

local function signs(...)
   return torch.Tensor(...):bernoulli():mul(2):add(-1)
end

-- With weights that are not all alike.
local function drawn(layer)
   for _, p in ipairs(layer:parameters()) do
      p:uniform(-1, 1)
   end
   return layer
end

local function full(layer, W, H, T)
   layer.dilationW, layer.dilationH, layer.dilationT = W, H, T
   return layer
end

local function pairs_of_planes()
   return torch.Tensor { { 1, 1 }, { 2, 1 }, { 2, 2 }, { 3, 2 } }
end

local function unpooling(layer, input)
   local pooling = layer.pooling
   return {
      input = pooling.output, indices = pooling.indices, owidth = input:size(input:dim()),
      oheight = input:size(input:dim() - 1), oT = input:size(input:dim() - 2),
      oW = input:size(input:dim()), oH = input:size(input:dim() - 1), dT = 1, dW = 1, dH = 1,
      pT = 0, pW = 0, pH = 0,
   }
end

local function outputs(layer, input)
   local t, w, h
   if #layer.directions == 3 then
      t, w, h = layer:getOutputSizes_(input)
   else
      w, h = layer:getOutputSizes_(input)
   end
   return { outputT = t, outputW = w, outputH = h }
end

local function fixed(layer, input)
   layer:fixPoolingRegions()
   layer:initSampleBuffer_(input)
   return outputs(layer, input)
end

local function local_sizes(layer)
   return {
      inputWidth = layer.iW, inputHeight = layer.iH, outputWidth = layer.oW,
      outputHeight = layer.oH,
   }
end

local function resampled(layer, input)
   local y, n = layer:forward(input), input:dim()
   return {
      nbatch = input:size(1), nchannels = input:size(2), inputWidth = input:size(n),
      inputHeight = input:size(n - 1), inputDepth = input:size(n - 2), outputWidth = y:size(n),
      outputHeight = y:size(n - 1), outputDepth = y:size(n - 2),
   }
end

local function evaluated(layer)
   layer:evaluate()
   return layer
end

local IMAGES, LARGE, VOLUMES = { 2, 3, 7, 6 }, { 2, 3, 14, 13 }, { 2, 3, 5, 9, 8 }

return {
   -- transfer
   { 'Abs', function() return nn.Abs() end, { 4, 5 } },
   { 'ELU', function() return nn.ELU(0.7) end, { 4, 5 } },
   { 'GatedLinear', function() return nn.GatedLinearUnit(2) end, { 3, 4, 2 } },
   { 'HardShrink', function() return nn.HardShrink(0.3) end, { 4, 5 } },
   { 'HardTanh', function() return nn.HardTanh(-0.5, 0.25) end, { 4, 5 } },
   { 'LeakyReLU', function() return nn.LeakyReLU(0.2) end, { 4, 5 } },
   { 'LogSigmoid', function() return nn.LogSigmoid() end, { 4, 5 } },
   { 'LogSoftMax', function() return nn.LogSoftMax() end, { 2, 3, 2, 2 } },
   { 'PReLU', function() return drawn(nn.PReLU(3)) end, { 2, 3, 4, 2 } },
   { 'PReLU', function() return drawn(nn.PReLU()) end, { 4, 5 } },
   { 'RReLU', function() return evaluated(nn.RReLU(0.1, 0.3)) end, { 4, 5 } },
   { 'Sigmoid', function() return nn.Sigmoid() end, { 4, 5 } },
   { 'SoftMax', function() return nn.SoftMax() end, { 3, 5 } },
   { 'SoftPlus', function() return nn.SoftPlus(2) end, { 4, 5 },
      names = function() return { threshold = 20 } end },
   { 'SoftShrink', function() return nn.SoftShrink(0.3) end, { 4, 5 } },
   { 'Sqrt', function() return nn.Sqrt(0.5) end,
      function() return torch.Tensor(3, 4):uniform() end },
   { 'Square', function() return nn.Square() end, { 4, 5 } },
   { 'Tanh', function() return nn.Tanh() end, { 4, 5 } },
   { 'Threshold', function() return nn.Threshold(0.1, -2) end, { 4, 5 } },

   -- criterion
   { 'AbsCriterion', function() return nn.AbsCriterion() end, { 4, 3 }, target = random },
   { 'AbsCriterion', function() return nn.AbsCriterion(false) end, { 4, 3 }, target = random },
   { 'BCECriterion', function() return nn.BCECriterion(torch.Tensor(4, 3):uniform()) end,
      function() return torch.Tensor(4, 3):uniform(0.1, 0.9) end, target = torch.rand },
   { 'ClassNLLCriterion', function()
      return nn.ClassNLLCriterion(torch.Tensor { 1, 2, 0.5 })
   end, { 4, 3 }, target = function() return classes(3, 4) end },
   { 'ClassNLLCriterion', function() return nn.ClassNLLCriterion(nil, false, 2) end, { 4, 3 },
      target = function() return classes(3, 4) end },
   { 'SpatialClassNLLCriterion', function()
      return nn.SpatialClassNLLCriterion(torch.Tensor { 1, 2, 0.5 })
   end, { 2, 3, 2, 4 }, target = function() return classes(3, 2, 2, 4) end },
   { 'DistKLDivCriterion', function() return nn.DistKLDivCriterion() end, { 4, 3 },
      target = torch.rand },
   { 'L1Cost', function() return nn.L1Cost() end, { 4, 3 }, target = function() end,
      names = function() return { gradOutput = torch.Tensor { 1 } } end },
   { 'MarginCriterion', function() return nn.MarginCriterion(0.5) end, { 4, 3 }, target = signs },
   { 'MSECriterion', function() return nn.MSECriterion() end, { 4, 3 }, target = random },
   { 'MSECriterion', function() return nn.MSECriterion(false) end, { 4, 3 }, target = random },
   { 'MultiLabelMarginCriterion', function() return nn.MultiLabelMarginCriterion() end, { 2, 4 },
      target = function() return torch.LongTensor { { 3, 1, 0, 4 }, { 2, 0, 0, 0 } } end },
   { 'MultiMarginCriterion', function()
      return nn.MultiMarginCriterion(2, torch.Tensor { 1, 2, 0.5 }, 0.75)
   end, { 4, 3 }, target = function() return classes(3, 4) end },
   { 'SmoothL1Criterion', function() return nn.SmoothL1Criterion() end, { 4, 3 },
      target = function(...) return random(...):mul(3) end },
   { 'SoftMarginCriterion', function() return nn.SoftMarginCriterion() end, { 4, 3 },
      target = signs },

   -- linear
   { 'Linear', function() return nn.Linear(5, 3) end, { 4, 5 } },
   { 'Linear', function() return nn.Linear(5, 3, false) end, { 4, 5 } },
   { 'LookupTable', function() return nn.LookupTable(6, 3, 2) end,
      function() return classes(6, 4, 2) end,
      names = function() return { scaleGradByFreq = false, indices = torch.LongTensor() } end },
   { 'LookupTable', function() return nn.LookupTable(6, 3):scaleGradByFreq() end,
      function() return torch.LongTensor { 1, 3, 1, 1 } end,
      names = function() return { scaleGradByFreq = true, indices = torch.LongTensor() } end },

   -- convolution
   { 'SpatialConvolutionMM', function()
      return nn.SpatialConvolutionMM(3, 4, 5, 4, 3, 2, 1, 0)
   end, LARGE },
   { 'SpatialConvolutionMM', function() return nn.SpatialConvolution(3, 4, 3, 2):noBias() end,
      { 3, 7, 6 } },
   { 'SpatialDilatedConvolution', function()
      return nn.SpatialDilatedConvolution(3, 4, 2, 3, 4, 1, 5, 0, 6, 4)
   end, LARGE },
   { 'SpatialDepthWiseConvolution', function()
      return nn.SpatialDepthWiseConvolution(3, 2, 5, 4, 3, 2, 1, 0)
   end, LARGE },
   { 'SpatialConvolutionMap', function()
      return nn.SpatialConvolutionMap(pairs_of_planes(), 3, 2, 1, 3)
   end, IMAGES },
   { 'SpatialConvolutionLocal', function()
      return nn.SpatialConvolutionLocal(3, 4, 6, 7, 4, 3, 2, 1, 0, 3)
   end, IMAGES, names = local_sizes },
   { 'SpatialFullConvolution', function()
      return nn.SpatialFullConvolution(3, 4, 5, 4, 3, 6, 1, 0, 2, 5)
   end, IMAGES },
   { 'SpatialFullDilatedConvolution', function()
      return full(nn.SpatialFullConvolution(3, 4, 5, 4, 3, 6, 1, 0, 2, 5), 3, 4)
   end, IMAGES },
   { 'SpatialFullConvolutionMap', function()
      return nn.SpatialFullConvolutionMap(pairs_of_planes(), 3, 2, 1, 3)
   end, IMAGES },
   { 'SpatialSubSampling', function() return nn.SpatialSubSampling(3, 4, 3, 2, 1) end, IMAGES },
   { 'TemporalConvolution', function() return nn.TemporalConvolution(4, 3, 3, 2) end, { 2, 7, 4 } },
   { 'TemporalSubSampling', function() return nn.TemporalSubSampling(4, 3, 2) end, { 2, 7, 4 } },
   { 'TemporalRowConvolution', function() return nn.TemporalRowConvolution(4, 3, 2, true) end,
      { 2, 4, 7 } },
   { 'TemporalRowConvolution', function() return nn.TemporalRowConvolution(4, 3, 1) end,
      { 2, 7, 4 } },
   { 'VolumetricConvolution', function()
      return nn.VolumetricConvolution(3, 2, 2, 3, 4, 1, 2, 3, 0, 4, 5)
   end, VOLUMES },
   { 'VolumetricConvolutionMM', function()
      return nn.VolumetricConvolution(3, 2, 2, 3, 4, 1, 2, 3, 0, 4, 5)
   end, VOLUMES, flat = true },
   { 'VolumetricDilatedConvolution', function()
      return nn.VolumetricDilatedConvolution(3, 2, 2, 3, 4, 1, 2, 3, 0, 4, 5, 1, 3, 2)
   end, VOLUMES },
   { 'VolumetricFullConvolution', function()
      return nn.VolumetricFullConvolution(3, 2, 3, 4, 5, 3, 4, 5, 1, 2, 0, 1, 3, 4)
   end, VOLUMES },
   { 'VolumetricFullDilatedConvolution', function()
      return full(nn.VolumetricFullConvolution(3, 2, 3, 4, 5, 3, 4, 5, 1, 2, 0, 0, 3, 4), 1, 2, 3)
   end, VOLUMES },

   -- pooling
   { 'FeatureLPPooling', function() return nn.FeatureLPPooling(4, 3, 2, true) end, { 2, 9, 3 } },
   { 'SpatialAdaptiveAveragePooling', function()
      return nn.SpatialAdaptiveAveragePooling(4, 3)
   end, IMAGES, names = function() return { owidth = 4, oheight = 3 } end },
   { 'SpatialAdaptiveMaxPooling', function() return nn.SpatialAdaptiveMaxPooling(4, 3) end, IMAGES,
      names = function() return { owidth = 4, oheight = 3 } end },
   { 'SpatialAveragePooling', function()
      return nn.SpatialAveragePooling(6, 4, 3, 5, 0, 2):ceil():setCountExcludePad()
   end, LARGE },
   { 'SpatialDilatedMaxPooling', function()
      return nn.SpatialDilatedMaxPooling(4, 6, 3, 5, 2, 0, 3, 2):ceil()
   end, LARGE },
   { 'SpatialFractionalMaxPooling', function()
      return nn.SpatialFractionalMaxPooling(2, 3, 5, 4)
   end, LARGE, names = fixed },
   { 'SpatialMaxPooling', function() return nn.SpatialMaxPooling(6, 4, 3, 5, 0, 2):ceil() end,
      LARGE },
   { 'SpatialMaxUnpooling', function()
      return nn.SpatialMaxUnpooling(nn.SpatialMaxPooling(2, 2, 2, 2))
   end, IMAGES, names = unpooling },
   { 'TemporalMaxPooling', function() return nn.TemporalMaxPooling(3, 2) end, { 2, 7, 4 } },
   { 'VolumetricAveragePooling', function()
      return nn.VolumetricAveragePooling(3, 4, 5, 1, 2, 3, 1, 0, 2):ceil():setCountExcludePad()
   end, VOLUMES },
   { 'VolumetricDilatedMaxPooling', function()
      return nn.VolumetricDilatedMaxPooling(3, 4, 5, 1, 2, 3, 1, 2, 0, 1, 3, 2):ceil()
   end, VOLUMES },
   { 'VolumetricFractionalMaxPooling', function()
      return nn.VolumetricFractionalMaxPooling(2, 1, 3, 3, 4, 5)
   end, { 2, 3, 9, 8, 7 }, names = fixed },
   { 'VolumetricMaxPooling', function()
      return nn.VolumetricMaxPooling(3, 4, 5, 1, 2, 3, 1, 0, 2):ceil()
   end, VOLUMES },
   { 'VolumetricMaxUnpooling', function()
      return nn.VolumetricMaxUnpooling(nn.VolumetricMaxPooling(2, 2, 2, 2, 2, 2))
   end, VOLUMES, names = unpooling },

   -- resampling
   { 'SpatialReflectionPadding', function() return nn.SpatialReflectionPadding(1, 2, 3, 0) end,
      IMAGES },
   { 'SpatialReplicationPadding', function() return nn.SpatialReplicationPadding(1, 2, 3, 0) end,
      IMAGES },
   { 'VolumetricReplicationPadding', function()
      return nn.VolumetricReplicationPadding(1, 2, 3, 0, 2, 1)
   end, VOLUMES },
   { 'SpatialUpSamplingNearest', function() return nn.SpatialUpSamplingNearest(2) end, IMAGES },
   { 'SpatialUpSamplingBilinear', function()
      return nn.SpatialUpSamplingBilinear { oheight = 9, owidth = 11 }
   end, IMAGES, names = resampled },
   { 'VolumetricUpSamplingNearest', function() return nn.UpSampling(2) end, VOLUMES },
   { 'VolumetricUpSamplingTrilinear', function()
      return nn.UpSampling({ odepth = 7, oheight = 9, owidth = 6 }, 'linear')
   end, VOLUMES, names = resampled },

   -- normalisation
   { 'BatchNormalization', function() return drawn(nn.SpatialBatchNormalization(3, 1e-3, 0.2)) end,
      IMAGES },
   { 'BatchNormalization', function()
      return evaluated(nn.BatchNormalization(3, nil, nil, false))
   end, { 4, 3 } },
   { 'SpatialCrossMapLRN', function() return nn.SpatialCrossMapLRN(3, 0.5, 0.75, 2) end,
      { 2, 5, 3, 4 } },
}
