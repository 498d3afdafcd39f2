--- Adds the border's planes, rows and columns again and again; negative padding crops.
--
-- Shapes: input N x C x T x H x W or C x T x H x W; output likewise with T + pfront + pback,
-- H + ptop + pbottom and W + pleft + pright.
-- @classmod nn.VolumetricReplicationPadding
-- @example
-- #nn.VolumetricReplicationPadding(1):forward(torch.randn(2, 3, 4, 4, 4)) --> { 2, 3, 6, 6, 6 }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local sizes = require 'nn.resampling.sizes'

local VolumetricReplicationPadding = nn.declare('nn.VolumetricReplicationPadding', {
   arguments = [[
      pleft    integer         columns that are added on the left
      pright   integer = pleft columns on the right
      ptop     integer = pleft rows above
      pbottom  integer = pleft rows below
      pfront   integer = pleft planes in front
      pback    integer = pleft planes behind
   ]],
   input = 'N? C T H W',
   output = 'N? C oT oH oW',
   text = '(left={pleft}, right={pright}, top={ptop}, bottom={pbottom}, front={pfront}, '
      .. 'back={pback})',
})

function VolumetricReplicationPadding:__computeOutput(y, x)
   return ops.replicate_pad(self, y, x, sizes.volume(self))
end

function VolumetricReplicationPadding:__computeGradInput(gx, x, g)
   return ops.replicate_pad_backward(self, gx, g, x, sizes.volume(self))
end
