--- A layer of a Transformer's encoder: self-attention, then a net for each position, each with a
-- way round it and a layer normalisation.
--
-- Input: x, N x T x features, or { x, mask = ... } with a mask as nn.MultiHeadAttention's; output
-- N x T x features.
--
-- Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762); normalisation in front: Xiong et al.,
-- ICML 2020 (arXiv:2002.04745).
-- @classmod nn.TransformerEncoderLayer
-- @usage nn.TransformerEncoderLayer(512, 8)
-- @example #nn.TransformerEncoderLayer(8, 2):forward(torch.randn(2, 5, 8)) --> { 2, 5, 8 }

local nn = require 'nn'
local th = require 'torch.ffi'

-- Scripts may have their own of these names later.
local Residual, LayerNorm, Attention = nn.Residual, nn.LayerNorm, nn.MultiHeadAttention
local FeedForward = nn.FeedForward

local Layer = nn.declare('nn.TransformerEncoderLayer', 'nn.Stream', {
   arguments = [[
      features  size             of each position, a multiple of heads
      heads     size             of the attention
      hidden    integer?         features inside the net for positions; default 4 * features
      p         number = 0.1     dropout, in training
      inFront   boolean = false  normalise in front of each part, not behind it
      causal    boolean = false  a position sees those before it only
   ]],
})

function Layer:__initialize(features, heads, hidden, p, inFront, causal)
   self.hidden = hidden or 4 * features
   self:add(Residual(Attention(features, heads, causal, p), LayerNorm(features),
      p, inFront))
   self:add(Residual(FeedForward(features, self.hidden, p), LayerNorm(features), p,
      inFront))
end

function Layer.__inputOf(_, current, input, i)
   if i == 1 and not th.isTensor(input) then
      return { current, mask = input.mask }
   end
   return current
end
