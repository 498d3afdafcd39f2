--- Training and evaluation, module by module: a script may keep some in evaluation (normalisations
-- of a network whose first layers are frozen), and finds them there afterwards.
-- @module torch.train.trainer.modes

local torch = require 'torch'
local memory = require 'torch.train.trainer.memory'
local train = require 'torch.train.module'

local M = {}

--- Put a network into training. One that is there already stays as it is, with those of its modules
-- that are in evaluation.
function M.training(network)
   if network.train == false or torch.isTypeOf(network, 'nn.DataParallelTable') then
      network:training()
   end
end

-- Replicas have statistics of their own rows. What is evaluated are those of the first, which is
-- the script's network, and what checkpoints have.
local function share_statistics(network)
   if not torch.isTypeOf(network, 'nn.DataParallelTable') then
      return
   end
   local first = train.tensors(network:get(1))
   for i = 2, #network.modules do
      for k, entry in ipairs(train.tensors(network:get(i))) do
         if not entry.gradient then
            entry.tensor:copy(first[k].tensor)
         end
      end
   end
end

--- Put a network into evaluation.
-- @return a function that puts every module back to what it was, with the states that recurrent
-- ones remember
function M.evaluate(network)
   local was_training, modules = network.train ~= false, {}
   network:apply(function(module)
      modules[#modules + 1] = { module, module.train }
   end)
   local recall = memory.keep(network)
   network:evaluate()
   share_statistics(network)
   return function()
      if was_training then
         network:training()
      end
      for _, entry in ipairs(modules) do
         entry[1].train = entry[2]
      end
      recall()
   end
end

return M
