--- What layers of windows over images have in common; for layers to derive from.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- @classmod nn.SpatialPooling

local nn = require 'nn'

local SpatialPooling = nn.declare('nn.SpatialPooling', {
   input = 'N? C H W',
   output = 'N? C oH oW',
   text = '({kW}x{kH}, {dW},{dH}<, {padW},{padH}>)',
})

SpatialPooling.ceil_mode = false -- what old files lack

--- Round output sizes up: a window may reach over the edge.
-- @return self
function SpatialPooling:ceil()
   self.ceil_mode = true
   return self
end

--- Round output sizes down (the default).
-- @return self
function SpatialPooling:floor()
   self.ceil_mode = false
   return self
end
