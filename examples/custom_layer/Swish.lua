--- y = x sigmoid(b x), with one learnt factor b that begins at 1.
--
-- Shapes: any. Source: Ramachandran, Zoph and Le, 2017 (arXiv:1710.05941).

local torch = require 'torch'
local nn = require 'nn'

local Swish = nn.declare('nn.Swish', 'nn.Weighted', {
   arguments = 'start  number = 1  what b begins with',
   text = '({start})',
})

function Swish:__initialize()
   self:__addWeights { 1 } -- the fields weight and gradWeight, of one element; then reset
end

function Swish:reset()
   self.weight:fill(self.start)
   return self
end

function Swish:__computeOutput(y, x)
   self.gate = self.gate or x.new() -- a buffer for the gradients
   self.gate:resizeAs(x):mul(x, self.weight[1]):sigmoid()
   return y:resizeAs(x):cmul(x, self.gate)
end

-- dy/dx = s + b x s (1 - s), with s = sigmoid(b x)
function Swish:__computeGradInput(gx, x, g)
   gx:resizeAs(x):mul(self.gate, -1):add(1):cmul(x):mul(self.weight[1]):add(1):cmul(self.gate)
   return gx:cmul(g)
end

-- dy/db = x^2 s (1 - s)
function Swish:__computeGradParameters(x, g, scale)
   local slope = torch.mul(self.gate, -1):add(1):cmul(self.gate):cmul(x):cmul(x)
   self.gradWeight:add(scale * slope:dot(g))
end
