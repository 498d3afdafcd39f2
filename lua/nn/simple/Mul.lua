--- y = w x, with one learnt factor w for all elements.
-- @classmod nn.Mul
-- @example #nn.Mul():forward(torch.randn(5, 3)) --> { 5, 3 }

local torch = require 'torch'
local nn = require 'nn'

local CPU = require('torch.ffi').C.TH_CPU

local Mul = nn.declare('nn.Mul', 'nn.Weighted', {})

function Mul:__initialize()
   self:__addWeights { 1 }
end

-- A factor that lies on a device stays there: to read it is to wait.
local function scaled(r, x, weight)
   if weight.device_type == CPU then
      return r:mul(x, weight[1])
   end
   return r:cmul(x, weight:view(torch.LongStorage(x:dim()):fill(1)):expandAs(x))
end

function Mul:__computeOutput(y, x)
   return scaled(y:resizeAs(x), x, self.weight)
end

function Mul:__computeGradInput(gx, x, g)
   return scaled(gx:resizeAs(x), g, self.weight)
end

function Mul:__computeGradParameters(x, g, scale)
   self.gradWeight:add(scale, torch.cmul(x, g):view(-1):sum(1))
end
