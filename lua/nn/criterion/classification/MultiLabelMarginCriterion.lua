--- Margins of some classes against all others: the mean over the samples of the sum over targets j
-- and classes i that are none of max(0, 1 - x[t_j] + x[i]) / C.
-- Shapes: input and target C or N x C; a sample's targets end at the first 0, and count from 1.
-- @classmod nn.MultiLabelMarginCriterion
-- @example
-- local scores, classes = torch.Tensor { 0.1, 0.2, 0.4, 0.8 }, torch.Tensor { 3, 0, 0, 0 }
-- nn.MultiLabelMarginCriterion():forward(scores, classes) --> 0.725

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local MultiLabelMargin = nn.declare('nn.MultiLabelMarginCriterion', 'nn.Criterion', {
   arguments = 'sizeAverage  boolean = true  false: the sum instead of the mean',
   input = 'N? C', target = 'classes',
})

function MultiLabelMargin:__initialize()
   self.isTarget = torch.Tensor()
end

-- Where a tensor is 0, as 0 and 1 of long beside it: `long()` of a CUDA tensor is on the CPU.
local function zeros_of(x)
   return th.likeType(x, th.C.TH_LONG):resize(x:size()):copy(x:eq(0))
end

-- x as rows; columns of classes, 1 where there is none; whether there is one; and how many columns
-- have any. `isTarget` is 1 at the targets.
local function read(self, x, t)
   check.count(self, t, x, 'target')
   x = x.ndim == 1 and x:reshape(1, x:size(1)) or x
   t = t:reshape(x:size(1), x:size(2))
   local there = zeros_of(zeros_of(t):cumsum(2))
   local most = there:sum(2):max()
   local class = torch.cmul(t, there)
   check.classes(self, class + (1 - there), nil, x:size(2))
   -- Where there is no target, the column behind the classes.
   local marked = th.like(x):resize(x:size(1), x:size(2) + 1):zero()
   marked:scatter(2, class + (1 - there) * (x:size(2) + 1), 1)
   self.isTarget = marked:narrow(2, 1, x:size(2)):clone()
   return x, class + (1 - there), there:typeAs(x), most
end

-- What is missing to the margins of the j-th targets.
local function missing(self, x, class, there, j)
   local column = class:narrow(2, j, 1)
   local z = (x - x:gather(2, column):expandAs(x)):add(1):cmax(0)
   z:cmul(1 - self.isTarget):cmul(there:narrow(2, j, 1):expandAs(x))
   return z, column
end

local function factor(self, x)
   return 1 / (self.sizeAverage and x:nElement() or x:size(2))
end

function MultiLabelMargin:__computeOutput(_, input, target)
   local x, class, there, most = read(self, input, target)
   local loss = th.like(x):resizeAs(x):zero()
   for j = 1, most do
      loss:add((missing(self, x, class, there, j)))
   end
   return loss:sum() * factor(self, x)
end

function MultiLabelMargin:__computeGradInput(gx, input, target)
   local x, class, there, most = read(self, input, target)
   gx:resizeAs(x):zero()
   for j = 1, most do
      local g, column = missing(self, x, class, there, j)
      g:sign()
      gx:add(g)
      gx:scatter(2, column, gx:gather(2, column):csub(g:sum(2)))
   end
   return gx:mul(factor(self, x)):resizeAs(input)
end

return MultiLabelMargin
