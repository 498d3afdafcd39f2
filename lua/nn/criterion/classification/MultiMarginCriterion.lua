--- Margins of a class against all others: the mean over the samples of the sum over i of
-- weights[t] max(0, margin - x[t] + x[i])^p / C, without i = t.
-- Shapes: input N x C and N targets, or C and one target; targets count from 1.
-- Source: Crammer & Singer, On the Algorithmic Implementation of Multiclass Kernel-based Vector
-- Machines, 2001.
-- @classmod nn.MultiMarginCriterion
-- @example nn.MultiMarginCriterion():forward(torch.Tensor { 0.1, 0.9, 0.4 }, 2) --> 0.2333

local nn = require 'nn'
local check = require 'nn.check'

local MultiMargin = nn.declare('nn.MultiMarginCriterion', 'nn.Criterion', {
   arguments = [[
      p            number = 1      1 or 2
      weights      vector?         a weight for each class
      margin       number = 1
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   input = 'N? C', target = 'classes',
})

function MultiMargin:__initialize()
   if self.p ~= 1 and self.p ~= 2 then
      check.fail(self, 'p is %g, expected 1 or 2', self.p)
   end
end

-- What is missing to the margins, N x C, 0 for the targets; and the targets as a column.
local function missing(self, x, t)
   x = x.ndim == 1 and x:reshape(1, x:size(1)) or x
   check.classes(self, t, x:size(1), x:size(2))
   t = t:reshape(x:size(1), 1)
   return (x - x:gather(2, t):expandAs(x)):add(self.margin):cmax(0):scatter(2, t, 0), t
end

-- z times the weights of the targets.
local function weigh(self, z, t)
   if self.weights then
      z:cmul(self.weights:index(1, t:view(-1)):view(-1, 1):expandAs(z))
   end
   return z
end

local function factor(self, z)
   return 1 / (self.sizeAverage and z:nElement() or z:size(2))
end

function MultiMargin:__computeOutput(_, x, t)
   local z, class = missing(self, x, t)
   return weigh(self, self.p == 2 and z:square() or z, class):sum() * factor(self, z)
end

function MultiMargin:__computeGradInput(gx, x, t)
   local z, class = missing(self, x, t)
   local g = weigh(self, self.p == 2 and z:mul(2) or z:sign(), class):mul(factor(self, z))
   g:scatter(2, class, g:sum(2):neg())
   return gx:resizeAs(g):copy(g):resizeAs(x)
end

return MultiMargin
