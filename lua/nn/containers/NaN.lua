--- Passes everything on to a module, and raises where its output or its gradients are no numbers.
--
-- `net:replace(function(m) return nn.NaN(m) end)` finds out where in a net that begins.
-- @classmod nn.NaN
-- @usage local net = nn.Sequential():add(nn.NaN(nn.Linear(3, 4))):add(nn.NaN(nn.Linear(4, 2)))
-- @example
-- local layer = nn.NaN(nn.Log())
-- layer:forward(torch.Tensor { -1 }) --> error: 'NaN found in output'

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local NaN, Decorator = nn.declare('nn.NaN', 'nn.Decorator', {
   arguments = [[
      ...
      id  number?  for the printed text; default 1, 2, 3, … as they are made
   ]],
})

local last = 0

--- The next free id.
-- @treturn int
function NaN.newId()
   last = last + 1
   return last
end

function NaN:__initialize(module)
   Decorator.__initialize(self, module)
   self.id = self.id or NaN.newId()
end

local function has_nan(x)
   if not torch.isTensor(x) or x:nElement() == 0 then
      return false
   end
   local sum = x:sum() -- quick; but infinities may add up to NaN
   return sum ~= sum and torch.ne(x, x):max() > 0
end

--- Whether an element of a tensor, or of a nested table of tensors, is not a number.
-- @param tensor
-- @treturn boolean
function NaN.recursiveIsNaN(_, tensor)
   return nested.any(has_nan, tensor)
end

-- Raise for the first of several that has one: names and nests, in turn.
local function refuse(self, ...)
   for i = 1, select('#', ...), 2 do
      local name, nest = select(i, ...)
      if self:recursiveIsNaN(nest) then
         check.fail(self, 'NaN found in %s of module :\n%s', name, tostring(self))
      end
   end
end

--- The module's output, looked at; when it has a NaN, its input and parameters too.
-- @raise "nn.NaN: NaN found in parameters of module :\nnn.NaN(2) @ nn.Linear(3 -> 4)"
function NaN:updateOutput(input)
   local y = Decorator.updateOutput(self, input)
   if self:recursiveIsNaN(y) then
      refuse(self, 'input', input, 'parameters', (self:parameters()), 'output', y)
   end
   return y
end

--- The module's gradInput, looked at; when it has a NaN, gradOutput too.
-- @raise "nn.NaN: NaN found in gradOutput of module :\nnn.NaN(2) @ nn.Linear(3 -> 4)"
function NaN:updateGradInput(input, gradOutput)
   local gx = Decorator.updateGradInput(self, input, gradOutput)
   if self:recursiveIsNaN(gx) then
      refuse(self, 'gradOutput', gradOutput, 'gradInput', gx)
   end
   return gx
end

--- The module's gradients of its parameters, looked at.
-- @raise "nn.NaN: NaN found in gradParameters of module :\nnn.NaN(2) @ nn.Linear(3 -> 4)"
function NaN:accGradParameters(input, gradOutput, scale)
   Decorator.accGradParameters(self, input, gradOutput, scale)
   local _, gradients = self:parameters()
   if self:recursiveIsNaN(gradients) then
      refuse(self, 'gradOutput', gradOutput, 'gradParameters', gradients)
   end
end

function NaN:__tostring__()
   return ('%s(%d) @ %s'):format(torch.type(self), self.id, tostring(self.modules[1]))
end
