--- Rounds to what 8 bits can stand for, and lets gradients through: a net that is trained with it
-- learns weights that rounding does not hurt.
--
-- y = scale (min(max(round(x / scale) + zero, 0), 255) - zero). The range is followed while
-- training: a moving average of the batches' extremes. dL/dx = dL/dy where x is within the range,
-- else 0 (the straight-through estimator). nn.quantize reads the range off it.
-- Source: Jacob et al., Quantization and Training of Neural Networks for Efficient
-- Integer-Arithmetic-Only Inference, CVPR 2018.
-- @classmod nn.FakeQuantize
-- @example
-- local fake = nn.FakeQuantize():setRange(0, 255)
-- fake:evaluate()
-- fake:forward(torch.Tensor { 0.4, 3.7, 300, -5 }) --> { 0, 4, 255, 0 }

local nn = require 'nn'
local check = require 'nn.check'
local numbers = require 'nn.quantization.numbers'

local FakeQuantize = nn.declare('nn.FakeQuantize', {
   arguments = 'momentum  number = 0.99  the weight of the range that was before',
})

function FakeQuantize:__initialize(momentum)
   if momentum < 0 or momentum >= 1 then
      check.fail(self, 'momentum is %g, expected a number from 0 to below 1', momentum)
   end
   self.train = true
end

--- Say what the range is; training goes on from there.
-- @number low
-- @number high
-- @return self
function FakeQuantize:setRange(low, high)
   if low ~= low or high ~= high or low > high or low == -math.huge or high == math.huge then
      check.fail(self, 'a range from %g to %g; expected two numbers, the smaller first', low, high)
   end
   self.low, self.high = low, high
   return self
end

--- What bytes stand for.
-- @treturn table { scale, zero }
-- @raise "nn.FakeQuantize: no range is known yet; …"
function FakeQuantize:numbers()
   if not self.low then
      check.fail(self, 'no range is known yet; train the net, or run it on data in training mode')
   end
   return numbers.of_range(self.low, self.high)
end

local function observe(self, x)
   local low, high = x:min(), x:max()
   if low ~= low or high ~= high or low == -math.huge or high == math.huge then
      return -- a step that has gone wrong is for others to report
   end
   local m = self.low and self.momentum or 0
   self.low = m * (self.low or 0) + (1 - m) * low
   self.high = m * (self.high or 0) + (1 - m) * high
end

-- The numbers that the least and the largest byte stand for.
local function bounds(self)
   local n = self:numbers()
   return -n.zero * n.scale, (255 - n.zero) * n.scale, n.scale
end

function FakeQuantize:__computeOutput(y, x)
   if self.train then
      observe(self, x)
   end
   if not self.low then -- nothing but infinities so far
      return y:resizeAs(x):copy(x)
   end
   local low, high, scale = bounds(self)
   y:resizeAs(x):copy(x):clamp(low, high):div(scale)
   return numbers.round(y):mul(scale)
end

function FakeQuantize:__computeGradInput(gx, x, g)
   gx:resizeAs(g):copy(g)
   if self.low then
      local low, high = bounds(self)
      gx:cmul(x:ge(low):typeAs(g)):cmul(x:le(high):typeAs(g))
   end
   return gx
end
