--- The planes of images, each times a number of its own: y = x s.
--
-- Shapes: input { x, s }: x N x C x H x W and s N x C, or x C x H x W and s C; y as x.
-- @classmod nn.ScalePlanes
-- @example
-- local x, factors = torch.ones(1, 2, 3, 3), torch.Tensor { { 2, 5 } }
-- nn.ScalePlanes():forward({ x, factors }):sum() --> 63

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local ScalePlanes = nn.declare('nn.ScalePlanes', { input = 'table' })

function ScalePlanes:__initialize()
   self.gradInput = {}
end

-- s with a place for each element of x.
local function spread(self, input)
   local x, s = input[1], input[2]
   local fits = #input == 2 and s.ndim == x.ndim - 2
   for d = 1, fits and s.ndim or 0 do
      fits = fits and s:size(d) == x:size(d)
   end
   if not fits then
      check.fail(self, 'input is %s and %s, expected N x C x H x W and N x C', check.describe(x),
         check.describe(s))
   end
   local sizes = s:size():totable()
   sizes[#sizes + 1], sizes[#sizes + 2] = 1, 1
   return s:contiguous():view(unpack(sizes)):expandAs(x)
end

function ScalePlanes:__computeOutput(y, input)
   return y:resizeAs(input[1]):cmul(input[1], spread(self, input))
end

function ScalePlanes:__computeGradInput(gx, input, g)
   local x, s = input[1], input[2]
   gx[1] = (gx[1] or g.new()):resizeAs(x):cmul(g, spread(self, input))
   local products, dims = torch.cmul(g, x), x.ndim
   gx[2] = (gx[2] or g.new()):resizeAs(s):copy(products:sum(dims):sum(dims - 1))
   return gx
end
