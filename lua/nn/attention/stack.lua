--- What nn.TransformerEncoder and nn.TransformerDecoder share: layers one on top of the other, with
-- a normalisation of the last output where they normalise in front.
-- @module nn.attention.stack

local nn = require 'nn'

local LayerNorm = nn.LayerNorm -- scripts may have their own later

local M = {}

--- Give a class that is derived from nn.Stream its layers.
-- @tparam table class
-- @param Layer what makes one
function M.give(class, Layer)
   function class:__initialize(layers, features, heads, hidden, p, inFront, causal)
      self.hidden = hidden or 4 * features
      for _ = 1, layers do
         self:add(Layer(features, heads, hidden, p, inFront, causal))
      end
      if inFront then
         self:add(LayerNorm(features))
      end
   end

   function class:__inputOf(current, input, i)
      if i > self.numLayers then
         return current
      end
      return nn.Stream.__inputOf(self, current, input, i)
   end
end

return M
