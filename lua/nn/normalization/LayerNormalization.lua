--- Torch7's layer normalisation: of the last dimension, with eps added to the sum of squares.
--
-- y = (x - mean) / sqrt(var + eps / nOutput) * weight + bias. nn.LayerNorm is today's.
--
-- Shapes: x is N x nOutput or nOutput; the output likewise.
-- @classmod nn.LayerNormalization
-- @example nn.LayerNormalization(2):forward(torch.Tensor { { 1, 3 } }) --> { { -1, 1 } }

local torch = require 'torch'
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

-- Torch7's class is an nn.Sequential: the mean subtracted, an nn.Normalize, the root of the length
-- as a factor and, with weights, an nn.CMul and an nn.Add.
function Layer:__upgrade(_)
   local modules = self.modules
   if not modules then
      return
   end
   local scale, weight, bias = modules[4], modules[5], modules[6]
   self.eps, self.affine = modules[3].eps, weight ~= nil
   self.size = torch.LongStorage { weight and weight.weight:nElement()
      or math.floor(scale.constant_scalar ^ 2 + 0.5) }
   if weight then
      self.weight, self.gradWeight = weight.weight:view(-1), weight.gradWeight:view(-1)
      self.bias, self.gradBias = bias.bias:view(-1), bias.gradBias:view(-1)
   end
   self.modules = nil
   self.output, self.gradInput = torch.Tensor():type(self._type), torch.Tensor():type(self._type)
end

function Layer:__epsilon(length)
   return self.eps / length
end
