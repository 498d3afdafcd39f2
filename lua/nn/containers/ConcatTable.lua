--- Every module gets the input; the output is the table of their outputs.
-- @classmod nn.ConcatTable
-- @usage nn.ConcatTable():add(nn.Identity()):add(nn.Linear(5, 5)) -- x -> { x, W x + b }

local nn = require 'nn'

local ConcatTable = nn.declare('nn.ConcatTable', 'nn.Branches', {})

--- The sum of the modules' gradients: the input goes to all of them.
function ConcatTable:__joinGradients(gradients)
   local sum
   for i = 1, #self.modules do
      local g = gradients[i] -- nil for a module whose gradInput is switched off
      if g and sum then
         nn.utils.recursiveAdd(sum, g)
      elseif g then
         sum = nn.utils.recursiveCopy(self.gradInput, g)
      end
   end
   return sum
end
