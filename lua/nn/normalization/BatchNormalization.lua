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

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local BatchNormalization = torch.class('nn.BatchNormalization', 'nn.Module', nn)

BatchNormalization.__version = 2

-- Dimensions of a batch.
BatchNormalization.nDim = 2

--- @int nOutput features (planes)
-- @number[opt=1e-5] eps added to the variance
-- @number[opt=0.1] momentum running <- running + momentum (batch - running)
-- @bool[opt=true] affine learn weight and bias
function BatchNormalization:__init(nOutput, eps, momentum, affine)
   check.sizes(
      self,
      'nn.BatchNormalization(nOutput[, eps, momentum, affine])',
      nOutput, eps, momentum
   )
   nn.Module.__init(self)
   if affine ~= nil and type(affine) ~= 'boolean' then
      check.fail(self, 'affine is true or false, got %s', tostring(affine))
   end
   self.affine = affine == nil or affine
   self.eps = eps or 1e-5
   self.train = true
   self.momentum = momentum or 0.1
   self.running_mean = torch.zeros(nOutput)
   self.running_var = torch.ones(nOutput)
   if self.affine then
      self.weight = torch.Tensor(nOutput)
      self.bias = torch.Tensor(nOutput)
      self.gradWeight = torch.Tensor(nOutput)
      self.gradBias = torch.Tensor(nOutput)
      self:reset()
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

local SHAPES = { [2] = 'N x %d', [4] = 'N x %d x H x W', [5] = 'N x %d x T x H x W' }

--- Raise unless the input has the layer's shape: a batch, or in evaluation a single sample.
function BatchNormalization:checkInputDim(input)
   check.tensor(self, self.running_mean, input, 'input')
   local features, dims = self.running_mean:size(1), input.ndim
   local single = dims == self.nDim - 1
   if (dims ~= self.nDim and not single) or input:size(single and 1 or 2) ~= features then
      check.fail(self, 'input is %s, expected %s', check.describe(input),
         (SHAPES[self.nDim] or '%d features'):format(features))
   elseif single and self.train ~= false then
      check.fail(self, 'input is %s, a single sample; training needs a batch: %s',
         check.describe(input), 'call evaluate() first, or add a dimension')
   end
   return single
end

-- A view with a batch dimension; the number of elements says the rest.
local function batch(tensor, single)
   return single and tensor:view(1, unpack(tensor:size():totable())) or tensor
end

function BatchNormalization:updateOutput(input)
   local single = self:checkInputDim(input)
   self.save_mean = self.save_mean or input.new()
   self.save_std = self.save_std or input.new()
   local x = single and batch(input:contiguous(), true) or input
   local y, mean, std, w, b = self.output, self.save_mean, self.save_std, self.weight, self.bias
   local rm, rv, train, m, eps =
      self.running_mean, self.running_var, self.train ~= false, self.momentum, self.eps
   if C.TH_batch_norm(y, mean, std, x, w, b, rm, rv, train, m, eps) ~= 0 then
      check.recover(self)
      th.check(C.TH_batch_norm(y, mean, std, x, w, b, rm, rv, train, m, eps))
   end
   return single and y:resize(input:size()) or y
end

-- gradInput, gradWeight, gradBias: those that are wanted.
local function backward(self, input, gradOutput, scale, gradInput, gradWeight, gradBias)
   local single = self:checkInputDim(input)
   check.tensor(self, self.running_mean, gradOutput, 'gradOutput')
   local train = self.train ~= false
   if train and not (self.save_mean and self.save_mean.ndim > 0) then
      check.fail(self, 'backward needs the statistics of forward; run forward on this input first')
   end
   local x = single and batch(input:contiguous(), true) or input
   local r, gw, gb, g, w = gradInput, gradWeight, gradBias, gradOutput, self.weight
   local rm, rv, mean, std, eps =
      self.running_mean, self.running_var, self.save_mean, self.save_std, self.eps
   if C.TH_batch_norm_backward(r, gw, gb, g, x, w, rm, rv, mean, std, train, eps, scale) ~= 0 then
      check.recover(self)
      th.check(
         C.TH_batch_norm_backward(r, gw, gb, g, x, w, rm, rv, mean, std, train, eps, scale))
   end
   if gradInput then
      return gradInput:resize(input:size())
   end
end

--- Both at once: they share the sums over the batch.
function BatchNormalization:backward(input, gradOutput, scale)
   return backward(self, input, gradOutput, scale or 1, self.gradInput, self.gradWeight,
      self.gradBias)
end

function BatchNormalization:updateGradInput(input, gradOutput)
   return backward(self, input, gradOutput, 1, self.gradInput)
end

function BatchNormalization:accGradParameters(input, gradOutput, scale)
   if self.gradWeight or self.gradBias then
      backward(self, input, gradOutput, scale or 1, nil, self.gradWeight, self.gradBias)
   end
end

--- Version 1 kept 1 / sqrt(running_var + eps) instead of the running variance.
function BatchNormalization:read(file, version)
   nn.Module.read(self, file)
   if version < 2 and self.running_std then
      self.running_var = self.running_std:pow(-2):add(-self.eps)
      self.running_std = nil
   end
end

function BatchNormalization:clearState()
   nn.utils.clear(self, '_input', '_gradOutput', 'save_mean', 'save_std')
   return nn.Module.clearState(self)
end

function BatchNormalization:__tostring__()
   return ('%s (%dD) (%d)'):format(torch.type(self), self.nDim, self.running_mean:nElement())
end
