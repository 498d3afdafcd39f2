--- Mixtures of the samples of a batch, for `transformBatch`: dataset.transform.
-- @module torch.dataset.transform.mix
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.transform.common'

local M = {}

-- Gamma(a, 1): Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
local function gamma(a)
   if a < 1 then
      return gamma(a + 1) * torch.uniform() ^ (1 / a)
   end
   local d = a - 1 / 3
   local c = 1 / math.sqrt(9 * d)
   while true do
      local x = torch.normal()
      local v = (1 + c * x) ^ 3
      if v > 0 and math.log(1 - torch.uniform()) < 0.5 * x * x + d - d * v + d * math.log(v) then
         return d * v
      end
   end
end

--- A draw from Beta(a, b).
function M.beta(a, b)
   local x = gamma(a)
   local y = gamma(b)
   return x + y > 0 and x / (x + y) or (torch.uniform() < 0.5 and 0 or 1)
end

-- Rows of probabilities: classes 1..K with all weight on one.
local function oneHot(name, targets, classes)
   if targets:min() < 1 or targets:max() > classes then
      errors.raise(('%s: targets from %d to %d, but classes are 1 to %d'):format(name,
         targets:min(), targets:max(), classes))
   end
   local n = targets:size(1)
   return torch.FloatTensor(n, classes):zero():scatter(2, targets:long():view(n, 1), 1)
end

local function checkBatch(name, batch)
   if type(batch) ~= 'table' or not th.isTensor(batch.input) or not th.isTensor(batch.target)
      or batch.target:dim() ~= 1 then
      errors.raise(('%s: wanted a batch with input (N x ...) and target (N classes), got %s')
         :format(name, options.describe(type(batch) == 'table' and batch.target or batch)))
   end
end

-- The batch with another input, and targets that say how much of each class is in it.
local function labelled(self, name, batch, input, order, share)
   local result = {}
   for key, value in pairs(batch) do
      result[key] = value
   end
   local targets = oneHot(name, batch.target, self.classes)
   result.input = input
   result.target = torch.mul(targets, share):add(1 - share, targets:index(1, order))
   if input.device_type ~= th.C.TH_CPU then
      result.target = result.target:cuda()
   end
   return result
end

--- Each sample mixed with another one of the batch (Zhang et al., "mixup: beyond empirical risk
-- minimization", 2017): x' = l x + (1 - l) x[p], with l from Beta(alpha, alpha), one for a batch.
-- Targets become rows of probabilities, N x classes, mixed likewise, which
-- nn.CrossEntropyCriterion takes.
-- @tparam table options classes: their number; alpha (0.2)
-- @raise "dataset.transform.Mixup: targets from 0 to 9, but classes are 1 to 10"
-- @usage dataset.transform.Mixup{classes = 10}
-- @type dataset.transform.Mixup
-- @example
-- local transform = require('torch.dataset').transform
-- local mixup = transform.Mixup { classes = 2 }
-- local batch = mixup { input = torch.ones(3, 4), target = torch.LongTensor { 1, 2, 2 } }
-- math.abs(batch.target:sum() - 3) < 1e-6 --> true
local Mixup, MIXUP = common.class('Mixup', {
   classes = { 'count', required = true }, alpha = { 'positive', 0.2 },
})

--- The batch, mixed.
function Mixup:__call__(batch)
   checkBatch(MIXUP, batch)
   local share = M.beta(self.alpha, self.alpha)
   local order = torch.randperm(torch.LongTensor(), batch.input:size(1))
   local x = batch.input
   if common.top(x) == 255 then
      x = common.floats(x)
   end
   local input = torch.mul(x, share):add(1 - share, x:index(1, order))
   return labelled(self, MIXUP, batch, input, order, share)
end

--- A rectangle of each picture replaced by that of another one of the batch (Yun et al., "CutMix",
-- 2019): its area is 1 - l of the picture's, with l from Beta(alpha, alpha), its centre anywhere;
-- targets are mixed by the area that is really replaced.
-- @tparam table options classes: their number; alpha (1)
-- @usage dataset.transform.CutMix{classes = 10}
-- @type dataset.transform.CutMix
-- @example
-- local transform = require('torch.dataset').transform
-- local cutmix = transform.CutMix { classes = 2 }
-- local batch = cutmix { input = torch.ones(3, 1, 8, 8), target = torch.LongTensor { 1, 2, 2 } }
-- batch.target:size():totable() --> { 3, 2 }
local CutMix, CUTMIX = common.class('CutMix', {
   classes = { 'count', required = true }, alpha = { 'positive', 1 },
})

--- The batch, mixed.
function CutMix:__call__(batch)
   checkBatch(CUTMIX, batch)
   if batch.input:dim() ~= 4 then
      errors.raise(('%s: wanted pictures, N x C x H x W, got %s'):format(CUTMIX,
         options.describe(batch.input)))
   end
   local share = M.beta(self.alpha, self.alpha)
   local order = torch.randperm(torch.LongTensor(), batch.input:size(1))
   local H, W = batch.input:size(3), batch.input:size(4)
   local side = math.sqrt(1 - share)
   local h, w = math.floor(H * side + 0.5), math.floor(W * side + 0.5)
   local row, column = torch.random(1, H), torch.random(1, W)
   local top, left = row - math.floor(h / 2), column - math.floor(w / 2)
   local bottom, right = math.min(top + h - 1, H), math.min(left + w - 1, W)
   top, left = math.max(top, 1), math.max(left, 1)
   h, w = math.max(bottom - top + 1, 0), math.max(right - left + 1, 0)
   local input = batch.input:clone()
   if h > 0 and w > 0 then
      local function region(x)
         return x:narrow(3, top, h):narrow(4, left, w)
      end
      region(input):copy(region(batch.input:index(1, order)))
   end
   return labelled(self, CUTMIX, batch, input, order, 1 - h * w / (H * W))
end

return M
