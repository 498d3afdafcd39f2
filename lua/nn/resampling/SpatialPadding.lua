--- What padding of images has in common; for layers to derive from. Negative padding crops.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
-- W + pad_l + pad_r.
-- @classmod nn.SpatialPadding

local nn = require 'nn'
local ops = require 'nn.base.ops'
local sizes = require 'nn.resampling.sizes'

local SpatialPadding = nn.declare('nn.SpatialPadding', {
   arguments = [[
      left -> pad_l    integer = 0    columns that are added on the left
      right -> pad_r   integer = left columns on the right
      top -> pad_t     integer = left rows above
      bottom -> pad_b  integer = left rows below
   ]],
   input = 'N? C H W',
   output = 'N? C oH oW',
   text = '(l={pad_l}, r={pad_r}, t={pad_t}, b={pad_b})',
})

-- `operation` is a class's: 'replicate_pad' or 'reflect_pad'.
function SpatialPadding:__computeOutput(y, x)
   return ops[self.operation](self, y, x, sizes.image(self))
end

function SpatialPadding:__computeGradInput(gx, x, g)
   return ops[self.operation .. '_backward'](self, gx, g, x, sizes.image(self))
end
