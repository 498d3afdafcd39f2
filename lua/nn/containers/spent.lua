--- Gradients that nobody needs any more, where a net shares the memory of its gradInputs
-- (nn.Module.shareGradInput).
--
-- Each tensor that a module returned lets go of its memory when the module before has used it;
-- memory that another tensor sees as well, such as a view or a module in place, stays until
-- that one lets go, too.
-- @module nn.containers.spent

local th = require 'torch.ffi'

local M = {}

local function among(t, nest)
   if type(nest) == 'table' then
      for _, item in pairs(nest) do
         if among(t, item) then
            return true
         end
      end
      return false
   end
   return rawequal(t, nest)
end

--- Empty the tensors of a gradient that are in none of two others.
-- @param gradient a tensor, a nested table of them, or nil
-- @param given what the container was given: somebody else's
-- @param kept what is still needed
function M.release(gradient, given, kept)
   if th.isTensor(gradient) then
      if not among(gradient, given) and not among(gradient, kept) then
         gradient:set()
      end
   elseif type(gradient) == 'table' then
      for _, item in pairs(gradient) do
         M.release(item, given, kept)
      end
   end
end

return M
