--- A layer whose weight is divided by its largest singular value: w = W / sigma(W), so that the
-- layer stretches nothing by more than 1.
--
-- sigma is found by power iteration: u and v go on from where the last training pass left them, by
-- `iterations` steps each; in evaluation they stay. The gradient takes u and v as given:
-- dL/dW = (dL/dw - <dL/dw, w> u v') / sigma. W, learnt in place of the layer's weight, is `raw`.
--
-- Source: Miyato et al., ICLR 2018 (arXiv:1802.05957).
-- @classmod nn.SpectralNorm
-- @usage nn.SpectralNorm(nn.Linear(10, 5))
-- nn.SpectralNorm(nn.SpatialFullConvolution(3, 8, 5, 5), 2)
-- @example #nn.SpectralNorm(nn.Linear(4, 3)):forward(torch.randn(5, 4)) --> { 5, 3 }

local torch = require 'torch'
local nn = require 'nn'

local SpectralNorm, Reparametrised = nn.declare('nn.SpectralNorm', 'nn.Reparametrised', {
   arguments = [[
      ...
      iterations  size = 1       steps of u and v in each training pass
      eps         number = 1e-12 least length of u and v
   ]],
})

function SpectralNorm:__initialize(module, outputDim)
   Reparametrised.__initialize(self, module, outputDim)
   self.train = true
   self.raw, self.gradRaw = self.weight:clone(), self.weight:clone():zero()
   local outputs = self.weight:size(outputDim)
   self.u = self.weight.new(outputs):normal()
   self.v = self.weight.new(self.weight:nElement() / outputs):normal()
   self.sigma = self.weight.new(1, 1)
   for _ = 1, 15 do -- from anywhere to about where they belong
      self:__iterate()
   end
   self:updateWeight()
end

-- W with a row for each output.
local function rows(self, W)
   return self:permuteIn(W):contiguous():view(self.u:nElement(), -1)
end

-- x / |x|, without waiting for a device.
local function normalise(x, eps)
   local length = x:view(1, -1):norm(2, 2):cmax(eps)
   return x:cdiv(length:expand(1, x:nElement()))
end

--- One step of power iteration: v = W'u / |W'u|, u = Wv / |Wv|.
function SpectralNorm:__iterate()
   local W = rows(self, self.raw)
   normalise(self.v:mv(W:t(), self.u), self.eps)
   normalise(self.u:mv(W, self.v), self.eps)
end

--- weight = W / sigma, with sigma = u'Wv.
function SpectralNorm:updateWeight()
   local W = rows(self, self.raw)
   self.sigma:mm(self.u:view(1, -1), W * self.v:view(-1, 1))
   self:__setWeight(torch.cdiv(W, self.sigma:expandAs(W)))
end

function SpectralNorm:updateOutput(input)
   if self.train ~= false and not self.again then -- nn.base.recomputed: u and v are the call's
      for _ = 1, self.iterations do
         self:__iterate()
      end
   end
   self:updateWeight()
   return Reparametrised.updateOutput(self, input)
end

function SpectralNorm:accGradParameters(input, gradOutput, scale)
   self.gradWeight:zero()
   Reparametrised.accGradParameters(self, input, gradOutput, scale)
   local gw, w = rows(self, self.gradWeight), rows(self, self.weight)
   local share = torch.cmul(gw, w):view(1, -1):sum(2)
   local outer = torch.ger(self.u, self.v)
   local g = torch.addcmul(gw, -1, outer, share:expandAs(outer)):cdiv(self.sigma:expandAs(outer))
   local front = self:permuteIn(self.gradRaw)
   front:add(g:viewAs(front))
end

--- Draw the weight and the bias anew, as the module does.
-- @return self
function SpectralNorm:reset(stdv)
   self.modules[1]:reset(stdv)
   self.raw:copy(self.weight)
   for _ = 1, 15 do
      self:__iterate()
   end
   self:updateWeight()
   return self
end

--- W and the layer's bias.
function SpectralNorm:parameters()
   return { self.raw, self.bias }, { self.gradRaw, self.gradBias }
end
