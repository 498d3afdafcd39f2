--- Every module gets the input; the output is the table of their outputs.
-- @classmod nn.ConcatTable
-- @usage nn.ConcatTable():add(nn.Identity()):add(nn.Linear(5, 5)) -- x -> { x, W x + b }
-- @example
-- local net = nn.ConcatTable():add(nn.Identity()):add(nn.Square())
-- net:forward(torch.Tensor { 2, 3 })[2] --> { 4, 9 }

local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local ConcatTable = nn.declare('nn.ConcatTable', 'nn.Branches', {})

--- The sum of the modules' gradients: the input goes to all of them.
function ConcatTable:__joinGradients(gradients)
   local first, sum
   for i = 1, #self.modules do
      local g = gradients[i] -- nil for a module whose gradInput is switched off
      if g and sum then
         nn.utils.recursiveAdd(sum, g)
      elseif g and first and th.isTensor(g) and th.isTensor(first) then
         sum = check.buffer(self.gradInput, first):add(first, g)
      elseif g and first then
         sum = nn.utils.recursiveAdd(nn.utils.recursiveCopy(self.gradInput, first), g)
      else
         first = first or g
      end
   end
   return sum or first and nn.utils.recursiveCopy(self.gradInput, first)
end
