--- Turns pairs of features by angles that grow with the position, so that products of queries and
-- keys depend on their distance.
--
-- With (a, b) features i and i + F/2 at position t, and w = (t - 1) / base^(2 (i-1) / F):
-- (a, b) <- (a cos w - b sin w, b cos w + a sin w)
--
-- Shapes: x is ... x T x features, with one or two dimensions or none in front; y likewise.
--
-- Source: Su et al., 2021 (arXiv:2104.09864), with the halves as pairs.
-- @classmod nn.RotaryEmbedding
-- @usage nn.RotaryEmbedding(64)
-- @example #nn.RotaryEmbedding(8):forward(torch.randn(2, 5, 8)) --> { 2, 5, 8 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Rotary = nn.declare('nn.RotaryEmbedding', {
   arguments = [[
      features  size            of each position, an even number
      base      number = 10000  of the slowest turn
   ]],
   input = 'N? T features | N H T features',
   output = 'N? T features | N H T features',
   text = '({features})',
})

function Rotary:__initialize(features)
   if features % 2 ~= 0 then
      check.fail(self, 'features is %d, expected an even number', features)
   end
end

local function angles(self, x)
   local T, half = x:size(x.ndim - 1), self.features / 2
   if not check.suits(self.cosines, x.dtype, x) or self.cosines:size(1) < T then
      local rate = torch.range(0, half - 1):mul(-2 * math.log(self.base) / self.features):exp()
      local angle = torch.cmul(torch.range(0, T - 1):view(T, 1):expand(T, half),
         rate:view(1, half):expand(T, half))
      self.cosines = x.new():resize(T, half):copy(torch.cos(angle))
      self.sines = x.new():resize(T, half):copy(torch.sin(angle))
   end
   local sizes = torch.LongStorage(x.ndim):fill(1)
   sizes[x.ndim - 1], sizes[x.ndim] = T, half
   return self.cosines:narrow(1, 1, T):view(sizes), self.sines:narrow(1, 1, T):view(sizes)
end

-- By the angles, or with direction -1 back.
local function turn(self, r, x, direction)
   local half, last = self.features / 2, x.ndim
   local cosines, sines = angles(self, x)
   r:resizeAs(x)
   local a, b = x:narrow(last, 1, half), x:narrow(last, half + 1, half)
   local ra, rb = r:narrow(last, 1, half), r:narrow(last, half + 1, half)
   cosines, sines = cosines:expandAs(a), sines:expandAs(a)
   ra:cmul(a, cosines):addcmul(-direction, b, sines)
   rb:cmul(b, cosines):addcmul(direction, a, sines)
   return r
end

function Rotary:__computeOutput(y, x)
   return turn(self, y, x, 1)
end

function Rotary:__computeGradInput(gx, _, g)
   return turn(self, gx, g, -1)
end

function Rotary:clearState()
   self.cosines, self.sines = nil, nil
   return nn.Module.clearState(self)
end
