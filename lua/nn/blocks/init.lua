--- nn.blocks: what today's convolutional nets are built of, as functions that return modules.
-- @module nn.blocks

local nn = require 'nn'
local raise = require('torch.errors').raise

require 'nn.blocks.ScalePlanes'
local ScalePlanes = nn.ScalePlanes -- scripts may have their own later

local M = {}

--- A convolution of each plane by itself.
-- @int planes in and out
-- @int[opt=3] size of the kernel, an odd number
-- @int[opt=1] step
-- @return an nn.SpatialConvolution with as many groups as planes, padded so that step 1 keeps the
-- size
-- @example #nn.blocks.depthwise(4):forward(torch.randn(2, 4, 5, 6)) --> { 2, 4, 5, 6 }
function M.depthwise(planes, size, step)
   size, step = size or 3, step or 1
   local pad = math.floor(size / 2)
   local convolution = nn.SpatialConvolution(planes, planes, size, size, step, step, pad, pad)
   convolution.groups = planes
   convolution.weight = convolution.weight:narrow(2, 1, 1):clone()
   convolution.gradWeight = convolution.weight:clone():zero()
   convolution:reset()
   return convolution
end

--- A depthwise separable convolution: each plane by itself, then all planes at each point, each
-- with a batch normalisation and a ReLU behind it. About 1 / size^2 of the work of a whole
-- convolution. Source: Howard et al., "MobileNets", 2017 (arXiv:1704.04861).
-- @int inputs planes in
-- @int outputs planes out
-- @int[opt=3] size of the kernel, an odd number
-- @int[opt=1] step
-- @return an nn.Sequential
-- @usage nn.blocks.separable(64, 128, 3, 2)
function M.separable(inputs, outputs, size, step)
   local net = nn.Sequential()
   for i, convolution in ipairs {
      M.depthwise(inputs, size, step), nn.SpatialConvolution(inputs, outputs, 1, 1),
   } do
      net:add(convolution:noBias())
         :add(nn.SpatialBatchNormalization(i == 1 and inputs or outputs)):add(nn.ReLU(true))
   end
   return net
end

--- Squeeze and excite: each plane times a number in (0, 1) that a small net makes of the means of
-- all planes. Source: Hu, Shen and Sun, CVPR 2018 (arXiv:1709.01507).
-- @int planes in and out
-- @int[opt=16] reduction the small net has planes / reduction features inside
-- @return an nn.Sequential
-- @usage nn.blocks.squeezeExcite(64)
-- @raise "nn.blocks.squeezeExcite: 8 planes are fewer than the reduction, 16"
function M.squeezeExcite(planes, reduction)
   reduction = reduction or 16
   if planes < reduction then
      raise(('nn.blocks.squeezeExcite: %d planes are fewer than the reduction, %d'):format(planes,
         reduction))
   end
   local inside = math.floor(planes / reduction)
   local gate = nn.Sequential()
      :add(nn.View(planes, -1):setNumInputDims(3)):add(nn.Mean(2, 2))
      :add(nn.Linear(planes, inside)):add(nn.ReLU(true))
      :add(nn.Linear(inside, planes)):add(nn.Sigmoid())
   return nn.Sequential():add(nn.ConcatTable():add(nn.Identity()):add(gate)):add(ScalePlanes())
end

nn.blocks = M

return M
