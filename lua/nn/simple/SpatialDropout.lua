--- Zeroes each plane with probability p while training, all of it or nothing; in evaluation the
-- output is (1-p) x.
--
-- Shapes: N x C x H x W, or C x H x W (nn.VolumetricDropout: N x C x T x H x W or C x T x H x W).
-- Source: Tompson et al., CVPR 2015 (arXiv:1411.4280), section 3.2.
-- @classmod nn.SpatialDropout
-- @example #nn.SpatialDropout(0.3):forward(torch.randn(2, 3, 4, 4)) --> { 2, 3, 4, 4 }

local torch = require 'torch'
local nn = require 'nn'

local SpatialDropout = nn.declare('nn.SpatialDropout', {
   arguments = [[
      p  number = 0.5  the probability
      stochasticInference -> stochastic_inference  boolean = false  drop in evaluation too
   ]],
   input = 'N? C H W',
   output = 'N? C H W',
   text = '({p%f})',
})

-- Dimensions of a plane.
SpatialDropout.nPlaneDim = 2

function SpatialDropout:__initialize(p)
   self.train = true
   self.noise = torch.Tensor()
   self:setp(p)
end

SpatialDropout.setp = nn.Dropout.setp

local function drops(self)
   return self.train or self.stochastic_inference
end

function SpatialDropout:__computeOutput(y, x)
   if not drops(self) then
      return y:resizeAs(x):mul(x, 1 - self.p)
   end
   local sizes = x:size()
   for d = #sizes - self.nPlaneDim + 1, #sizes do
      sizes[d] = 1
   end
   if not self.again then
      self.noise:resize(sizes):bernoulli(1 - self.p)
   end
   return y:resizeAs(x):cmul(x, self.noise:expandAs(x))
end

function SpatialDropout:__computeGradInput(gx, x, g)
   gx:resizeAs(x)
   if drops(self) then
      return gx:cmul(g, self.noise:expandAs(g))
   end
   return gx:mul(g, 1 - self.p)
end

SpatialDropout.clearState = nn.Dropout.clearState
