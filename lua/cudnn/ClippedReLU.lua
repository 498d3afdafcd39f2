--- y = min(max(x, 0), ceiling), element by element.
-- @classmod cudnn.ClippedReLU

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local M = {}

function M.install(cudnn)
   local ClippedReLU = nn.declare('cudnn.ClippedReLU', {
      arguments = [[
         ceiling  number           above 0
         inplace  boolean = false  write over the input (and over gradOutput)
      ]],
   }, cudnn)

   function ClippedReLU:__initialize(ceiling)
      if ceiling <= 0 then
         check.fail(self, 'the ceiling must be a number above 0, got %s', tostring(ceiling))
      end
      self.below, self.above = torch.Tensor(), torch.Tensor()
   end

   function ClippedReLU:__computeOutput(y, x)
      return y:clamp(x, 0, self.ceiling)
   end

   -- The output tells where the input was, which may be gone.
   function ClippedReLU:__computeGradInput(gx, _, g)
      self.above:gt(self.output, 0)
      self.below:lt(self.output, self.ceiling)
      return gx:cmul(g, self.above):cmul(self.below)
   end

   function ClippedReLU:clearState()
      nn.utils.clear(self, 'below', 'above')
      return nn.Module.clearState(self)
   end
end

return M
