--- Weighted means of the planes of images around each place, for the layers that normalise by them.
--
-- A layer has `nInputPlane` and `kernel`, a vector for both directions or a matrix; near the
-- border, where the kernel reaches over it, `coef` is the weight that lies inside.
-- @module nn.normalization.neighbourhood

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local M = {}

local function matrix(kernel)
   return kernel:dim() == 2 and kernel or torch.ger(kernel, kernel)
end

-- Make the convolution with the layer's kernel.
local function add_estimator(self)
   local planes, rows = self.nInputPlane, matrix(self.kernel)
   local kH, kW = rows:size(1), rows:size(2)
   local mean = nn.SpatialConvolution(planes, 1, kW, kH, 1, 1, (kW - 1) / 2, (kH - 1) / 2)
   mean.weight:copy(rows:view(1, 1, kH, kW):expand(1, planes, kH, kW))
   mean.bias:zero()
   self.meanestimator = mean
end

--- Check a layer's kernel, divide it by its sum over all planes, and make the convolution with it.
function M.initialize(self)
   local kernel = self.kernel or torch.Tensor(9, 9):fill(1)
   if kernel:dim() ~= 1 and kernel:dim() ~= 2 then
      check.fail(self, 'kernel is %s, expected a vector or a matrix', check.describe(kernel))
   end
   local rows = matrix(kernel)
   local kH, kW = rows:size(1), rows:size(2)
   if kH % 2 == 0 or kW % 2 == 0 then
      check.fail(self, 'kernel is %s, expected odd sizes', check.describe(kernel))
   end
   local planes = self.nInputPlane
   self.kernel = kernel:clone():div(kernel:sum() * (kernel:dim() == 2 and planes
      or math.sqrt(planes)))
   add_estimator(self)
end

--- Torch7's `meanestimator` is a chain of layers that ends in nn.Replicate; its kernel is ours.
function M.upgrade(self)
   if not torch.isTypeOf(self.meanestimator, 'nn.SpatialConvolution') then
      add_estimator(self)
      self.meanestimator:type(self._type)
      self.coef = nil
   end
end

-- N x 1 x H x W as images of as many planes as x.
local function everywhere(means, x)
   return means:expand(x:size())
end

--- The means around each place, N x 1 x H x W; valid until the next call.
function M.means(self, x)
   return self.meanestimator:updateOutput(x)
end

--- The weight inside the image around each place, 1 x 1 x H x W as large as `means`.
function M.coefficients(self, x)
   local coef = self.coef
   if not coef or coef:type() ~= x:type() or coef:size(3) ~= x:size(3)
      or coef:size(4) ~= x:size(4) then
      local ones = x.new(1, x:size(2), x:size(3), x:size(4)):fill(1)
      coef = self.meanestimator:updateOutput(ones):clone()
      self.coef = coef
   end
   return coef:expand(x:size(1), 1, x:size(3), x:size(4))
end

--- What a gradient of means is to each input, N x C x H x W.
function M.spread(self, x, g)
   return self.meanestimator:updateGradInput(x, g)
end

M.everywhere = everywhere

--- Free what was computed.
function M.clear(self)
   self.coef = nil
   self.meanestimator:clearState()
   return nn.Module.clearState(self)
end

return M
