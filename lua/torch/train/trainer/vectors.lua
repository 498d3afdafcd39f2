--- The parameters of a Trainer's network, and their gradients: one flat vector, or a list of them
-- where the network is on several devices.
-- @module torch.train.trainer.vectors

local torch = require 'torch'

local M = {}

--- The vectors as a list.
function M.list(x)
   return torch.isTensor(x) and { x } or x
end

--- The first one: where the network begins.
function M.first(x)
   return torch.isTensor(x) and x or x[1]
end

--- Call f for each.
function M.each(f, x)
   for _, t in ipairs(M.list(x)) do
      f(t)
   end
end

--- Whether a tensor is in the memory of one of them; a stage without parameters has an empty one.
function M.hold(x, t)
   for _, vector in ipairs(M.list(x)) do
      if t.store ~= nil and t.store == vector.store then
         return true
      end
   end
   return false
end

--- The sum of all elements.
function M.sum(x)
   local sum = 0
   M.each(function(t) sum = sum + (t:nElement() > 0 and t:sum() or 0) end, x)
   return sum
end

--- How many elements each has.
function M.sizes(x)
   local sizes = {}
   for i, t in ipairs(M.list(x)) do
      sizes[i] = t:nElement()
   end
   return sizes
end

--- How many elements there are.
function M.count(x)
   local count = 0
   M.each(function(t) count = count + t:nElement() end, x)
   return count
end

--- How often their memory was written to.
function M.version(x)
   local sum = 0
   M.each(function(t) sum = sum + (t.store ~= nil and t.store.version[0] or 0) end, x)
   return sum
end

return M
