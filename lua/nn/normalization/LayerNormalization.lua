--- Torch7's layer normalisation: of the last dimension, with eps added to the sum of squares.
--
-- y = (x - mean) / sqrt(var + eps / nOutput) * weight + bias. nn.LayerNorm is today's.
--
-- Shapes: x is N x nOutput or nOutput; the output likewise.
-- @classmod nn.LayerNormalization

local nn = require 'nn'

local Layer, LayerNorm = nn.declare('nn.LayerNormalization', 'nn.LayerNorm', {
   arguments = [[
      (nOutput)  size            features
      (bias)     number = 0      what each bias begins with
      eps        number = 1e-10  added to the sum of squares
      affine     boolean = true  learn weight and bias
   ]],
   text = '({size/x})',
})

function Layer:__initialize(nOutput, bias, eps, affine)
   LayerNorm.__initialize(self, nOutput, eps, affine, true)
   if self.bias then
      self.bias:fill(bias)
   end
end

function Layer:__epsilon(length)
   return self.eps / length
end
