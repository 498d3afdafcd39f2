--- What layers that normalise each sample by itself share: rows with mean 0 and variance 1, then a
-- weight and a bias for each feature.
--
-- A class says how its input falls into rows: `__rows(x)` returns the elements of a row, after how
-- many rows weight and bias begin again, and how many neighbours have one number of them; it raises
-- for an input of a wrong shape.
-- @classmod nn.RowNormalization

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local C = th.C

local RowNormalization = nn.declare('nn.RowNormalization', 'nn.Weighted', {
   own = 'output',
   joint = true,
   validate = '__rows',
})

-- Whether the mean is subtracted; otherwise a row is divided by the root of its mean square.
RowNormalization.centred = true

--- Weight 1 and bias 0.
function RowNormalization:reset()
   if self.weight then
      self.weight:fill(1)
   end
   if self.bias then
      self.bias:zero()
   end
   return self
end

--- Added to the variance: `eps`, or what a class makes of it.
-- @param length elements of a row
function RowNormalization:__epsilon(_)
   return self.eps
end

-- Statistics are of the type that the input is computed in: float for half.
local function statistics(self, x)
   local dtype = (x.dtype == C.TH_HALF or x.dtype == C.TH_BFLOAT16) and C.TH_FLOAT or x.dtype
   if not check.suits(self.save_mean, dtype, x) or not check.suits(self.save_std, dtype, x) then
      self.save_mean, self.save_std = th.likeType(x, dtype), th.likeType(x, dtype)
   end
   return self.save_mean, self.save_std
end

function RowNormalization:__computeOutput(y, x)
   local mean, std = statistics(self, x)
   local length, groups, inner = self:__rows(x)
   return ops.row_norm(self, y, mean, std, x, self.weight, self.bias, self.centred, length, groups,
      inner, self:__epsilon(length))
end

local function gradients(self, gx, gw, gb, x, g, scale)
   local mean, std = statistics(self, x)
   local length, groups, inner = self:__rows(x)
   ops.row_norm_backward(self, gx, gw, gb, g, x, self.weight, mean, std, self.centred, length,
      groups, inner, scale)
   return gx
end

function RowNormalization:__computeBackward(gx, x, g, scale)
   return gradients(self, gx, self.gradWeight, self.gradBias, x, g, scale)
end

function RowNormalization:__computeGradInput(gx, x, g)
   return gradients(self, gx, nil, nil, x, g, 1)
end

function RowNormalization:__computeGradParameters(x, g, scale)
   if self.gradWeight or self.gradBias then
      gradients(self, nil, self.gradWeight, self.gradBias, x, g, scale)
   end
end

function RowNormalization:clearState()
   self.save_mean, self.save_std = nil, nil
   return nn.Module.clearState(self)
end
