--- The outputs of modules side by side along a dimension, for containers that join them.
-- @module nn.containers.joined

local check = require 'nn.check'

local M = {}

--- Refuse to work without a dimension: scripts make containers without one to collect parameters.
-- @param container
-- @string name the field
function M.require_dimension(container, name)
   if container[name] == nil then
      check.fail(container, '%s is nil, expected a number from 1 on: it was made without', name)
   end
end

--- Where the output of the i-th module begins.
-- @tparam table modules
-- @int dimension
-- @int i
function M.first(modules, dimension, i)
   local first = 1
   for k = 1, i - 1 do
      first = first + modules[k].output:size(dimension)
   end
   return first
end

--- The part of the gradient that lies where the output of the i-th module does: a view.
-- @param container
-- @int dimension
-- @int i
-- @tparam Tensor gradOutput
function M.part(container, dimension, i, gradOutput)
   local modules = container.modules
   check.any_tensor(container, gradOutput, 'gradOutput')
   return gradOutput:narrow(dimension, M.first(modules, dimension, i),
      modules[i].output:size(dimension))
end

return M
