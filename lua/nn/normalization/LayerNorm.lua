--- Each sample with mean 0 and variance 1 over its last dimensions, then scaled and shifted.
--
-- y = (x - mean) / sqrt(var + eps) * weight + bias, mean and (biased) variance of the features of
-- one sample, or one position of it. The same in training and in evaluation.
--
-- Shapes: x is ... x size, for a size of one or more dimensions; weight and bias are as size.
--
-- Source: Ba, Kiros and Hinton, "Layer normalization", 2016 (arXiv:1607.06450).
-- @classmod nn.LayerNorm
-- @usage nn.LayerNorm(512)
-- @usage nn.LayerNorm({ 10, 20 }, 1e-6)  -- over the last two dimensions
-- @example nn.LayerNorm(2):forward(torch.Tensor { { 1, 3 } }) --> { { -1, 1 } }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local LayerNorm = nn.declare('nn.LayerNorm', 'nn.RowNormalization', {
   arguments = [[
      (size)  any             features: a number, a table or a LongStorage of the last sizes
      eps     number = 1e-5   added to the variance
      affine  boolean = true  learn weight and bias
      (bias)  boolean = true  with a bias
   ]],
   text = '({size/x}){no bias}',
})

function LayerNorm:__initialize(size, _, affine, bias)
   local sizes = type(size) == 'number' and { size } or torch.isStorage(size) and size:totable()
      or size
   if type(sizes) ~= 'table' or #sizes == 0 then
      check.fail(self, 'size is %s, expected a number, a table or a LongStorage of sizes',
         check.given(size))
   end
   self.size = torch.LongStorage(sizes)
   if affine then
      self:__addWeights(sizes, bias and sizes or nil)
   end
end

function LayerNorm:__rows(x)
   local size, dims = self.size, x.ndim
   local count, first = size:size(), dims - size:size()
   local length, fits = 1, first >= 0
   for d = 1, fits and count or 0 do
      fits = fits and x:size(first + d) == size[d]
      length = length * size[d]
   end
   if not fits then
      check.fail(self, 'input is %s, expected ... x %s', check.describe(x),
         table.concat(size:totable(), ' x '))
   end
   return length, 1, 1
end
