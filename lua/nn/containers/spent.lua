--- Gradients that nobody needs any more, where a net shares the memory of its gradInputs
-- (nn.Module.shareGradInput).
--
-- Each tensor that a module returned lets go of its memory when the module before has used it;
-- memory that another tensor sees as well, such as a view or a module in place, stays until
-- that one lets go, too.
-- @module nn.containers.spent

local nested = require 'nn.nested'
local th = require 'torch.ffi'

local M = {}

local lent = setmetatable({}, { __mode = 'k' }) -- containers that share for a while

--- Whether a container gives back the gradients that its modules have used, in this pass.
-- @param container
-- @string[opt='backward'] method others keep them: accGradParameters may follow
function M.shares(container, method)
   return (method == nil or method == 'backward')
      and (container.sharesGradInput or lent[container] ~= nil)
end

--- Let the containers of a network share until told otherwise. Nothing is written into them, so a
-- network that is saved or cloned meanwhile knows nothing of it.
-- @return a function that ends it
function M.lend(network)
   local token = {} -- others may lend the same containers
   network:apply(function(module)
      if module.modules and not lent[module] then
         lent[module] = token
      end
   end)
   return function()
      for module, owner in pairs(lent) do
         if owner == token then
            lent[module] = nil
         end
      end
   end
end

local function release(t, given, kept)
   if th.isTensor(t) and not nested.any(rawequal, given, t)
      and not nested.any(rawequal, kept, t) then
      t:set()
   end
end

--- Empty the tensors of a gradient that are in none of two others.
-- @param gradient a tensor, a nested table of them, or nil
-- @param given what the container was given: somebody else's
-- @param kept what is still needed
function M.release(gradient, given, kept)
   nested.each(release, gradient, given, kept)
end

return M
