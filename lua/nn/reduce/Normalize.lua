--- Each sample divided by its p-norm: y = x / n with n = (sum_i |x_i|^p + eps)^(1/p), or
-- n = max_i |x_i| + eps for p = math.huge.
--
-- Shapes: N x D, or D for one sample; the output is the same.
-- @classmod nn.Normalize
-- @example nn.Normalize(2):forward(torch.Tensor { 3, 4 }) --> { 0.6, 0.8 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local Normalize = nn.declare('nn.Normalize', {
   arguments = [[
      p    number          the norm's exponent, above 0; math.huge: the largest magnitude
      eps  number = 1e-10  keeps samples of zeros from a division by 0
   ]],
   input = 'N? D',
   output = 'N? D',
   batch = true,
})

function Normalize:__initialize(p)
   if p <= 0 then
      check.fail(self, 'p is %s, expected a number above 0', check.given(p))
   end
end

function Normalize:__computeOutput(y, x)
   if self.p == 2 then -- a power of any exponent takes ten times as long
      self.norm = torch.cmul(x, x):sum(2):add(self.eps):sqrt()
   elseif self.p == math.huge then
      self.norm, self._indices = torch.abs(x):max(2)
      self.norm:add(self.eps)
   else
      self.norm = torch.pow(torch.pow(torch.abs(x), self.p):sum(2):add(self.eps), 1 / self.p)
   end
   return y:resizeAs(x):cdiv(x, self.norm:expandAs(x))
end

-- dn/dx.
local function norm_gradient(self, x)
   if self.p == 2 then
      return torch.cdiv(x, self.norm:expandAs(x))
   end
   local sign = torch.sign(x)
   if self.p == math.huge then
      local at = self._indices
      return th.like(x):resizeAs(x):zero():scatter(2, at, sign:gather(2, at))
   end
   return sign:cmul(torch.abs(x):pow(self.p - 1)):cmul(torch.pow(self.norm, 1 - self.p):expandAs(x))
end

function Normalize:__computeGradInput(gx, x, g)
   local norm = self.norm or check.missing(self, 'norm')
   local along = torch.cmul(g, x):sum(2):cdiv(norm)
   gx:resizeAs(x):cmul(norm_gradient(self, x), along:expandAs(x))
   return gx:mul(-1):add(g):cdiv(norm:expandAs(x))
end

function Normalize:clearState()
   nn.utils.clear(self, 'norm', '_indices')
   return nn.Module.clearState(self)
end

function Normalize:__tostring__()
   return (self.p % 1 == 0 and '%s(%d)' or '%s(%f)'):format(torch.typename(self), self.p)
end
