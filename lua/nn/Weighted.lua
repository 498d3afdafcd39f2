--- A layer with a weight, a bias, or both: their buffers, how they start, and how they step.
--
-- A layer derived from it says how many inputs an output has (`__fanIn()`), calls
-- `__addWeights(sizes of weight, sizes of bias)` in `__initialize`, where nil makes none, and
-- computes with `self.weight` and `self.bias`.
-- @classmod nn.Weighted

local torch = require 'torch'
local nn = require 'nn'

local Weighted = nn.declare('nn.Weighted', { own = 'weight' })

--- Make the parameters and their gradients, and draw them.
-- @tparam[opt] table weight its sizes; nil: none
-- @tparam[opt] table bias its sizes; nil: none
function Weighted:__addWeights(weight, bias)
   if weight then
      self.weight, self.gradWeight = torch.Tensor(unpack(weight)), torch.Tensor(unpack(weight))
   end
   if bias then
      self.bias, self.gradBias = torch.Tensor(unpack(bias)), torch.Tensor(unpack(bias))
   end
   self:reset()
end

--- How many inputs an output depends on; for layers to define.
function Weighted:__fanIn()
   return (self.weight or self.bias):nElement()
end

--- Draw weight and bias uniformly, weight first.
-- @number[opt] stdv standard deviation; default 1/sqrt(3 * inputs of an output)
-- @return self
function Weighted:reset(stdv)
   local bound = stdv and stdv * math.sqrt(3) or 1 / math.sqrt(self:__fanIn())
   if self.weight then
      self.weight:uniform(-bound, bound)
   end
   if self.bias then
      self.bias:uniform(-bound, bound)
   end
   return self
end

--- Drop the bias.
-- @return self
-- @example nn.Linear(3, 2):noBias().bias --> nil
function Weighted:noBias()
   self.bias = nil
   self.gradBias = nil
   return self
end

-- The gradients of these layers do not depend on the parameters, so that layers that share them may
-- step one after the other.
function Weighted:sharedAccUpdateGradParameters(input, gradOutput, lr)
   self:defaultAccUpdateGradParameters(input, gradOutput, lr)
end
