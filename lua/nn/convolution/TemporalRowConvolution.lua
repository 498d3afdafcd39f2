--- Convolution over sequences in which each feature has a kernel of its own.
--
-- Shapes: input N x T x inputFrameSize, or with `featFirst` N x inputFrameSize x T, and both
-- without N; weight inputFrameSize x 1 x kW; bias inputFrameSize; output as the input, with
-- floor((T - kW) / dW) + 1 frames. Weight and bias start uniform in ±1/sqrt(kW inputFrameSize).
-- Amodei et al., Deep Speech 2, 2016.
-- @classmod nn.TemporalRowConvolution
-- @example #nn.TemporalRowConvolution(4, 3):forward(torch.randn(2, 10, 4)) --> { 2, 8, 4 }

local nn = require 'nn'
local check = require 'nn.check'

local Row, Convolution = nn.declare('nn.TemporalRowConvolution', 'nn.Convolution', {
   arguments = [[
      inputFrameSize  size             features
      kW              size             frames of a kernel
      dW              integer = 1      step, in frames
      featFirst       boolean = false  features come before frames
   ]],
   input = 'N? A B',
   batch = true,
   validate = '__checkFrames',
   text = '({inputFrameSize}, {kW}<, {dW}>){no bias}',
})

Row.__axes = require('nn.convolution.axes').signal
Row.padW = 0

function Row:__initialize(features, kW)
   self:__addWeights({ features, 1, kW }, { features })
end

function Row:__fanIn()
   return self.kW * self.inputFrameSize
end

function Row:__checkFrames(x)
   local dim = self.featFirst and x.ndim - 1 or x.ndim
   if x:size(dim) ~= self.inputFrameSize then
      check.fail(self, 'input is %s, expected %s', check.describe(x), self.featFirst
         and 'N x ' .. self.inputFrameSize .. ' x T' or 'N x T x ' .. self.inputFrameSize)
   end
   self.groups = self.inputFrameSize
end

-- Features first, as the operations have them; and back.
local function turned(self, x)
   return self.featFirst and x or x:transpose(2, 3)
end

local function turn_back(self, r, result)
   return self.featFirst and result or r:resize(result:size(1), result:size(3), result:size(2))
      :copy(result:transpose(2, 3))
end

local function buffer(self, r)
   if self.featFirst then
      return r
   end
   self._turned = self._turned or r.new()
   return self._turned
end

function Row:__computeOutput(y, x)
   return turn_back(self, y, self:__convolve(buffer(self, y), turned(self, x), self.bias))
end

function Row:__computeGradInput(gx, x, g)
   return turn_back(self, gx, self:__spread(buffer(self, gx), turned(self, g), turned(self, x)))
end

function Row:__computeGradParameters(x, g, scale)
   self:__addGradients(turned(self, x), turned(self, g), self.gradBias, scale)
end

function Row:clearState()
   nn.utils.clear(self, '_turned')
   return Convolution.clearState(self)
end
