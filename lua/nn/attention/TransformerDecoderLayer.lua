--- A layer of a Transformer's decoder: causal self-attention, attention to the encoder's output,
-- then a net for each position, each with a way round it and a layer normalisation.
--
-- Input: { x, memory }, N x T x features and N x S x features, with `mask` for x and `memoryMask`
-- for memory as nn.MultiHeadAttention's; output N x T x features.
--
-- Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762).
-- @classmod nn.TransformerDecoderLayer
-- @usage nn.TransformerDecoderLayer(512, 8):forward { x, memory }
-- @example
-- local x, memory = torch.randn(2, 5, 8), torch.randn(2, 7, 8)
-- #nn.TransformerDecoderLayer(8, 2):forward { x, memory } --> { 2, 5, 8 }

local nn = require 'nn'
local check = require 'nn.check'

-- Scripts may have their own of these names later.
local Residual, LayerNorm, Attention = nn.Residual, nn.LayerNorm, nn.MultiHeadAttention
local FeedForward = nn.FeedForward

local Layer = nn.declare('nn.TransformerDecoderLayer', 'nn.Stream', {
   arguments = [[
      features  size             of each position, a multiple of heads
      heads     size             of the attentions
      hidden    integer?         features inside the net for positions; default 4 * features
      p         number = 0.1     dropout, in training
      inFront   boolean = false  normalise in front of each part, not behind it
   ]],
})

function Layer:__initialize(features, heads, hidden, p, inFront)
   self.hidden = hidden or 4 * features
   self:add(Residual(Attention(features, heads, true, p), LayerNorm(features), p,
      inFront))
   self:add(Residual(Attention(features, heads, false, p), LayerNorm(features),
      p, inFront))
   self:add(Residual(FeedForward(features, self.hidden, p), LayerNorm(features), p,
      inFront))
end

function Layer:__inputOf(current, input, i)
   if type(input) ~= 'table' or not input[2] then
      check.fail(self, 'input is %s, expected a table of x and memory', check.describe(input))
   end
   return i == 1 and { current, mask = input.mask }
      or i == 2 and { current, input[2], mask = input.memoryMask } or current
end
