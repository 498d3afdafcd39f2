--- Layers of a Transformer's decoder, one on top of the other; where they normalise in front, the
-- last output is normalised too.
--
-- Input: { x, memory }, with `mask` and `memoryMask`, as nn.TransformerDecoderLayer's; output N x T
-- x features.
-- @classmod nn.TransformerDecoder
-- @usage nn.TransformerDecoder(6, 512, 8)
-- @example
-- local x, memory = torch.randn(2, 5, 8), torch.randn(2, 7, 8)
-- #nn.TransformerDecoder(2, 8, 2):forward { x, memory } --> { 2, 5, 8 }

local nn = require 'nn'
local stack = require 'nn.attention.stack'

local Decoder = nn.declare('nn.TransformerDecoder', 'nn.Stream', {
   arguments = [[
      numLayers size             one on top of the other
      features  size             of each position, a multiple of heads
      heads     size             of the attentions
      hidden    integer?         features inside the nets for positions; default 4 * features
      p         number = 0.1     dropout, in training
      inFront   boolean = false  normalise in front of each part, not behind it
   ]],
})

stack.give(Decoder, nn.TransformerDecoderLayer)
