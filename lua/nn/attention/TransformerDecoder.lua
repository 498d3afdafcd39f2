--- Layers of a Transformer's decoder, one on top of the other; where they normalise in front, the
-- last output is normalised too.
--
-- Input: { x, memory }, with `mask` and `memoryMask`, as nn.TransformerDecoderLayer's; output N x T
-- x features.
-- @classmod nn.TransformerDecoder
-- @usage nn.TransformerDecoder(6, 512, 8)

local nn = require 'nn'

-- Scripts may have their own of these names later.
local Layer, LayerNorm = nn.TransformerDecoderLayer, nn.LayerNorm

local Decoder, Stream = nn.declare('nn.TransformerDecoder', 'nn.Stream', {
   arguments = [[
      numLayers size             one on top of the other
      features  size             of each position, a multiple of heads
      heads     size             of the attentions
      hidden    number?          features inside the nets for positions; default 4 * features
      p         number = 0.1     dropout, in training
      inFront   boolean = false  normalise in front of each part, not behind it
   ]],
})

function Decoder:__initialize(layers, features, heads, hidden, p, inFront)
   self.hidden = hidden or 4 * features
   for _ = 1, layers do
      self:add(Layer(features, heads, hidden, p, inFront))
   end
   if inFront then
      self:add(LayerNorm(features))
   end
end

function Decoder:__inputOf(current, input, i)
   if i > self.numLayers then
      return current
   end
   return Stream.__inputOf(self, current, input, i)
end
