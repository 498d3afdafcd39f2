--- Puts each value where the maximum of a pooling layer was, and zeros elsewhere.
--
-- The pooling layer, kept in `pooling`, has to have run forward. Where its windows overlap, one of
-- the values at a place counts.
--
-- Shapes: input of the size of the pooling layer's output; output of the size of its input.
-- @classmod nn.SpatialMaxUnpooling
-- @usage nn.SpatialMaxUnpooling(pool)   -- pool = nn.SpatialMaxPooling(2, 2)
-- @example
-- local pool = nn.SpatialMaxPooling(2, 2)
-- local y = pool:forward(torch.range(1, 4):view(1, 2, 2))
-- nn.SpatialMaxUnpooling(pool):forward(y) --> { { { 0, 0 }, { 0, 4 } } }

local nn = require 'nn'
local unpooling = require 'nn.pooling.unpooling'

local SpatialMaxUnpooling = nn.declare('nn.SpatialMaxUnpooling', {
   arguments = [[
      poolingModule -> pooling  module  an nn.SpatialMaxPooling
   ]],
   input = 'N? C H W',
   output = 'N? C oH oW',
   text = ' associated to {pooling}',
})

function SpatialMaxUnpooling:__initialize()
   unpooling.check(self, 'nn.SpatialMaxPooling')
end

unpooling.install(SpatialMaxUnpooling, { 'iheight', 'iwidth' })
