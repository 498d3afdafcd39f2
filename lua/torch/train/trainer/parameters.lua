--- The parameters of a Trainer's network that learn.
-- @module torch.train.trainer.parameters

local torch = require 'torch'
local nn = require 'nn'
local options = require 'torch.options'
local train = require 'torch.train.module'

local M = {}

--- The flat vectors: all parameters, or those that are not frozen.
-- @return parameters, gradients, whether some are left out
function M.flat(model)
   local list, partly = train.trainable(model)
   if not partly then
      local parameters, gradients = model:getParameters()
      if not torch.isTensor(parameters) then
         options.fail('train.Trainer: the parameters of a %s are several vectors, one for each of '
            .. 'its parts, and a Trainer has one; optim.groups { optim.adam } steps on them in a '
            .. 'loop of your own', torch.typename(model))
      end
      return parameters, gradients, false
   end
   local parameters, gradients = {}, {}
   for i, entry in ipairs(list) do
      parameters[i], gradients[i] = entry.tensor, entry.gradient
   end
   return nn.Module.flatten(parameters), nn.Module.flatten(gradients), true
end

--- How many elements of the network learn, and whether all are in the flat vector.
function M.learning(self)
   local count, flat = 0, torch.pointer(self.state.parameters:storage())
   for _, entry in ipairs(train.trainable(self.model)) do
      count = count + entry.tensor:nElement()
      if entry.tensor:nElement() > 0 and torch.pointer(entry.tensor:storage()) ~= flat then
         return -1
      end
   end
   return count
end

--- Raise if the network has got other parameters since the Trainer was made.
function M.check(self)
   if self.learning and M.learning(self) ~= self.learning then
      options.fail("train.Trainer: run: the model's parameters are others than when the Trainer "
         .. 'was made; train.freeze, train.unfreeze, train.replace and changes of type come before')
   end
end

return M
