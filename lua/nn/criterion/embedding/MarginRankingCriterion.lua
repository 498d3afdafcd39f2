--- Of pairs that shall be in an order: the mean over all of max(0, margin - t (x1 - x2)), for
-- scores {x1, x2} and a target of 1 where x1 shall be the larger, -1 where x2. A single pair may
-- have a number for its target.
-- Shapes: x1, x2 and target of any shape with equal element counts.
-- @classmod nn.MarginRankingCriterion
-- @example
-- local a, b = torch.Tensor { 1 }, torch.Tensor { 3 }
-- nn.MarginRankingCriterion(0.5):forward({ a, b }, 1) --> 2.5

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local MarginRanking = nn.declare('nn.MarginRankingCriterion', 'nn.Criterion', {
   arguments = [[
      margin       number = 1
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   input = 'table', tensors = 2, target = 'signs',
})

local function differences(self, x)
   local buffer = check.suits(self.buffer, x[1].dtype, x[1]) and self.buffer or th.like(x[1])
   self.buffer = buffer
   return buffer:add(x[1], -1, x[2])
end

function MarginRanking:__computeOutput(loss, x, t)
   return ops.margin_loss(self, loss, differences(self, x), t, nil, self.margin, 0,
      self.sizeAverage)
end

function MarginRanking:__computeGradInput(gx, x, t)
   ops.margin_loss_backward(self, gx[1], differences(self, x), t, nil, self.margin, 0,
      self.sizeAverage)
   gx[2]:neg(gx[1]:resizeAs(x[1]))
   return gx
end

return MarginRanking
