--- Kernels of convolutions. What Torch7 reads off the weight is read off it here.
-- @module nn.thnn.convolution


local prepare, compute = {}, {}

-- In and out planes, and the kernel's sizes, from a weight out x in x kernel.
local function planes(layer, out, inside)
   layer.nOutputPlane, layer.nInputPlane = layer.weight:size(out), layer.weight:size(inside)
end

function prepare.SpatialConvolutionMM(layer)
   local weight = layer.weight
   layer.nOutputPlane = weight:size(1)
   layer.nInputPlane = weight:nElement() / (weight:size(1) * layer.kW * layer.kH)
end
prepare.SpatialDilatedConvolution = prepare.SpatialConvolutionMM

-- As the layer has them: planes out of each x planes in.
function prepare.SpatialDepthWiseConvolution(layer)
   planes(layer, 1, 2)
   layer.groups = layer.nInputPlane
end

function prepare.SpatialConvolutionMap(layer)
   layer.kH, layer.kW = layer.weight:size(2), layer.weight:size(3)
end
prepare.SpatialFullConvolutionMap = prepare.SpatialConvolutionMap

function prepare.SpatialFullConvolution(layer)
   planes(layer, 2, 1)
end
prepare.SpatialFullDilatedConvolution = prepare.SpatialFullConvolution

function prepare.SpatialConvolutionLocal(layer)
   local weight, iW, iH = layer.weight, layer.inputWidth, layer.inputHeight
   layer.iW, layer.iH, layer.oW, layer.oH = iW, iH, layer.outputWidth, layer.outputHeight
   local places = layer.oW * layer.oH
   layer.nOutputPlane = weight.ndim == 6 and weight:size(3) or weight:size(2)
   layer.nInputPlane = weight:nElement() / (places * layer.nOutputPlane * layer.kW * layer.kH)
end

function prepare.SpatialSubSampling(layer)
   layer.nInputPlane = layer.weight:size(1)
end

function prepare.TemporalSubSampling(layer)
   layer.inputFrameSize = layer.weight:size(1)
end
prepare.TemporalRowConvolution = prepare.TemporalSubSampling

function prepare.TemporalConvolution(layer)
   layer.outputFrameSize = layer.weight:size(1)
   layer.inputFrameSize = layer.weight:size(2) / layer.kW
end

-- out x in x kT x kH x kW, whatever form the weight has.
local function volume(layer, weight)
   return weight.ndim == 5 and weight
      or weight:view(weight:size(1), -1, layer.kT, layer.kH, layer.kW)
end

function prepare.VolumetricConvolution(layer)
   layer.weight = volume(layer, layer.weight)
   layer.gradWeight = layer.gradWeight and volume(layer, layer.gradWeight)
   layer.kT, layer.kH, layer.kW = layer.weight:size(3), layer.weight:size(4), layer.weight:size(5)
   planes(layer, 1, 2)
end
prepare.VolumetricConvolutionMM = prepare.VolumetricConvolution
prepare.VolumetricDilatedConvolution = prepare.VolumetricConvolution

function prepare.VolumetricFullConvolution(layer)
   layer.kT, layer.kH, layer.kW = layer.weight:size(3), layer.weight:size(4), layer.weight:size(5)
   planes(layer, 2, 1)
end
prepare.VolumetricFullDilatedConvolution = prepare.VolumetricFullConvolution

-- --- images as columns --------------------------------------------------------------------------

-- Where the tap (i, j) of all windows lies: of the columns, and of the image, both oH x oW for each
-- plane, without what falls on the padding; nil where all of it does.
local function tap(a, columns, image, i, j)
   local function span(size, out, step, pad, k)
      -- The first and the last window that have it in the image.
      local first = math.max(0, math.ceil((pad - k) / step))
      local last = math.min(out - 1, math.floor((size - 1 + pad - k) / step))
      return first, last - first + 1, first * step - pad + k
   end
   local y, rows, top = span(a.inputHeight, a.outputHeight, a.dH, a.padH, i)
   local x, cols, left = span(a.inputWidth, a.outputWidth, a.dW, a.padW, j)
   if rows < 1 or cols < 1 then
      return
   end
   local part = columns:select(3, j + 1):select(2, i + 1):narrow(2, y + 1, rows)
      :narrow(3, x + 1, cols)
   local seen = image:narrow(2, top + 1, (rows - 1) * a.dH + 1)
      :narrow(3, left + 1, (cols - 1) * a.dW + 1)
   return part, seen:unfold(2, 1, a.dH):select(4, 1):unfold(3, 1, a.dW):select(4, 1)
end

local function each_tap(a, f)
   local columns = a.finput:view(a.nInputPlane, a.kH, a.kW, a.outputHeight, a.outputWidth)
   local image = a.input:view(a.nInputPlane, a.inputHeight, a.inputWidth)
   for i = 0, a.kH - 1 do
      for j = 0, a.kW - 1 do
         local part, seen = tap(a, columns, image, i, j)
         if part then
            f(part, seen)
         end
      end
   end
end

-- finput becomes nInputPlane kH kW x outputHeight outputWidth: what each window sees of one image.
function compute.unfolded_copy(_, a)
   a.finput:zero()
   each_tap(a, function(part, seen)
      part:copy(seen)
   end)
end

-- The columns are added to the image.
function compute.unfolded_acc(_, a)
   each_tap(a, function(part, seen)
      seen:add(part)
   end)
end

return require('nn.thnn.rows').chapter([[
   SpatialConvolutionMM_updateOutput(input, output, weight, bias?, finput~, fgradInput~, kW, kH,
      dW, dH, padW, padH)
   SpatialConvolutionMM_updateGradInput(input, gradOutput, gradInput, weight, finput~, fgradInput~,
      kW, kH, dW, dH, padW, padH)
   SpatialConvolutionMM_accGradParameters(input, gradOutput, gradWeight, gradBias?, finput~,
      fgradInput~, kW, kH, dW, dH, padW, padH, scale)
   SpatialDilatedConvolution_updateOutput(input, output, weight, bias?, columns~, ones~, kW, kH,
      dW, dH, padW, padH, dilationW, dilationH)
   SpatialDilatedConvolution_updateGradInput(input, gradOutput, gradInput, weight, gradColumns~,
      kW, kH, dW, dH, padW, padH, dilationW, dilationH)
   SpatialDilatedConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?, columns~,
      ones~, kW, kH, dW, dH, padW, padH, dilationW, dilationH, scale)
   SpatialDepthWiseConvolution_updateOutput(input, output, weight, bias?, finput~, fgradInput~,
      kW, kH, dW, dH, padW, padH)
   SpatialDepthWiseConvolution_updateGradInput(input, gradOutput, gradInput, weight, finput~,
      fgradInput~, kW, kH, dW, dH, padW, padH)
   SpatialDepthWiseConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?, finput~,
      fgradInput~, kW, kH, dW, dH, padW, padH, scale)
   SpatialConvolutionMap_updateOutput(input, output, weight, bias, @connTable, nInputPlane,
      nOutputPlane, dW, dH)
   SpatialConvolutionMap_updateGradInput(input, gradOutput, gradInput, weight, bias, @connTable,
      nInputPlane, nOutputPlane, dW, dH)
   SpatialConvolutionMap_accGradParameters(input, gradOutput, gradWeight, gradBias, @connTable,
      nInputPlane, nOutputPlane, dW, dH, scale)
   SpatialConvolutionLocal_updateOutput(input, output, weight, bias, finput~, fgradInput~, kW, kH,
      dW, dH, padW, padH, inputWidth, inputHeight, outputWidth, outputHeight)
   SpatialConvolutionLocal_updateGradInput(input, gradOutput, gradInput, weight, finput~,
      fgradInput~, kW, kH, dW, dH, padW, padH, inputWidth, inputHeight, outputWidth, outputHeight)
   SpatialConvolutionLocal_accGradParameters(input, gradOutput, gradWeight, gradBias, finput~,
      fgradInput~, kW, kH, dW, dH, padW, padH, inputWidth, inputHeight, outputWidth, outputHeight,
      scale)
   SpatialFullConvolution_updateOutput(input, output, weight, bias?, columns~, ones~, kW, kH, dW,
      dH, padW, padH, adjW, adjH)
   SpatialFullConvolution_updateGradInput(input, gradOutput, gradInput, weight, gradColumns~, kW,
      kH, dW, dH, padW, padH, adjW, adjH)
   SpatialFullConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?, columns~,
      ones~, kW, kH, dW, dH, padW, padH, adjW, adjH, scale)
   SpatialFullDilatedConvolution_updateOutput(input, output, weight, bias?, columns~, ones~, kW,
      kH, dW, dH, padW, padH, dilationW, dilationH, adjW, adjH) : SpatialFullConvolution
   SpatialFullDilatedConvolution_updateGradInput(input, gradOutput, gradInput, weight,
      gradColumns~, kW, kH, dW, dH, padW, padH, dilationW, dilationH, adjW, adjH)
      : SpatialFullConvolution
   SpatialFullDilatedConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?,
      columns~, ones~, kW, kH, dW, dH, padW, padH, dilationW, dilationH, adjW, adjH, scale)
      : SpatialFullConvolution
   SpatialFullConvolutionMap_updateOutput(input, output, weight, bias, @connTable, nInputPlane,
      nOutputPlane, dW, dH)
   SpatialFullConvolutionMap_updateGradInput(input, gradOutput, gradInput, weight, bias,
      @connTable, nInputPlane, nOutputPlane, dW, dH)
   SpatialFullConvolutionMap_accGradParameters(input, gradOutput, gradWeight, gradBias, @connTable,
      nInputPlane, nOutputPlane, dW, dH, scale)
   SpatialSubSampling_updateOutput(input, output, weight, bias, kW, kH, dW, dH)
   SpatialSubSampling_updateGradInput(input, gradOutput, gradInput, weight, kW, kH, dW, dH)
   SpatialSubSampling_accGradParameters(input, gradOutput, gradWeight, gradBias, kW, kH, dW, dH,
      scale)
   TemporalConvolution_updateOutput(input, output, weight, bias, kW, dW, inputFrameSize,
      outputFrameSize)
   TemporalConvolution_updateGradInput(input, gradOutput, gradInput, weight, kW, dW)
   TemporalConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias, kW, dW, scale)
   TemporalSubSampling_updateOutput(input, output, weight, bias, kW, dW, inputFrameSize)
   TemporalSubSampling_updateGradInput(input, gradOutput, gradInput, weight, kW, dW)
   TemporalSubSampling_accGradParameters(input, gradOutput, gradWeight, gradBias, kW, dW, scale)
   TemporalRowConvolution_updateOutput(input, output, weight, bias?, finput~, fgradInput~, kW, dW,
      padW, featFirst)
   TemporalRowConvolution_updateGradInput(input, gradOutput, gradInput, weight, finput~,
      fgradInput~, kW, dW, padW, featFirst)
   TemporalRowConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?, finput~,
      fgradInput~, kW, dW, padW, featFirst, scale)
   VolumetricConvolution_updateOutput(input, output, weight, bias?, finput~, fgradInput~, dT, dW,
      dH, pT -> padT, pW -> padW, pH -> padH)
   VolumetricConvolution_updateGradInput(input, gradOutput, gradInput, weight, finput~, dT, dW, dH,
      pT -> padT, pW -> padW, pH -> padH)
   VolumetricConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?, finput~,
      fgradInput~, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, scale)
   VolumetricConvolutionMM_updateOutput(input, output, weight, bias?, finput~, kT, kW, kH, dT, dW,
      dH, pT -> padT, pW -> padW, pH -> padH) : VolumetricConvolution
   VolumetricConvolutionMM_updateGradInput(input, gradOutput, gradInput, weight, finput~,
      fgradInput~, kT, kW, kH, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH)
      : VolumetricConvolution
   VolumetricConvolutionMM_accGradParameters(input, gradOutput, gradWeight, gradBias?, finput~, kT,
      kW, kH, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, scale) : VolumetricConvolution
   VolumetricDilatedConvolution_updateOutput(input, output, weight, bias?, columns~, ones~, kT, kW,
      kH, dT, dW, dH, padT, padW, padH, dilationT, dilationW, dilationH)
   VolumetricDilatedConvolution_updateGradInput(input, gradOutput, gradInput, weight, gradColumns~,
      kT, kW, kH, dT, dW, dH, padT, padW, padH, dilationT, dilationW, dilationH)
   VolumetricDilatedConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?,
      columns~, ones~, kT, kW, kH, dT, dW, dH, padT, padW, padH, dilationT, dilationW, dilationH,
      scale)
   VolumetricFullConvolution_updateOutput(input, output, weight, bias?, finput~, fgradInput~, dT,
      dW, dH, pT -> padT, pW -> padW, pH -> padH, aT -> adjT, aW -> adjW, aH -> adjH)
   VolumetricFullConvolution_updateGradInput(input, gradOutput, gradInput, weight, finput~,
      fgradInput~, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, aT -> adjT, aW -> adjW,
      aH -> adjH)
   VolumetricFullConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?, finput~,
      fgradInput~, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, aT -> adjT, aW -> adjW,
      aH -> adjH, scale)
   VolumetricFullDilatedConvolution_updateOutput(input, output, weight, bias?, finput~,
      fgradInput~, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, dilationT, dilationW, dilationH,
      aT -> adjT, aW -> adjW, aH -> adjH) : VolumetricFullConvolution
   VolumetricFullDilatedConvolution_updateGradInput(input, gradOutput, gradInput, weight, finput~,
      fgradInput~, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, dilationT, dilationW, dilationH,
      aT -> adjT, aW -> adjW, aH -> adjH) : VolumetricFullConvolution
   VolumetricFullDilatedConvolution_accGradParameters(input, gradOutput, gradWeight, gradBias?,
      finput~, fgradInput~, dT, dW, dH, pT -> padT, pW -> padW, pH -> padH, dilationT, dilationW,
      dilationH, aT -> adjT, aW -> adjW, aH -> adjH, scale) : VolumetricFullConvolution
   unfolded_copy(finput, input, kW, kH, dW, dH, padW, padH, nInputPlane, inputWidth, inputHeight,
      outputWidth, outputHeight)
   unfolded_acc(finput, input, kW, kH, dW, dH, padW, padH, nInputPlane, inputWidth, inputHeight,
      outputWidth, outputHeight)
]], { prepare = prepare, compute = compute })
