--- The parameters of a Trainer's network that learn.
-- @module torch.train.trainer.parameters

local torch = require 'torch'
local nn = require 'nn'
local options = require 'torch.options'
local stages = require 'torch.train.trainer.stages'
local train = require 'torch.train.module'
local vectors = require 'torch.train.trainer.vectors'

local M = {}

--- The flat vectors: all parameters, or those that are not frozen. They are lists where the network
-- is on several devices.
-- @return parameters, gradients, whether some are left out
function M.flat(model)
   local list, partly = train.trainable(model)
   if not partly then
      local parameters, gradients = model:getParameters()
      return parameters, gradients, false
   end
   local parameters, gradients = {}, {}
   for i, entry in ipairs(list) do
      parameters[i], gradients[i] = entry.tensor, entry.gradient
   end
   local of_processes = torch.isTypeOf(model, 'distributed.Pipeline')
      and #model.modules < model.stages
   if of_processes or stages.are_apart(list) then
      if #list == 0 then -- another stage has some
         parameters[1], gradients[1] = torch.Tensor():type(model:type()),
            torch.Tensor():type(model:type())
      end
      return parameters, gradients, true
   end
   return stages.on_device_of(parameters[1], nn.Module.flatten, parameters),
      stages.on_device_of(parameters[1], nn.Module.flatten, gradients), true
end

--- How many elements of the network learn, and whether all are in the flat vector.
function M.learning(self)
   local count, flat = 0, {}
   for _, t in ipairs(vectors.list(self.state.parameters)) do
      flat[torch.pointer(t:storage())] = true
   end
   for _, entry in ipairs(train.trainable(self.model)) do
      count = count + entry.tensor:nElement()
      if entry.tensor:nElement() > 0 and not flat[torch.pointer(entry.tensor:storage())] then
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
