--- Zeroes each element with probability p while training, and scales the others by 1/(1-p), so that
-- the expected output is the input. The identity in evaluation.
-- Source: Srivastava et al., JMLR 15 (2014), 1929-1958.
-- @classmod nn.Dropout

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local Dropout = torch.class('nn.Dropout', 'nn.Module', nn)

local function check_p(self, p)
   if type(p) ~= 'number' or p < 0 or p >= 1 then
      check.fail(self, 'p is %s (illegal percentage), must be 0 <= p < 1', tostring(p))
   end
end

--- @number[opt=0.5] p the probability
-- @bool[opt=false] v1 the first paper's scaling: none in training, (1-p) in evaluation
-- @bool[opt=false] inplace write over the input
-- @bool[opt=false] stochasticInference drop in evaluation too (kept as `stochastic_inference`)
function Dropout:__init(p, v1, inplace, stochasticInference)
   nn.Module.__init(self)
   self.p = p or 0.5
   self.train = true
   self.inplace = inplace
   self.stochastic_inference = stochasticInference or false
   self.v2 = not v1
   self.noise = torch.Tensor()
   check_p(self, self.p)
end

--- Change the probability.
function Dropout:setp(p)
   check_p(self, p)
   self.p = p
end

local function drops(self)
   return self.p > 0 and (self.train or self.stochastic_inference)
end

function Dropout:updateOutput(input)
   local output = self.output
   check.tensor(self, output, input, 'input')
   if self.inplace then
      output:set(input)
   end
   if not drops(self) then
      if not self.inplace then
         output:resizeAs(input):copy(input)
      end
      if not self.v2 and not self.train and self.p > 0 then
         output:mul(1 - self.p)
      end
      return output
   end
   local noise = self.noise
   if self.v2 then
      local generator = input.device_type == C.TH_CPU and torch._gen.generator or nil
      if C.TH_dropout(output, noise, input, self.p, generator) ~= 0 then
         check.recover(self)
         th.check(C.TH_dropout(output, noise, input, self.p, generator))
      end
   else
      noise:resizeAs(input):bernoulli(1 - self.p)
      output:resizeAs(input):cmul(input, noise)
   end
   return output
end

function Dropout:updateGradInput(_, gradOutput)
   local gradInput = self.gradInput
   check.tensor(self, gradInput, gradOutput, 'gradOutput')
   if self.inplace then
      gradInput:set(gradOutput)
   else
      gradInput:resizeAs(gradOutput)
   end
   if drops(self) then
      gradInput:cmul(gradOutput, self.noise)
   else
      if not self.inplace then
         gradInput:copy(gradOutput)
      end
      if not self.v2 and not self.train and self.p > 0 then
         gradInput:mul(1 - self.p)
      end
   end
   return gradInput
end

function Dropout:clearState()
   if self.noise then
      self.noise:set()
   end
   return nn.Module.clearState(self)
end

function Dropout:__tostring__()
   return ('%s(%f)'):format(torch.type(self), self.p)
end
