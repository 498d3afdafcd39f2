--- Layers whose output is a copy of a part of the input; the gradient is zero elsewhere. A layer
-- derived from it defines `__part(r, x)`.
-- @classmod nn.Part

local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local Part = nn.declare('nn.Part', { input = 'any' })

--- Make one tensor a view of the layer's part of another; for layers to define.
-- @tparam Tensor r becomes the view
-- @tparam Tensor x the input, or its gradient
-- @return r
function Part.__part(_, r, _)
   return r
end

function Part:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   local part = self:__part(th.like(x), x)
   return check.buffer(y, x):resizeAs(part):copy(part) -- layers behind may write over it
end

function Part:__computeGradInput(gx, x, g)
   check.any_backward(self, x, g)
   gx = check.buffer(gx, x):resizeAs(x):zero()
   local part = self:__part(th.like(x), gx)
   check.count(self, g, part, 'gradOutput')
   part:copy(g)
   return gx
end
