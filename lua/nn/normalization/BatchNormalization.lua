--- Each feature with mean 0 and variance 1 over the batch, then scaled and shifted.
--
-- y = (x - mean) / sqrt(var + eps) * weight + bias, with mean and (biased) variance of the batch in
-- training; evaluation takes `running_mean` and `running_var`, which training moves towards the
-- batch's mean and unbiased variance by `momentum`.
--
-- Shapes: input N x nOutput (nn.SpatialBatchNormalization: N x nOutput x H x W,
-- nn.VolumetricBatchNormalization: N x nOutput x T x H x W), in evaluation also a single sample;
-- output likewise; weight, bias, running_mean, running_var nOutput.
--
-- Source: Ioffe and Szegedy, ICML 2015 (arXiv:1502.03167), algorithms 1 and 2.
-- @classmod nn.BatchNormalization
-- @example
-- local y = nn.BatchNormalization(3, nil, nil, false):forward(torch.randn(8, 3))
-- #y, torch.abs(y:mean(1)):max() < 1e-6 --> { 8, 3 }, true

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local folding = require 'nn.normalization.folding'

local BatchNormalization = nn.declare('nn.BatchNormalization', 'nn.Weighted', {
   arguments = [[
      (nOutput)  size            features (planes)
      eps        number = 1e-5   added to the variance
      momentum   number = 0.1    running <- running + momentum (batch - running)
      affine     boolean = true  learn weight and bias
   ]],
   own = 'running_mean',
   input = 'N? running_mean[1]',
   output = 'N? running_mean[1]',
   batch = true,
   joint = true,
   validate = '__checkTraining',
   text = ' ({nDim}D) ({running_mean[1]})',
   version = 2,
})

-- Dimensions of a batch.
BatchNormalization.nDim = 2

function BatchNormalization:__initialize(nOutput)
   self.train = true
   self.running_mean = torch.zeros(nOutput)
   self.running_var = torch.ones(nOutput)
   if self.affine then
      self:__addWeights({ nOutput }, { nOutput })
   end
end

--- Weight uniform in (0, 1), bias 0, and the running statistics of standard normal features.
function BatchNormalization:reset()
   if self.weight then
      self.weight:uniform()
   end
   if self.bias then
      self.bias:zero()
   end
   self.running_mean:zero()
   self.running_var:fill(1)
end

--- Version 1 kept 1 / sqrt(running_var + eps) instead of the running variance.
function BatchNormalization:__upgrade(version)
   if version < 2 and self.running_std then
      self.running_var = self.running_std:pow(-2):add(-self.eps)
      self.running_std = nil
   end
end

--- Training needs a batch.
function BatchNormalization:__checkTraining(input)
   if self.running_var == nil then
      check.missing(self, 'running_var')
   end
   if self.train ~= false and input.ndim < self.nDim then
      check.fail(self, 'input is %s, a single sample; training needs a batch: call evaluate() '
         .. 'first, or add a dimension', check.describe(input))
   end
end

--- Raise unless the input has the layer's shape: a batch, or in evaluation a single sample.
function BatchNormalization:checkInputDim(input)
   self:__checkInput(input)
   self:__checkTraining(input)
end

function BatchNormalization:__computeOutput(y, x)
   self.save_mean = self.save_mean or x.new()
   self.save_std = self.save_std or x.new()
   return ops.batch_norm(self, y, self.save_mean, self.save_std, x, self.weight, self.bias,
      self.running_mean, self.running_var, self.train ~= false, self.momentum, self.eps)
end

-- Those of gx, gw and gb that are wanted; they share the sums over the batch.
local function gradients(self, gx, gw, gb, x, g, scale)
   local train = self.train ~= false
   if train and not (self.save_mean and self.save_mean.ndim > 0) then
      check.fail(self, 'backward needs the statistics of forward; run forward on this input first')
   end
   return ops.batch_norm_backward(self, gx, gw, gb, g, x, self.weight, self.running_mean,
      self.running_var, self.save_mean, self.save_std, train, self.eps, scale)
end

function BatchNormalization:__computeBackward(gx, x, g, scale)
   return gradients(self, gx, self.gradWeight, self.gradBias, x, g, scale)
end

function BatchNormalization:__computeGradInput(gx, x, g)
   return gradients(self, gx, nil, nil, x, g, 1)
end

function BatchNormalization:__computeGradParameters(x, g, scale)
   if self.gradWeight or self.gradBias then
      gradients(self, nil, self.gradWeight, self.gradBias, x, g, scale)
   end
end

-- What is kept of it in weights (see nn.Sequential) is made anew.
for _, method in ipairs { 'training', 'evaluate' } do
   BatchNormalization[method] = function(self)
      folding.forget(self)
      nn.Module[method](self)
   end
end

function BatchNormalization:clearState()
   folding.forget(self)
   nn.utils.clear(self, '_input', '_gradOutput', 'save_mean', 'save_std')
   return nn.Module.clearState(self)
end
