--- What recurrent layers go on with from call to call, kept while something else happens.
-- @module torch.train.trainer.memory

local torch = require 'torch'

local M = {}

local FIELDS = { 'hiddenOutput', 'cellOutput' } -- of cudnn's layers, where rememberStates is on

-- What a layer remembers: a function that gives it back; nil where it remembers nothing by nature.
local function kept(module)
   if type(module.recall) == 'function' then
      local states = module:remembered()
      return function() module:recall(states) end
   elseif module.rememberStates then
      local states = {}
      for i, name in ipairs(FIELDS) do
         states[i] = torch.isTensor(module[name]) and module[name]:clone() or nil
      end
      return function()
         for i, name in ipairs(FIELDS) do
            module[name] = states[i]
         end
      end
   end
end

--- Keep what the layers of a network remember.
-- @return a function that gives it back to them
function M.keep(network)
   local list = {}
   network:apply(function(module)
      list[#list + 1] = kept(module)
   end)
   return function()
      for _, back in ipairs(list) do
         back()
      end
   end
end

return M
