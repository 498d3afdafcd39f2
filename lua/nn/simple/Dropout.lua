--- Zeroes each element with probability p while training, and scales the others by 1/(1-p), so that
-- the expected output is the input. The identity in evaluation.
-- Source: Srivastava et al., JMLR 15 (2014), 1929-1958.
-- @classmod nn.Dropout
-- @example
-- local drop = nn.Dropout(0.5)
-- drop:evaluate()
-- drop:forward(torch.Tensor { 1, 2 }) --> { 1, 2 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local C = require('torch.ffi').C

local Dropout = nn.declare('nn.Dropout', {
   arguments = [[
      p        number = 0.5     the probability
      (v1)     boolean = false  the first paper's scaling: none in training, (1-p) in evaluation
      inplace  any?             write over the input
      stochasticInference -> stochastic_inference  boolean = false  drop in evaluation too
   ]],
   text = '({p%f})',
})

function Dropout:__initialize(p, v1)
   self.train = true
   self.v2 = not v1
   self.noise = torch.Tensor()
   self:setp(p)
end

--- Change the probability.
-- @example
-- local drop = nn.Dropout(0.5)
-- drop:setp(0)
-- drop:forward(torch.ones(3)) --> { 1, 1, 1 }
function Dropout:setp(p)
   if type(p) ~= 'number' or p < 0 or p >= 1 then
      check.fail(self, 'p is %s (illegal percentage), must be 0 <= p < 1', tostring(p))
   end
   self.p = p
end

local function drops(self)
   return self.p > 0 and (self.train or self.stochastic_inference)
end

-- r = x, times 1-p in an evaluation by the first paper's scaling.
local function pass(self, r, x)
   if not self.inplace then
      r:resizeAs(x):copy(x)
   end
   if not self.v2 and not self.train and self.p > 0 then
      r:mul(1 - self.p)
   end
   return r
end

function Dropout:__computeOutput(y, x)
   if not drops(self) then
      return pass(self, y, x)
   elseif self.again then
      return y:resizeAs(x):cmul(x, self.noise)
   elseif self.v2 then
      local generator = x.device_type == C.TH_CPU and torch._gen.generator or nil
      return ops.dropout(self, y, self.noise, x, self.p, generator)
   end
   self.noise:resizeAs(x):bernoulli(1 - self.p)
   return y:resizeAs(x):cmul(x, self.noise)
end

function Dropout:__computeGradInput(gx, _, g)
   if drops(self) then
      return gx:resizeAs(g):cmul(g, self.noise)
   end
   return pass(self, gx, g)
end

function Dropout:clearState()
   nn.utils.clear(self, 'noise')
   return nn.Module.clearState(self)
end
