--- torch.grad of a function: the function that gives its gradients.
-- @module torch.variables.transform
local th = require 'torch.ffi'
local class = require 'torch.class'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'
local types = require 'torch.types'

local raise, isTensor = th.raise, th.isTensor

local M = {}

-- The same nest with Variables in the places of its floating tensors, which are listed.
local function asVariables(x, list)
   if isTensor(x) then
      if x:isVariable() then -- an outer derivative goes through it
         list[#list + 1] = x
         return x
      elseif not types.isFloating(x.dtype) then
         return x
      end
      local v = x:detach():requiresGrad()
      list[#list + 1] = v
      return v
   elseif class.type(x) == 'table' then
      local copy = {}
      for key, item in pairs(x) do
         copy[key] = asVariables(item, list)
      end
      return copy
   end
   return x
end

-- Gradients in the places of the Variables.
local function inPlaces(variables, gradients)
   if isTensor(variables) then
      return gradients[variables]
   elseif class.type(variables) == 'table' then
      local copy = {}
      for key, item in pairs(variables) do
         copy[key] = inPlaces(item, gradients)
      end
      return copy
   end
   return nil
end

--- f(parameters, ...) -> loss, ... becomes a function that returns the gradients, nested as the
-- parameters are, then what f returns.
function M.gradient(f, options)
   for key in pairs(options or {}) do
      if key ~= 'createGraph' then
         raise(('grad: no such option of the gradient of a function: %s; there is createGraph')
            :format(tostring(key)))
      end
   end
   local create = options ~= nil and options.createGraph and true or false
   return function(parameters, ...)
      local function run(...)
         local list = {}
         local variables = asVariables(parameters, list)
         if #list == 0 then
            raise('grad: the first argument of the function has no tensor of floating-point '
               .. 'numbers')
         end
         local results = { n = 0 }
         local function take(...)
            results = { n = select('#', ...), ... }
         end
         take(f(variables, ...))
         local loss = results[1]
         if not isTensor(loss) or loss:nElement() ~= 1 then
            raise(('grad: the function gave a %s, expected a tensor of one element: y:sum(), say')
               :format(isTensor(loss) and 'tensor of ' .. loss:nElement() .. ' elements'
                  or class.type(loss)))
         end
         local found = pass.several({ loss }, nil, list, create, create)
         local gradients = {}
         for i, v in ipairs(list) do
            gradients[v] = found[i] or v:detach():clone():zero()
         end
         return { inPlaces(variables, gradients), unpack(results, 1, results.n) }, results.n + 1
      end
      local list, n = recording.call(true, run, ...)
      return unpack(list, 1, n)
   end
end

return M
