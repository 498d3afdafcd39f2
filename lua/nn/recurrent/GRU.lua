--- Gated recurrent units over whole sequences.
--
-- r, z = sigmoid(W x + b + U h + b'), n = tanh(W x + b + r (U h + b')), h <- (1 - z) n + z h
--
-- Gates lie in the order r, z, n, and r acts behind the product, as in PyTorch and cuDNN. Input,
-- output, states and options: nn.Recurrence.
--
-- Source: Cho et al., EMNLP 2014 (arXiv:1406.1078).
-- @classmod nn.GRU
-- @usage nn.GRU(inputSize, hiddenSize[, numLayers, bias, batchFirst, dropout, bidirectional])
-- nn.GRU(64, 128, 2):forward(torch.randn(50, 32, 64)) -- 50 x 32 x 128
-- @example #nn.GRU(4, 6):forward(torch.randn(10, 2, 4)) --> { 10, 2, 6 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local GRU = nn.declare('nn.GRU', 'nn.Recurrence', {})

GRU.gates = 3

function GRU:__run(s, x, h0, _, W, U, b, bU, lengths, reverse)
   ops.gru(self, s.y, s.gates, s.c, x, h0, W, U, b, bU, lengths, reverse)
end

function GRU:__back(s, gx, gW, gb, gy, _, W, lengths, reverse, scale)
   ops.gru_backward(self, gx, s.gh0, gW[1], gW[2], gb[1], gb[2], gy, s.x,
      s.has_state and s.h0 or nil, W[1], W[2], s.y, s.gates, s.c, lengths, reverse, scale)
end
