--- Casts between the two types of a network that computes in lower precision. Tensors of other
-- types (classes, positions) stay as they are. `self` has the names of the types: `float` and
-- `low`. Casts lie in tensors of `kept`, a list, and so in the same memory at every step.
-- @module torch.train.precision.casts

local torch = require 'torch'
local nested = require 'nn.nested'

local M = {}

local function is_computed(self, t)
   local name = torch.typename(t)
   return name == self.float or name == self.low
end

local function same_place(t, other)
   return not t.getDevice or t:getDevice() == other:getDevice()
end

-- t in a type, in the tensor that `kept` has under a key; what is recorded is a tensor of its own.
local function into(kept, key, t, typename)
   if torch.typename(t) == typename then
      return t
   elseif t:isVariable() then
      return t:type(typename)
   end
   local copy = kept[key]
   if copy and torch.typename(copy) == typename and same_place(copy, t) then
      return copy:resize(t:size()):copy(t)
   end
   copy = t:type(typename)
   kept[key] = copy
   return copy
end

--- Each tensor of a nest in a type.
function M.cast(self, nest, typename, kept)
   local count = 0
   return nested.map(function(t)
      count = count + 1
      return is_computed(self, t) and into(kept, count, t, typename) or t
   end, nest)
end

--- Each tensor in the type of its counterpart.
function M.cast_like(self, nest, like, kept)
   local count = 0
   local function walk(x, other)
      if torch.isTensor(x) then
         count = count + 1
         return is_computed(self, x) and torch.isTensor(other) and is_computed(self, other)
            and into(kept, count, x, torch.typename(other)) or x
      elseif nested.is_table(x) and nested.is_table(other) then
         local result = {}
         for key, value in pairs(x) do
            result[key] = walk(value, other[key])
         end
         return result
      end
      return x
   end
   return walk(nest, like)
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
