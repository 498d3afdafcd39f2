--- Batch normalisation over the batches of all ranks: nn.BatchNormalization,
-- nn.SpatialBatchNormalization and nn.VolumetricBatchNormalization, synchronised.
--
-- In training mean and variance are those of the samples of all ranks, and gradients go back
-- through them; every rank then has the same running statistics. Evaluation is the layer's own.
-- Ranks may have batches of different size. All ranks call forward and backward in the same order.
-- @module distributed.training.SyncBatchNormalization

local torch = require 'torch'
local nn = require 'nn'
local class = require 'torch.class'
local ops = require 'nn.base.ops'
local distributed = require 'distributed.module'
local options = require 'torch.options'

-- N x C x rest
local function planes(x)
   return x:contiguous():view(x:size(1), x:size(2), -1)
end

-- A number for each plane, beside N x C x rest.
local function beside(v, x)
   return v:view(1, -1, 1):expandAs(x)
end

local function over_planes(x)
   return x:sum(3):sum(1):view(-1)
end

-- Sums of 16-bit numbers pass what such a number can be.
local WIDE = {
   ['torch.HalfTensor'] = 'torch.FloatTensor', ['torch.BFloat16Tensor'] = 'torch.FloatTensor',
   ['torch.CudaHalfTensor'] = 'torch.CudaTensor', ['torch.CudaBFloat16Tensor'] = 'torch.CudaTensor',
}
local function wide(x)
   local name = WIDE[torch.typename(x)]
   return name and x:type(name) or x
end

-- Count, mean and (biased) variance of the planes over all ranks, as doubles.
-- Source: Chan, Golub and LeVeque, "Algorithms for Computing the Sample Variance", 1983, (2.1).
local function statistics(x)
   x = wide(x)
   local n = x:size(1) * x:size(3)
   local sum = over_planes(x):double()
   local mean = (sum / n):typeAs(x)
   local centred = x - beside(mean, x)
   local squares = over_planes(centred:cmul(centred)):double()
   local all = distributed.allGather(torch.cat({ torch.DoubleTensor { n }, mean:double(),
      squares }, 1))
   local C, total = sum:size(1), all:select(2, 1):sum()
   local counts = all:narrow(2, 1, 1)
   local means, inner = all:narrow(2, 2, C), all:narrow(2, 2 + C, C)
   local whole = torch.cmul(means, counts:expandAs(means)):sum(1):div(total)
   local apart = means - whole:expandAs(means)
   local variance = (inner + apart:cmul(apart):cmul(counts:expandAs(means))):sum(1):div(total)
   return total, whole:view(-1), variance:view(-1)
end

local function output(self, y, x)
   if self.train == false then
      return nn.BatchNormalization.__computeOutput(self, y, x)
   end
   local n, mean, variance = statistics(planes(x))
   self.save_count = n
   self.save_mean, self.save_std = mean:typeAs(x), variance:typeAs(x) -- the latter is the variance
   self.running_mean:add(self.momentum, self.save_mean - self.running_mean)
   local unbiased = n > 1 and variance * (n / (n - 1)) or variance
   self.running_var:add(self.momentum, unbiased:typeAs(x) - self.running_var)
   return ops.batch_norm(self, y, x.new(), x.new(), x, self.weight, self.bias, self.save_mean,
      self.save_std, false, 0, self.eps)
end

-- y is an affine function of x once mean and variance are given; what they add to the gradient by x
-- is another: gx - w s (sum g + xhat sum(g xhat)) / n, with the sums over all ranks.
local function backward(self, gx, x, g, scale, parameters)
   if not self.save_count then
      options.fail('%s: backward needs the statistics of forward; run forward on this input first',
         torch.type(self))
   end
   local C = self.running_mean:size(1)
   local weight = self.weight or x.new(C):fill(1)
   local sums = x.new(2, C):zero()
   ops.batch_norm_backward(self, gx, sums[1], sums[2], g, x, weight, self.save_mean,
      self.save_std, self.save_mean, self.save_std, false, self.eps, 1)
   if parameters then
      if self.gradWeight then self.gradWeight:add(scale, sums[1]) end
      if self.gradBias then self.gradBias:add(scale, sums[2]) end
   end
   if not gx then
      return nil
   end
   distributed.allReduce(sums)
   local s = (self.save_std + self.eps):pow(-0.5)
   local factor = torch.cmul(weight, s):div(self.save_count)
   local slope = torch.cmul(factor, s):cmul(sums[1])
   local shift = torch.cmul(factor, sums[2]) - torch.cmul(slope, self.save_mean)
   local flat, from = gx:view(gx:size(1), C, -1), planes(x)
   flat:addcmul(-1, from, beside(slope, from)):csub(beside(shift, from))
   return gx
end

-- The sum over all ranks. What a rank gives counts in the losses of all, so its gradient is the sum
-- of theirs.
local summed
summed = torch.Function {
   forward = function(_, x) return distributed.allReduce(x:detach():clone()) end,
   backward = function(_, g) return summed(g) end,
}

-- Within a record that is differentiated itself: the same of operations that are recorded.
local function recorded(self, x)
   local flat = wide(planes(x))
   local n = distributed.allReduce(torch.DoubleTensor { flat:size(1) * flat:size(3) })[1]
   local centred = flat - beside(summed(over_planes(flat)) / n, flat)
   local variance = summed(over_planes(torch.cmul(centred, centred))) / n
   local y = torch.cmul(centred, beside(torch.pow(variance + self.eps, -0.5), flat)):typeAs(x)
   if self.weight then
      y = torch.cmul(y, beside(self.weight, y))
   end
   if self.bias then
      y = y + beside(self.bias, y)
   end
   return y:viewAs(x)
end

--- nn.BatchNormalization over the samples of all ranks.
-- @type nn.SyncBatchNormalization

--- nn.SpatialBatchNormalization over the images of all ranks.
-- @type nn.SyncSpatialBatchNormalization

--- nn.VolumetricBatchNormalization over the volumes of all ranks.
-- @type nn.SyncVolumetricBatchNormalization

for _, kind in ipairs { '', 'Spatial', 'Volumetric' } do
   local Layer = nn.declare(('nn.Sync%sBatchNormalization'):format(kind),
      ('nn.%sBatchNormalization'):format(kind), { joint = true })

   Layer.__computeOutput = output

   local Plain = nn.BatchNormalization

   function Layer:__recorded(x)
      if self.train == false then
         return Layer.updateOutput(self, x)
      end
      return recorded(self, x)
   end

   function Layer:__computeBackward(gx, x, g, scale)
      if self.train == false then
         return Plain.__computeBackward(self, gx, x, g, scale)
      end
      return backward(self, gx, x, g, scale, true)
   end

   function Layer:__computeGradInput(gx, x, g)
      if self.train == false then
         return Plain.__computeGradInput(self, gx, x, g)
      end
      return backward(self, gx, x, g, 1, false)
   end

   function Layer:__computeGradParameters(x, g, scale)
      if self.train == false then
         return Plain.__computeGradParameters(self, x, g, scale)
      end
      backward(self, nil, x, g, scale, true)
   end
end

local function synchronised(layer)
   local name = torch.typename(layer)
   local kind = name and name:match '^nn%.(%a*)BatchNormalization$'
   if kind ~= '' and kind ~= 'Spatial' and kind ~= 'Volumetric' then
      return layer
   end
   local twin = {}
   for key, value in pairs(layer) do
      twin[key] = value
   end
   return setmetatable(twin, class.getmetatable(('nn.Sync%sBatchNormalization'):format(kind)))
end

--- A network whose batch normalisations take their statistics over the batches of all ranks.
-- The layers are replaced by ones with the same tensors: nn.SyncBatchNormalization,
-- nn.SyncSpatialBatchNormalization, nn.SyncVolumetricBatchNormalization.
-- @tparam nn.Module network
-- @return the network; another one where it is such a layer itself
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.BatchNormalization(3))
-- torch.type(distributed.syncBatchNormalization(net):get(2)) --> 'nn.SyncBatchNormalization'
function distributed.syncBatchNormalization(network)
   if not torch.isTypeOf(network, 'nn.Module') then
      options.fail('distributed.syncBatchNormalization: expected a network (nn.Module), got %s',
         options.describe(network))
   end
   return network:replace(synchronised)
end
