--- Long short-term memory over whole sequences.
--
-- i, f, o = sigmoid(W x + b + U h + b'), g = tanh(...), c <- f c + i g, h <- o tanh(c)
--
-- Gates lie in the order i, f, g, o, as PyTorch's. Input, output, states and options:
-- nn.Recurrence.
--
-- Source: Hochreiter and Schmidhuber, Neural Computation 9 (1997); forget gates: Gers, Schmidhuber
-- and Cummins, Neural Computation 12 (2000).
-- @classmod nn.LSTM
-- @usage nn.LSTM(inputSize, hiddenSize[, numLayers, bias, batchFirst, dropout, bidirectional])
-- nn.LSTM(64, 128, 2):forward(torch.randn(50, 32, 64)) -- 50 x 32 x 128
-- @example
-- local net = nn.LSTM(4, 6)
-- #net:forward(torch.randn(10, 2, 4)) --> { 10, 2, 6 }
-- #net:finalState() --> { 1, 2, 6 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local LSTM = nn.declare('nn.LSTM', 'nn.Recurrence', {})

LSTM.gates = 4
LSTM.states = 2

function LSTM:__run(s, x, h0, c0, W, U, b, bU, lengths, reverse)
   ops.lstm(self, s.y, s.c, s.gates, x, h0, c0, W, U, b, bU, lengths, reverse)
end

function LSTM:__back(s, gx, gW, gb, gy, gc, W, lengths, reverse, scale)
   local h0, c0 = s.has_state and s.h0 or nil, s.has_state and s.c0 or nil
   ops.lstm_backward(self, gx, s.gh0, s.gc0, gW[1], gW[2], gb[1], gb[2], gy, gc, s.x, h0, c0,
      W[1], W[2], s.y, s.c, s.gates, lengths, reverse, scale)
end
