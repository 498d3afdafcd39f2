--- Makes r x r larger images of r^2 planes each: y(c, r h + i, r w + j) = x(c r^2 + r i + j, h, w).
--
-- Shapes: input N x C r^2 x H x W or C r^2 x H x W; output N x C x r H x r W, without N if it came
-- so.
--
-- Source: Shi et al., "Real-time single image and video super-resolution using an efficient
-- sub-pixel convolutional neural network", CVPR 2016 (arXiv:1609.05158), equation 4.
-- @classmod nn.PixelShuffle
-- @example #nn.PixelShuffle(2):forward(torch.randn(2, 12, 5, 5)) --> { 2, 3, 10, 10 }

local nn = require 'nn'
local check = require 'nn.check'

local PixelShuffle = nn.declare('nn.PixelShuffle', {
   arguments = [[
      upscaleFactor  size  r
   ]],
   input = 'N? C H W',
   output = 'N? oC oH oW',
   batch = true,
   text = '({upscaleFactor})',
})

function PixelShuffle:__initialize(r)
   self.upscaleFactorSquared = r * r
end

local function check_planes(self, x)
   local squared = self.upscaleFactorSquared
   if x:size(2) % squared ~= 0 then
      check.fail(self, 'input is %s, expected a multiple of %d planes', check.describe(x), squared)
   end
end

-- The larger images in the order of x, a view: N x C x r x r x H x W.
local function blocks(self, images, x)
   local r = self.upscaleFactor
   return images:view(x:size(1), -1, x:size(3), r, x:size(4), r):permute(1, 2, 4, 6, 3, 5)
end

function PixelShuffle:__computeOutput(y, x)
   check_planes(self, x)
   local r = self.upscaleFactor
   y:resize(x:size(1), x:size(2) / (r * r), r * x:size(3), r * x:size(4))
   blocks(self, y, x):copy(x)
   return y
end

function PixelShuffle:__computeGradInput(gx, x, g)
   check_planes(self, x)
   return gx:resize(x:size()):copy(blocks(self, g:contiguous(), x))
end
