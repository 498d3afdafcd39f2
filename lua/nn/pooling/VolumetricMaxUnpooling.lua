--- Puts each value where the maximum of a pooling layer was, and zeros elsewhere.
--
-- The pooling layer, kept in `pooling`, has to have run forward. Where its windows overlap, one of
-- the values at a place counts.
--
-- Shapes: input of the size of the pooling layer's output; output of the size of its input.
-- @classmod nn.VolumetricMaxUnpooling
-- @usage nn.VolumetricMaxUnpooling(pool)   -- pool = nn.VolumetricMaxPooling(2, 2, 2)
-- @example
-- local pool = nn.VolumetricMaxPooling(2, 2, 2)
-- local y = pool:forward(torch.randn(3, 4, 6, 6))
-- #nn.VolumetricMaxUnpooling(pool):forward(y) --> { 3, 4, 6, 6 }

local nn = require 'nn'
local unpooling = require 'nn.pooling.unpooling'

local VolumetricMaxUnpooling = nn.declare('nn.VolumetricMaxUnpooling', {
   arguments = [[
      poolingModule -> pooling  module  an nn.VolumetricMaxPooling
   ]],
   input = 'N? C T H W',
   output = 'N? C oT oH oW',
   text = ' associated to {pooling}',
})

function VolumetricMaxUnpooling:__initialize()
   unpooling.check(self, 'nn.VolumetricMaxPooling')
end

unpooling.install(VolumetricMaxUnpooling, { 'itime', 'iheight', 'iwidth' })
