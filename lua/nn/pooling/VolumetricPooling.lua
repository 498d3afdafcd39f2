--- What layers of windows over volumes have in common; for layers to derive from.
--
-- Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
-- oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
-- @classmod nn.VolumetricPooling

local nn = require 'nn'

nn.declare('nn.VolumetricPooling', 'nn.Pooling', {
   arguments = [[
      kT    size         window depth
      kW    size         window width
      kH    size         window height
      dT    integer = kT step in depth
      dW    integer = kW step to the right
      dH    integer = kH step down
      padT  integer = 0  padding before and behind, at most half a window
      padW  integer = 0  padding left and right
      padH  integer = 0  padding above and below
   ]],
   input = 'N? C T H W',
   output = 'N? C oT oH oW',
   text = '({kT}x{kW}x{kH}, {dT},{dW},{dH}<, {padT},{padW},{padH}>)',
})
