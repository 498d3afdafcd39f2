--- The vectors that `getParameters` gave, for as long as somebody holds them, and what becomes of
-- them when a module is converted to another type.
-- @module nn.module.vectors

local torch = require 'torch'
local detached = require 'torch.tensor.detached'

local M = {}

local given = setmetatable({}, { __mode = 'k' }) -- module -> its vectors, held weakly

--- Note what `getParameters` gives.
function M.give(module, parameters, gradients)
   given[module] = setmetatable({ parameters, gradients }, { __mode = 'v' })
end

local function first_parameter(module)
   local ok, list = pcall(module.parameters, module)
   local first = ok and type(list) == 'table' and list[1]
   return torch.isTensor(first) and first:storage() and first or nil
end

--- A module's tensors are about to be converted: vectors that they lie in, its own or those of a
-- container around it, are not the network's any more.
function M.part(module, typename)
   if not next(given) then
      return
   end
   local first = first_parameter(module)
   if not first or first:type() == typename then
      return
   end
   local home = torch.pointer(first:storage())
   for _, pair in pairs(given) do
      local p, g = pair[1], pair[2]
      if p and g and p:storage() and torch.pointer(p:storage()) == home then
         local reason = ("%s:type '%s'"):format(torch.typename(module), typename)
         detached.note(p, reason)
         detached.note(g, reason)
      end
   end
end

return M
