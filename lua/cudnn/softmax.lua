--- Softmax and cross entropy at each place of images and volumes.
-- @module cudnn.softmax

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local M = {}

-- nn's classes look at the classes of each place of an image anyway.
local SPATIAL = { SpatialSoftMax = 'SoftMax', SpatialLogSoftMax = 'LogSoftMax' }
local VOLUMETRIC = { VolumetricSoftMax = 'softmax', VolumetricLogSoftMax = 'log_softmax' }

--- nn.SoftMax, which looks at the classes of each place of an image anyway.
-- @type cudnn.SpatialSoftMax

--- nn.LogSoftMax, which looks at the classes of each place of an image anyway.
-- @type cudnn.SpatialLogSoftMax

--- nn.SoftMax of the classes at each place of a volume. Shapes: N x C x T x H x W or C x T x H x W.
-- @type cudnn.VolumetricSoftMax

--- nn.LogSoftMax of the classes at each place of a volume. Shapes: N x C x T x H x W or
-- C x T x H x W.
-- @type cudnn.VolumetricLogSoftMax

local function volumetric(cudnn, name, op)
   local forward, backward = ops[op], ops[op .. '_backward']
   local Layer = nn.declare('cudnn.' .. name, {
      input = 'N? C T H W', output = 'N? C T H W',
   }, cudnn)

   function Layer:__computeOutput(y, x)
      return forward(self, y, x, x.ndim - 4)
   end

   function Layer:__computeGradInput(gx, x, g)
      return backward(self, gx, g, self.output, x.ndim - 4)
   end
end

--- Cross entropy of scores and classes at each place of an image: the mean over all places.
--
-- Shapes: input N x nClasses x H x W, targets N x H x W, counted from 1.
-- @type cudnn.SpatialCrossEntropyCriterion
-- @param[opt] weights vector: a weight for each class

--- Cross entropy of scores and classes at each place of a volume: the mean over all places.
--
-- Shapes: input N x nClasses x T x H x W, targets N x T x H x W, counted from 1.
-- @type cudnn.VolumetricCrossEntropyCriterion
-- @param[opt] weights vector: a weight for each class

local WEIGHTS = '(weights)  vector?  a weight for each class'

-- `layer` is the softmax's class.
local function criterion(cudnn, name, layer, input)
   local Criterion = nn.declare('cudnn.' .. name, 'nn.Criterion', {
      arguments = WEIGHTS,
      input = input,
      target = 'any',
   }, cudnn)

   function Criterion:__initialize(weights)
      self.slsm = cudnn[layer]()
      self.nll = nn.ClassNLLCriterion(weights)
   end

   -- Scores and targets, with the places in two dimensions.
   local function flat(x, t)
      local N, classes, W = x:size(1), x:size(2), x:size(x.ndim)
      return x:view(N, classes, -1, W), t:contiguous():view(N, -1, W)
   end

   function Criterion:__computeOutput(_, x, t)
      check.tensor(self, self.gradInput, x, 'input') -- the layer inside has one type
      if x:nElement() / x:size(2) ~= t:nElement() then
         check.fail(self, 'target is %s, expected a class at each place of the input, which is %s',
            check.describe(t), check.describe(x))
      end
      return (self.nll:updateOutput(flat(self.slsm:updateOutput(x), t)))
   end

   function Criterion:__computeGradInput(_, x, t)
      local y = self.slsm.output
      return self.slsm:updateGradInput(x, self.nll:updateGradInput(flat(y, t)):viewAs(y))
   end
end

function M.install(cudnn)
   for name, base in pairs(SPATIAL) do
      nn.declare('cudnn.' .. name, 'nn.' .. base, {}, cudnn)
   end
   for name, op in pairs(VOLUMETRIC) do
      volumetric(cudnn, name, op)
   end
   criterion(cudnn, 'SpatialCrossEntropyCriterion', 'SpatialLogSoftMax', 'N C H W')
   criterion(cudnn, 'VolumetricCrossEntropyCriterion', 'VolumetricLogSoftMax', 'N C T H W')
end

return M
