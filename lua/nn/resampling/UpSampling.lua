--- An image or a volume in a larger size: by the nearest element, or linear between elements with
-- corners on corners.
--
-- Shapes: input N x C x H x W or N x C x T x H x W; output likewise with scale H and so on, or the
-- sizes that were given (of images oheight and owidth alone).
-- @classmod nn.UpSampling
-- @usage nn.UpSampling(2, 'linear')
-- nn.UpSampling({ odepth = 4, oheight = 8, owidth = 8 }, 'linear')
-- @example #nn.UpSampling(2, 'nearest'):forward(torch.randn(2, 3, 4, 4, 4)) --> { 2, 3, 8, 8, 8 }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local sizes = require 'nn.resampling.sizes'

local UpSampling = nn.declare('nn.UpSampling', {
   arguments = [[
      (scale)  any               a whole number, { scale = } or { odepth = , oheight = , owidth = }
      mode     string = nearest  'nearest' or 'linear'
   ]],
   input = 'N C H W | N C T H W',
   output = 'N C oH oW | N C oT oH oW',
})

function UpSampling:__initialize(scale, mode)
   if type(scale) == 'table' then
      self.odepth, self.oheight, self.owidth = scale.odepth, scale.oheight, scale.owidth
      self.scale_factor = scale.scale
   else
      self.scale_factor = scale
   end
   local factor = self.scale_factor
   if factor and not (tonumber(factor) and factor >= 1 and factor % 1 == 0)
      or not factor and not (self.oheight and self.owidth) then
      check.fail(self, 'got %s, expected a whole number or { oheight = , owidth = }',
         check.given(scale))
   end
   if mode ~= 'nearest' and mode ~= 'linear' then
      check.fail(self, "mode is '%s', expected 'nearest' or 'linear'", mode)
   end
end

--- Note the sizes of an input and of the output for it.
function UpSampling:setSize(input)
   local n, scale = input:dim(), self.scale_factor
   self.inputSize, self.outputSize = input:size(), input:size()
   local wanted = { [n - 1] = self.oheight, [n] = self.owidth, [n - 2] = self.odepth }
   for d = 3, n do
      self.outputSize[d] = scale and scale * input:size(d) or wanted[d]
         or check.fail(self, 'input is %s, expected images: there is no odepth',
            check.describe(input))
   end
end

local function size(self, x)
   self:setSize(x)
   local to = self.outputSize
   return sizes.of(to[3], to[4], #to == 5 and to[5] or nil)
end

local NAMES = { nearest = 'upsample_nearest', linear = 'upsample_linear' }
local BACKWARD = { nearest = 'upsample_nearest_backward', linear = 'upsample_linear_backward' }

function UpSampling:__computeOutput(y, x)
   return ops[NAMES[self.mode]](self, y, x, size(self, x))
end

function UpSampling:__computeGradInput(gx, x, g)
   return ops[BACKWARD[self.mode]](self, gx, g, x, size(self, x))
end

function UpSampling:__tostring__()
   local to = self.scale_factor and tostring(self.scale_factor)
      or ('%s, %s, %s'):format(self.odepth, self.oheight, self.owidth)
   return ('nn.UpSampling(%s, %s)'):format(to, self.mode)
end
