--- The maximum of each feature over kW steps of time.
--
-- Shapes: input N x T x F or T x F; output likewise with oT = floor((T - kW) / dW) + 1.
-- `indices` keeps where in its T x F plane each maximum was.
-- @classmod nn.TemporalMaxPooling
-- @example #nn.TemporalMaxPooling(2, 2):forward(torch.randn(2, 10, 4)) --> { 2, 5, 4 }

local nn = require 'nn'
local maxima = require 'nn.pooling.maxima'
local windows = require 'nn.pooling.windows'

local TemporalMaxPooling = nn.declare('nn.TemporalMaxPooling', 'nn.Pooling', {
   arguments = [[
      kW  size         window, steps of time
      dW  integer = kW from window to window
   ]],
   input = 'N? T F',
   output = 'N? oT F',
   batch = true,
})

-- A sample is an image of T x F, its windows are one feature wide.
maxima.install(TemporalMaxPooling, 'max_pool', function(self)
   return windows.of(self.kW, 1, self.dW, 1, 0, 0)
end)
