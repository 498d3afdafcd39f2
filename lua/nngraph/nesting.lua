--- Tensors nested in tables, under the names by which programs of others know these functions.
-- @module nngraph.nesting

local nn = require 'nn'

local M = {}

--- A copy, in memory of its own.
-- @param nest a tensor, or a table of nests
function M.cloneNested(nest)
   return (nn.utils.recursiveCopy(nil, nest))
end

--- Give `output` the structure and sizes of `input`; what it has beyond it is taken off.
function M.resizeNestedAs(output, input)
   return (nn.utils.recursiveResizeAs(output, input))
end

--- Copy the values of `input` into `output`, which has its structure.
function M.copyNested(output, input)
   return (nn.utils.recursiveCopy(output, input))
end

--- Set all elements to a value.
function M.fillNested(output, value)
   return nn.utils.recursiveFill(output, value)
end

--- output <- output + input.
function M.addNestedTo(output, input)
   return (nn.utils.recursiveAdd(output, input))
end

return M
