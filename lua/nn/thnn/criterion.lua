--- Kernels of criterions: the loss becomes the one element of `output`.
-- @module nn.thnn.criterion

local prepare, finish, compute = {}, {}, {}

-- Torch7's has no argument for it.
function prepare.SpatialClassNLLCriterion(layer)
   layer.ignoreIndex = -100
end

-- What forward has found of the weights is kept for backward.
function finish.ClassNLLCriterion(layer, a)
   local total = layer.total_weight_tensor
   if a.output and not rawequal(total, a.total_weight_tensor) then
      a.total_weight_tensor:resize(total:size()):copy(total)
   end
end
finish.SpatialClassNLLCriterion = finish.ClassNLLCriterion

function finish.MultiLabelMarginCriterion(layer, a)
   a.isTarget:resize(a.target:size()):copy(layer.isTarget)
end

function compute.L1Cost_updateGradInput(layer, a)
   local gx = layer:__computeGradInput(a.gradInput, a.input)
   if a.gradOutput then
      gx:mul(a.gradOutput:sum()) -- it has one element
   end
   return gx
end

return require('nn.thnn.rows').chapter([[
   AbsCriterion_updateOutput(input, target, output, sizeAverage)
   AbsCriterion_updateGradInput(input, target, gradInput, sizeAverage)
   BCECriterion_updateOutput(input, target, output, sizeAverage, weights?)
   BCECriterion_updateGradInput(input, target, gradInput, sizeAverage, weights?)
   ClassNLLCriterion_updateOutput(input, @target, output, sizeAverage, weights?,
      total_weight -> total_weight_tensor, ignore_index -> ignoreIndex)
   ClassNLLCriterion_updateGradInput(input, @target, gradInput, sizeAverage, weights?,
      total_weight -> total_weight_tensor, ignore_index -> ignoreIndex)
   SpatialClassNLLCriterion_updateOutput(input, @target, output, sizeAverage, weights?,
      total_weight -> total_weight_tensor)
   SpatialClassNLLCriterion_updateGradInput(input, @target, gradInput, sizeAverage, weights?,
      total_weight -> total_weight_tensor)
   DistKLDivCriterion_updateOutput(input, target, output, sizeAverage)
   DistKLDivCriterion_updateGradInput(input, target, gradInput, sizeAverage)
   L1Cost_updateOutput(input, output)
   L1Cost_updateGradInput(input, gradOutput?, gradInput)
   MarginCriterion_updateOutput(input, target, output, sizeAverage, margin)
   MarginCriterion_updateGradInput(input, target, gradInput, sizeAverage, margin)
   MSECriterion_updateOutput(input, target, output, sizeAverage)
   MSECriterion_updateGradInput(input, target, gradInput, sizeAverage)
   MultiLabelMarginCriterion_updateOutput(input, @target, output, isTarget, sizeAverage)
   MultiLabelMarginCriterion_updateGradInput(input, @target, gradInput, isTarget, sizeAverage)
   MultiMarginCriterion_updateOutput(input, @target, output, sizeAverage, p, weights?, margin)
   MultiMarginCriterion_updateGradInput(input, @target, gradInput, sizeAverage, p, weights?, margin)
   SmoothL1Criterion_updateOutput(input, target, output, sizeAverage)
   SmoothL1Criterion_updateGradInput(input, target, gradInput, sizeAverage)
   SoftMarginCriterion_updateOutput(input, target, output, sizeAverage)
   SoftMarginCriterion_updateGradInput(input, target, gradInput, sizeAverage)
]], { prepare = prepare, finish = finish, compute = compute })
