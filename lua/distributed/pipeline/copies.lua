--- Copies of a stage, one for each micro-batch that is under way.
--
-- A layer keeps in its buffers what backward needs of the last forward, and between a micro-batch's
-- forward and backward a stage runs others. So each micro-batch that is under way has a copy of the
-- layers with buffers of its own, and all copies have the parameters, gradients and running
-- statistics of the stage. Recomputing the forward before each backward would do with one set of
-- buffers, for a third more arithmetic; and layers that draw numbers would draw others.
-- @module distributed.pipeline.copies

local nested = require 'nn.nested'

local M = {}

local STATISTICS = { 'running_mean', 'running_var' }

-- What all copies have in common, in an order that they share.
local function common(module)
   local parameters, gradients = module:parameters()
   local list = nested.append(nested.append({}, parameters), gradients)
   module:apply(function(layer)
      for _, name in ipairs(STATISTICS) do
         list[#list + 1] = rawget(layer, name)
      end
   end)
   return list
end

-- Parameters may have been laid out anew since (getParameters), layers switched to evaluation.
local function tie(copy, list, layers)
   for i, t in ipairs(common(copy)) do
      local own = list[i]
      if t.store ~= own.store or t.offset ~= own.offset then
         t:set(own)
      end
   end
   for i, layer in ipairs(copy:listModules()) do
      layer.train = layers[i].train
   end
end

local function same_layers(copy, list, layers)
   return #common(copy) == #list and #copy:listModules() == #layers
end

--- Before a batch: bring the copies of a module up to date.
-- @tab copies list, of which the first is the module itself; empty before the first batch
-- @tparam nn.Module module
function M.update(copies, module)
   copies[1] = module
   if #copies > 1 then
      local list, layers = common(module), module:listModules()
      for i = 2, #copies do
         if not same_layers(copies[i], list, layers) then -- layers have come or gone
            nested.truncate(copies, 1)
            break
         end
         tie(copies[i], list, layers)
      end
   end
   return copies
end

--- The copy for a micro-batch. It is made when it is first needed: the module has run then, and has
-- what layers make in their first forward.
-- @tab copies
-- @int slot from 1, at most one more than there are
function M.take(copies, slot)
   if not copies[slot] then
      local module = copies[1]
      copies[slot] = module:clone()
      tie(copies[slot], common(module), module:listModules())
   end
   return copies[slot]
end

return M
