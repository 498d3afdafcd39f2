--- y = sin(w x), w fixed: a layer in the way of Torch7, which needs nothing but torch.class.
--
-- Shapes: any. Source: Sitzmann et al., NeurIPS 2020 (arXiv:2006.09661).

local torch = require 'torch'
require 'nn'

local Sine, parent = torch.class('nn.Sine', 'nn.Module')

function Sine:__init(w)
   parent.__init(self) -- makes the buffers output and gradInput
   self.w = w or 1
end

function Sine:updateOutput(input)
   return self.output:resizeAs(input):mul(input, self.w):sin()
end

function Sine:updateGradInput(input, gradOutput)
   self.gradInput:resizeAs(input):mul(input, self.w):cos():mul(self.w)
   return self.gradInput:cmul(gradOutput)
end
