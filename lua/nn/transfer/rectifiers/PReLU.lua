--- y = x where x > 0, else w x, with a learnt slope w: one, or one for each plane.
--
-- Shapes: any for one slope; nOutputPlane x ... or N x nOutputPlane x ... else: the first dimension
-- of 1 and of 3, the second of 2 and of 4 and more are the planes.
-- Source: He et al., Delving Deep into Rectifiers, 2015 (arXiv:1502.01852).
-- @classmod nn.PReLU
-- @example nn.PReLU():forward(torch.Tensor { -1, 0, 2 }) --> { -0.25, 0, 2 }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local PReLU = nn.declare('nn.PReLU', 'nn.Weighted', {
   arguments = 'nOutputPlane  integer = 0  0: one slope for all',
   validate = '__checkPlanes',
})

function PReLU:__initialize()
   self:__addWeights { self.nOutputPlane == 0 and 1 or self.nOutputPlane }
end

--- Every slope starts at 0.25, as in the paper.
-- @return self
function PReLU:reset()
   self.weight:fill(0.25)
   self.gradWeight:zero()
   return self
end

local function plane_dim(x)
   return (x.ndim == 1 or x.ndim == 3) and 1 or 2
end

function PReLU:__checkPlanes(x)
   local planes = self.nOutputPlane
   if planes > 0 and (x.ndim == 0 or x:size(plane_dim(x)) ~= planes) then
      check.fail(self, 'input is %s, expected %d planes: %dx..., or N x %d x ...',
         check.describe(x), planes, planes, planes)
   end
end

-- The slope of each element, without copies.
local function slopes(self, x)
   local sizes = {}
   for d = 1, x.ndim do
      sizes[d] = 1
   end
   if self.nOutputPlane > 0 then
      sizes[plane_dim(x)] = self.nOutputPlane
   end
   return self.weight:view(unpack(sizes)):expandAs(x)
end

function PReLU:__computeOutput(y, x)
   return ops.prelu(self, y, x, slopes(self, x))
end

function PReLU:__computeGradInput(gx, x, g)
   return ops.prelu_backward(self, gx, g, 0, x, slopes(self, x))
end

-- dL/dw = the sum of g min(x, 0)
function PReLU:__computeGradParameters(x, g, scale)
   local part = ops.cmin_value(self, th.like(x), x, 0):cmul(g)
   for d = 1, x.ndim do
      if self.nOutputPlane == 0 or d ~= plane_dim(x) then
         part = part:sum(d)
      end
   end
   self.gradWeight:add(scale, part:view(-1))
end

return PReLU
