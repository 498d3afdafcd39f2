--- y = x where x > threshold, else `val`, element by element.
-- @classmod nn.Threshold
-- @example nn.Threshold(1, 0.5):forward(torch.Tensor { -1, 0, 2 }) --> { 0.5, 0.5, 2 }

local nn = require 'nn'
local check = require 'nn.check'

local Threshold = nn.Pointwise:of('threshold', 'Threshold', 'threshold, val', {
   arguments = [[
      threshold     number = 1e-6
      value -> val  number = 0       what elements at or below the threshold become
      inplace       boolean = false  write over the input (and over gradOutput); value <= threshold
   ]],
   validate = 'validateParameters',
   gradient = 'input',
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
