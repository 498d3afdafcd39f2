--- Convolution over sequences of frames.
--
-- Shapes: input N x T x inputFrameSize, or T x inputFrameSize; weight outputFrameSize x
-- kW*inputFrameSize, a kernel's frames one after the other; bias outputFrameSize; output N x oT x
-- outputFrameSize with oT = floor((T - kW) / dW) + 1. Weight and bias start uniform in
-- ±1/sqrt(kW inputFrameSize).
-- @classmod nn.TemporalConvolution
-- @example #nn.TemporalConvolution(4, 8, 3):forward(torch.randn(2, 10, 4)) --> { 2, 8, 8 }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local TemporalConvolution = nn.declare('nn.TemporalConvolution', 'nn.Weighted', {
   arguments = [[
      inputFrameSize   size        numbers of a frame in
      outputFrameSize  size        numbers of a frame out
      kW               size        frames of a kernel
      dW               integer = 1 step, in frames
   ]],
   input = 'N? T inputFrameSize',
   output = 'N? oT outputFrameSize',
   batch = true,
   validate = '__checkLength',
})

function TemporalConvolution:__initialize(inputs, outputs, kW)
   self:__addWeights({ outputs, kW * inputs }, { outputs })
end

function TemporalConvolution:__fanIn()
   return self.kW * self.inputFrameSize
end

function TemporalConvolution:__checkLength(x)
   local length = x:size(x.ndim - 1)
   if length < self.kW then
      check.fail(self, 'input is %s: %d frames, shorter than a kernel of %d', check.describe(x),
         length, self.kW)
   end
end

-- The frames that each output sees, in rows.
local function windows(self, x)
   local seen = x:unfold(2, self.kW, self.dW):transpose(3, 4)
   local rows = self._windows or x.new()
   self._windows = rows
   return rows:resize(seen:size()):copy(seen):view(-1, self.weight:size(2))
end

local function rows_of(g)
   return g:contiguous():view(-1, g:size(3))
end

function TemporalConvolution:__computeOutput(y, x)
   local rows = windows(self, x)
   local N = x:size(1)
   ops.linear(self, y, rows, self.weight, self.bias)
   return y:resize(N, rows:size(1) / N, self.outputFrameSize)
end

function TemporalConvolution:__computeGradInput(gx, x, g)
   local spread = rows_of(g) * self.weight
   spread = spread:view(g:size(1), g:size(2), self.kW, self.inputFrameSize)
   gx:resizeAs(x):zero()
   local seen = gx:unfold(2, self.kW, self.dW)
   for k = 1, self.kW do -- the k-th frames of all windows lie apart
      seen:select(4, k):add(spread:select(3, k))
   end
   return gx
end

function TemporalConvolution:__computeGradParameters(x, g, scale)
   g = rows_of(g)
   self.gradWeight:addmm(scale, g:t(), windows(self, x))
   if self.gradBias then
      self.gradBias:add(scale, g:sum(1))
   end
end

function TemporalConvolution:clearState()
   nn.utils.clear(self, '_windows')
   return nn.Module.clearState(self)
end
