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

--- Bring the copies of a module up to date, and make those that are missing.
-- @tab copies list, of which the first is the module itself; may be empty
-- @tparam nn.Module module
-- @int count how many there have to be
function M.update(copies, module, count)
   local list, layers = common(module), module:listModules()
   copies[1] = module
   for i = 2, math.max(count, #copies) do
      if not copies[i] then
         copies[i] = module:clone()
      elseif #common(copies[i]) ~= #list or #copies[i]:listModules() ~= #layers then
         copies[i] = module:clone() -- layers have come or gone
      end
      tie(copies[i], list, layers)
   end
   return copies
end

return M
