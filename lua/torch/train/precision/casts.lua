--- Casts between the two types of a network that computes in lower precision. Tensors of other
-- types (classes, positions) stay as they are. `self` has the names of the types: `float` and
-- `low`.
-- @module torch.train.precision.casts

local torch = require 'torch'
local nested = require 'nn.nested'

local M = {}

local function is_computed(self, t)
   local name = torch.typename(t)
   return name == self.float or name == self.low
end

--- Each tensor of a nest in a type.
function M.cast(self, nest, typename)
   return nested.map(function(t)
      return is_computed(self, t) and t:type(typename) or t
   end, nest)
end

--- Each tensor in the type of its counterpart.
function M.cast_like(self, nest, like)
   if torch.isTensor(nest) then
      return is_computed(self, nest) and torch.isTensor(like) and is_computed(self, like)
         and nest:type(torch.typename(like)) or nest
   elseif nested.is_table(nest) and nested.is_table(like) then
      local result = {}
      for key, value in pairs(nest) do
         result[key] = M.cast_like(self, value, like[key])
      end
      return result
   end
   return nest
end

--- Whether there is a tensor of floats.
function M.some_float(self, nest)
   return nested.any(function(t)
      return torch.isTensor(t) and torch.typename(t) == self.float
   end, nest)
end

--- Whether there is a tensor of the two types.
function M.some(self, nest)
   return nested.any(function(t)
      return torch.isTensor(t) and is_computed(self, t)
   end, nest)
end

return M
