--- Layers of a Transformer's encoder, one on top of the other; where they normalise in front, the
-- last output is normalised too.
--
-- Input: x, or { x, mask = ... }, as nn.TransformerEncoderLayer's; output N x T x features.
-- @classmod nn.TransformerEncoder
-- @usage nn.TransformerEncoder(6, 512, 8)
-- @example #nn.TransformerEncoder(2, 8, 2):forward(torch.randn(2, 5, 8)) --> { 2, 5, 8 }

local nn = require 'nn'
local stack = require 'nn.attention.stack'

local Encoder = nn.declare('nn.TransformerEncoder', 'nn.Stream', {
   arguments = [[
      numLayers size             one on top of the other
      features  size             of each position, a multiple of heads
      heads     size             of the attentions
      hidden    integer?         features inside the nets for positions; default 4 * features
      p         number = 0.1     dropout, in training
      inFront   boolean = false  normalise in front of each part, not behind it
      causal    boolean = false  a position sees those before it only
   ]],
})

stack.give(Encoder, nn.TransformerEncoderLayer)
