--- All numbers of nested tensors in one vector: doubles on the host.
local torch = require 'torch'
local nested = require 'nn.nested'

return function(nest)
   local list = {}
   for i, t in ipairs(nested.tensors(nest)) do
      list[i] = t:double():view(-1)
   end
   return torch.cat(list, 1)
end
