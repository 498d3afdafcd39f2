--- y = w x, element by element, with learnt factors; w is repeated along its dimensions of size 1.
--
-- Shapes: x is as w, or N x (as w); the output likewise.
-- @classmod nn.CMul

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local CMul = nn.declare('nn.CMul', 'nn.Weighted', {
   arguments = 'size  sizes  those of w',
   text = '({size/x})',
})

function CMul:__initialize(size)
   self:__addWeights(size:totable())
end

-- w with a dimension for each of x's.
local function factors(self, x)
   local w, sizes = self.weight, self.weight:size():totable()
   if x:dim() == #sizes + 1 then
      table.insert(sizes, 1, 1)
   end
   for d, n in ipairs(sizes) do
      if x:dim() ~= #sizes or (n ~= 1 and n ~= x:size(d)) then
         check.fail(self, 'input is %s, expected %s or N x %s (with any size in place of a 1)',
            check.describe(x), check.describe(w), check.describe(w))
      end
   end
   return w:view(torch.LongStorage(sizes))
end

function CMul:__computeOutput(y, x)
   return y:resizeAs(x):cmul(x, factors(self, x):expandAs(x))
end

function CMul:__computeGradInput(gx, x, g)
   return gx:resizeAs(x):cmul(g, factors(self, x):expandAs(x))
end

function CMul:__computeGradParameters(x, g, scale)
   local w, sum = factors(self, x), torch.cmul(x, g)
   for d = 1, x:dim() do
      if w:size(d) == 1 and x:size(d) > 1 then
         sum = sum:sum(d)
      end
   end
   self.gradWeight:add(scale, sum:viewAs(self.gradWeight))
end
