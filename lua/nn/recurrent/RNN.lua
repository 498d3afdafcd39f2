--- The plain recurrent layer over whole sequences: h <- tanh(W x + b + U h + b').
--
-- Input, output, states and options: nn.Recurrence; the field `relu` makes it max(0, ...) for tanh.
--
-- Source: Elman, Cognitive Science 14 (1990).
-- @classmod nn.RNN
-- @usage nn.RNN(inputSize, hiddenSize[, layers, bias, batchFirst, dropout, bidirectional, relu])
-- nn.RNN(64, 128):forward(torch.randn(50, 32, 64)) -- 50 x 32 x 128
-- @example #nn.RNN(4, 6):forward(torch.randn(10, 2, 4)) --> { 10, 2, 6 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local RNN = nn.declare('nn.RNN', 'nn.Recurrence', {
   arguments = [[
      ...
      relu  boolean = false  max(x, 0) in the place of tanh
   ]],
})

function RNN:__run(s, x, h0, _, W, U, b, bU, lengths, reverse)
   ops.rnn(self, s.y, x, h0, W, U, b, bU, lengths, reverse, self.relu)
end

function RNN:__back(s, gx, gW, gb, gy, _, W, lengths, reverse, scale)
   ops.rnn_backward(self, gx, s.gh0, gW[1], gW[2], gb[1], gb[2], gy, s.x,
      s.has_state and s.h0 or nil, W[1], W[2], s.y, lengths, reverse, self.relu, scale)
end
