--- y = min(max(x, 0), ceiling), element by element.
-- @classmod cudnn.ClippedReLU

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local M = {}

function M.install(cudnn)
   local ClippedReLU = torch.class('cudnn.ClippedReLU', 'nn.Module', cudnn)

   --- @number ceiling
   -- @bool[opt=false] inplace write over the input (and over gradOutput)
   function ClippedReLU:__init(ceiling, inplace)
      nn.Module.__init(self)
      if type(ceiling) ~= 'number' or ceiling <= 0 then
         check.fail(self, 'the ceiling must be a number above 0, got %s', tostring(ceiling))
      end
      self.ceiling = ceiling
      self.inplace = inplace or false
      self.below, self.above = torch.Tensor(), torch.Tensor()
   end

   function ClippedReLU:updateOutput(input)
      check.tensor(self, self.output, input, 'input')
      if self.inplace then
         self.output:set(input)
      end
      return self.output:clamp(input, 0, self.ceiling)
   end

   -- The output tells where the input was, which may be gone.
   function ClippedReLU:updateGradInput(input, gradOutput)
      check.backward(self, self.gradInput, input, gradOutput)
      if self.inplace then
         self.gradInput:set(gradOutput)
      end
      self.above:gt(self.output, 0)
      self.below:lt(self.output, self.ceiling)
      return self.gradInput:cmul(gradOutput, self.above):cmul(self.below)
   end

   function ClippedReLU:clearState()
      nn.utils.clear(self, 'below', 'above')
      return nn.Module.clearState(self)
   end
end

return M
