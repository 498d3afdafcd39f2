--- Every module gets the input; the output is the table of their outputs.
-- @classmod nn.ConcatTable
-- @usage nn.ConcatTable():add(nn.Identity()):add(nn.Linear(5, 5)) -- x -> { x, W x + b }
-- @example
-- local net = nn.ConcatTable():add(nn.Identity()):add(nn.Square())
-- net:forward(torch.Tensor { 2, 3 })[2] --> { 4, 9 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local ConcatTable = nn.declare('nn.ConcatTable', 'nn.Branches', {})

function ConcatTable:__initialize()
   self.output = {}
end

-- Whether module i's gradient stays as it is while later modules run, so that it can be added where
-- it lies, one read less: only if they write nothing. (A layer within two branches, or one in place
-- on a gradOutput that the branches have in common, writes over it.)
local function stays(modules, i)
   for k = i + 1, #modules do
      if torch.typename(modules[k]) ~= 'nn.Identity' then
         return false
      end
   end
   return true
end

--- Add the gradient of module i to those before it.
function ConcatTable:__takeGradient(gradients, i)
   local g = gradients[i] -- nil for a module whose gradInput is switched off
   local first, sum = gradients.first, gradients.sum
   if g == nil then
      return
   elseif sum then
      nn.utils.recursiveAdd(sum, g)
   elseif first and th.isTensor(g) and th.isTensor(first) then
      gradients.sum = check.buffer(self.gradInput, first):add(first, g)
   elseif first then
      gradients.sum = nn.utils.recursiveAdd(nn.utils.recursiveCopy(self.gradInput, first), g)
   elseif stays(self.modules, i) then
      gradients.first = g
   else
      gradients.sum = nn.utils.recursiveCopy(self.gradInput, g)
   end
end

--- The sum of the modules' gradients: the input goes to all of them.
function ConcatTable:__joinGradients(gradients)
   local first = gradients.first
   return gradients.sum or first and nn.utils.recursiveCopy(self.gradInput, first)
end
