--- Optimisers that look at all parameters at once, or ask for the loss at other points than x: they
-- cannot step part by part.
-- @module optim.whole

local NAMES = {
   'nag', 'cg', 'lbfgs', 'FistaLS', 'cmaes', 'de', 'checkgrad', 'lswolfe', 'lamb', 'adafactor',
}

--- The name of such an optimiser; nil for those that treat each element for itself.
-- @param optimizer what is called as one
-- @return string
return function(optimizer)
   local optim = require 'optim'
   for _, name in ipairs(NAMES) do
      if optimizer == optim[name] then
         return name
      end
   end
   return nil
end
