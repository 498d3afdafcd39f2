--- The passes of a container that calls its modules itself, all from one method of its class:
--
--    __pass(method, input, gradOutput, factor)   calls `method` of the modules, the last first
--
-- `method` is 'updateGradInput' or 'backward', where it returns the gradient by its input, or one
-- that takes the gradients of the parameters only; `factor` is the scale or learning rate. A module
-- is called by `Container:__back`.
-- @module nn.containers.passes

local device = require 'nn.base.device'
local types = require 'torch.types'

local elsewhere, there = device.elsewhere, device.there

local M = {}

--- Whether a method computes gradients by inputs.
M.gives_gradient = { updateGradInput = true, backward = true }

--- Give a class its passes but `backward`, which is nn.Module's then: one after the other.
-- @tparam table class
function M.give(class)
   function class:updateGradInput(input, gradOutput)
      self.gradInput = self:__pass('updateGradInput', input, gradOutput)
      return self.gradInput
   end

   function class:accGradParameters(input, gradOutput, scale)
      self:__pass('accGradParameters', input, gradOutput, scale or 1)
   end

   function class:accUpdateGradParameters(input, gradOutput, lr)
      self:__pass('accUpdateGradParameters', input, gradOutput, lr)
   end

   function class:sharedAccUpdateGradParameters(input, gradOutput, lr)
      self:__pass('sharedAccUpdateGradParameters', input, gradOutput, lr)
   end
end

--- Give a class its passes, `backward` as one.
-- @tparam table class
function M.give_all(class)
   M.give(class)

   function class:backward(input, gradOutput, scale)
      if types.several and elsewhere(input) then
         return there(class.backward, self, input, gradOutput, scale)
      end
      self.gradInput = self:__pass('backward', input, gradOutput, scale or 1)
      return self.gradInput
   end
end

return M
