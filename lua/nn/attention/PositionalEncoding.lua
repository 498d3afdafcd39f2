--- Adds to each position of a sequence its place, in sines and cosines of lengths up to 2 pi 10000.
--
-- y[t][2i-1] = x + sin((t-1) / 10000^((2i-2)/F)), y[t][2i] = x + cos(the same)
--
-- Shapes: x is N x T x features, or T x features; y likewise.
--
-- Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762), 3.5.
-- @classmod nn.PositionalEncoding
-- @usage nn.PositionalEncoding(512)
-- @example
-- nn.PositionalEncoding(2):forward(torch.zeros(1, 2, 2)) --> { { { 0, 1 }, { 0.8415, 0.5403 } } }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Encoding = nn.declare('nn.PositionalEncoding', {
   arguments = 'features  size  of each position',
   input = 'N? T features',
   output = 'N? T features',
   text = '({features})',
})

-- The encodings of the first T positions.
local function encodings(self, x, T)
   local table_ = self.places
   if not check.suits(table_, x.dtype, x) or table_:size(1) < T then
      local F = self.features
      local half = math.ceil(F / 2)
      local place = torch.range(0, T - 1):view(T, 1):expand(T, half)
      local rate = torch.range(0, half - 1):mul(-2 * math.log(10000) / F):exp()
      local angle = torch.cmul(place, rate:view(1, half):expand(T, half))
      local all = torch.cat(torch.sin(angle):view(T, half, 1), torch.cos(angle):view(T, half, 1), 3)
      table_ = x.new():resize(T, F):copy(all:view(T, 2 * half):narrow(2, 1, F))
      self.places = table_
   end
   return table_:narrow(1, 1, T)
end

function Encoding:__computeOutput(y, x)
   local T = x:size(x.ndim - 1)
   local places = encodings(self, x, T)
   if x.ndim == 3 then
      places = places:view(1, T, self.features)
   end
   return y:resizeAs(x):add(x, places:expandAs(x))
end

function Encoding.__computeGradInput(_, gx, _, g)
   return gx:resizeAs(g):copy(g)
end

function Encoding:clearState()
   self.places = nil
   return nn.Module.clearState(self)
end
