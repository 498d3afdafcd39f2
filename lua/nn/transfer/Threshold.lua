--- y = x where x > threshold, else `val`, element by element.
-- @classmod nn.Threshold

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local Threshold = nn.declare('nn.Threshold', {
   arguments = [[
      threshold     number = 1e-6
      value -> val  number = 0       what elements at or below the threshold become
      inplace       boolean = false  write over the input (and over gradOutput); value <= threshold
   ]],
   validate = 'validateParameters',
})

function Threshold:__initialize()
   self:validateParameters()
end

--- In place, the output stands for the input when gradients are taken: val > threshold would be
-- lost.
function Threshold:validateParameters()
   if self.inplace and self.val > self.threshold then
      check.fail(self, 'in-place processing requires value (%g) not exceed threshold (%g)',
         self.val, self.threshold)
   end
end

function Threshold:__computeOutput(y, x)
   return ops.threshold(self, y, x, self.threshold, self.val)
end

function Threshold:__computeGradInput(gx, x, g)
   return ops.threshold_backward(self, gx, g, self.threshold, x)
end
