--- Kernels of pooling, and of what takes it back. `indices` may be of any element type: early
-- scripts keep them as their layer's.
-- @module nn.thnn.pooling

local check = require 'nn.check'
local th = require 'torch.ffi'

local C = th.C

local prepare, finish, compute = {}, {}, {}

-- Longs beside the input: the caller's, or a copy.
local function longs(a)
   local x, indices = a.input, a.indices
   if check.suits(indices, C.TH_LONG, x) then
      return indices
   end
   return th.likeType(x, C.TH_LONG):resize(indices:size()):copy(indices)
end

local function take_indices(layer, a)
   layer.indices = longs(a)
end

local function give_indices(layer, a)
   if a.output and not rawequal(layer.indices, a.indices) then
      a.indices:resize(layer.indices:size()):copy(layer.indices)
   end
end

for _, name in ipairs { 'SpatialMaxPooling', 'SpatialDilatedMaxPooling', 'TemporalMaxPooling',
      'VolumetricMaxPooling', 'VolumetricDilatedMaxPooling', 'SpatialFractionalMaxPooling',
      'VolumetricFractionalMaxPooling' } do
   prepare[name], finish[name] = take_indices, give_indices
end

-- --- outputs of given sizes ---------------------------------------------------------------------

-- The gradient says what sizes there were.
function prepare.SpatialAdaptiveAveragePooling(layer, a)
   local g = a.gradOutput
   if g then
      check.any_tensor(layer, g, 'gradOutput')
      layer.W, layer.H = g:size(g.ndim), g:size(g.ndim - 1)
   end
end

function prepare.SpatialAdaptiveMaxPooling(layer, a)
   take_indices(layer, a)
   prepare.SpatialAdaptiveAveragePooling(layer, a)
end
finish.SpatialAdaptiveMaxPooling = give_indices

-- The caller has drawn the samples.
function compute.SpatialFractionalMaxPooling_updateOutput(layer, a)
   function layer.initSampleBuffer_() end
   layer.__checkInput(layer, a.input)
   return layer:__computeOutput(a.output, a.input)
end
compute.VolumetricFractionalMaxPooling_updateOutput =
   compute.SpatialFractionalMaxPooling_updateOutput

-- Windows may overlap: what several of them took gets the gradients of all.
function compute.SpatialFractionalMaxPooling_updateGradInput(layer, a)
   local x, g, gx = a.input, a.gradOutput, a.gradInput
   layer.__checkInput(layer, x)
   check.count(layer, g, a.indices, 'gradOutput')
   local directions = #layer.directions
   local planes = x:size(1) * (x.ndim > directions + 1 and x:size(2) or 1)
   local size = x:nElement() / planes
   local first = th.likeType(x, C.TH_LONG):range(0, (planes - 1) * size, size):view(planes, 1)
   local at = layer.indices:contiguous():view(planes, -1)
   at = at:clone():add(first:expandAs(at)):view(-1)
   gx:resize(x:size()):zero():view(-1):indexAdd(1, at, g:contiguous():view(-1))
end
compute.VolumetricFractionalMaxPooling_updateGradInput =
   compute.SpatialFractionalMaxPooling_updateGradInput

-- --- back to the maxima -------------------------------------------------------------------------

-- The layer asks its pooling layer.
function prepare.SpatialMaxUnpooling(layer, a)
   layer.pooling = {
      indices = longs(a), itime = layer.oT, iwidth = layer.owidth, iheight = layer.oheight,
   }
end
prepare.VolumetricMaxUnpooling = prepare.SpatialMaxUnpooling

return require('nn.thnn.rows').chapter([[
   FeatureLPPooling_updateOutput(input, output, power, width, stride, batchMode -> batch_mode)
   FeatureLPPooling_updateGradInput(gradOutput, input, output, gradInput, power, width, stride,
      batchMode -> batch_mode)
   SpatialAdaptiveAveragePooling_updateOutput(input, output, owidth -> W, oheight -> H)
   SpatialAdaptiveAveragePooling_updateGradInput(input, gradOutput, gradInput)
   SpatialAdaptiveMaxPooling_updateOutput(input, output, @indices, owidth -> W, oheight -> H)
   SpatialAdaptiveMaxPooling_updateGradInput(input, gradOutput, gradInput, @indices)
   SpatialAveragePooling_updateOutput(input, output, kW, kH, dW, dH, padW, padH, ceil_mode,
      count_include_pad)
   SpatialAveragePooling_updateGradInput(input, gradOutput, gradInput, kW, kH, dW, dH, padW, padH,
      ceil_mode, count_include_pad)
   SpatialDilatedMaxPooling_updateOutput(input, output, @indices, kW, kH, dW, dH, padW, padH,
      dilationW, dilationH, ceil_mode)
   SpatialDilatedMaxPooling_updateGradInput(input, gradOutput, gradInput, @indices, kW, kH, dW, dH,
      padW, padH, dilationW, dilationH, ceil_mode)
   SpatialFractionalMaxPooling_updateOutput(input, output, outputW -> outW, outputH -> outH,
      poolSizeW, poolSizeH, @indices, randomSamples)
   SpatialFractionalMaxPooling_updateGradInput(input, gradOutput, gradInput, outputW -> outW,
      outputH -> outH, poolSizeW, poolSizeH, @indices)
   SpatialMaxPooling_updateOutput(input, output, @indices, kW, kH, dW, dH, padW, padH, ceil_mode)
   SpatialMaxPooling_updateGradInput(input, gradOutput, gradInput, @indices, kW, kH, dW, dH, padW,
      padH, ceil_mode)
   SpatialMaxUnpooling_updateOutput(input, output, @indices, owidth, oheight)
   SpatialMaxUnpooling_updateGradInput(input, gradOutput, gradInput, @indices, owidth, oheight)
   TemporalMaxPooling_updateOutput(input, output, @indices, kW, dW)
   TemporalMaxPooling_updateGradInput(input, gradOutput, gradInput, @indices, kW, dW)
   VolumetricAveragePooling_updateOutput(input, output, kT, kW, kH, dT, dW, dH, padT, padW, padH,
      ceil_mode, count_include_pad)
   VolumetricAveragePooling_updateGradInput(input, gradOutput, gradInput, kT, kW, kH, dT, dW, dH,
      padT, padW, padH, ceil_mode, count_include_pad)
   VolumetricDilatedMaxPooling_updateOutput(input, output, @indices, kT, kW, kH, dT, dW, dH,
      pT -> padT, pW -> padW, pH -> padH, dilationT, dilationW, dilationH, ceilMode -> ceil_mode)
   VolumetricDilatedMaxPooling_updateGradInput(input, gradOutput, gradInput, @indices, kT, kW, kH,
      dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, dilationT, dilationW, dilationH,
      ceilMode -> ceil_mode)
   VolumetricFractionalMaxPooling_updateOutput(input, output, outputT -> outT, outputW -> outW,
      outputH -> outH, poolSizeT, poolSizeW, poolSizeH, @indices, randomSamples)
   VolumetricFractionalMaxPooling_updateGradInput(input, gradOutput, gradInput, outputT -> outT,
      outputW -> outW, outputH -> outH, poolSizeT, poolSizeW, poolSizeH, @indices)
   VolumetricMaxPooling_updateOutput(input, output, @indices, kT, kW, kH, dT, dW, dH, pT -> padT,
      pW -> padW, pH -> padH, ceilMode -> ceil_mode)
   VolumetricMaxPooling_updateGradInput(input, gradOutput, gradInput, @indices, kT, kW, kH, dT, dW,
      dH, pT -> padT, pW -> padW, pH -> padH, ceilMode -> ceil_mode)
   VolumetricMaxUnpooling_updateOutput(input, output, @indices, oT, oW -> owidth, oH -> oheight,
      dT, dW, dH, pT, pW, pH)
   VolumetricMaxUnpooling_updateGradInput(input, gradOutput, gradInput, @indices, oT,
      oW -> owidth, oH -> oheight, dT, dW, dH, pT, pW, pH)
]], { prepare = prepare, finish = finish, compute = compute })
