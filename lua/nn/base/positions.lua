--- Tensors of positions, which layers take beside tensors of numbers: word indices, classes, rows.
-- @module nn.base.positions

local check = require 'nn.check'
local th = require 'torch.ffi'

local C = th.C

local M = {}

--- Positions of any element type and shape as a vector of longs beside another tensor.
-- @param layer for the error; keeps a copy where one is needed
-- @string field where in the layer
-- @param positions what the user gave
-- @tparam Tensor beside gives the device
-- @string[opt='input'] name the argument, for the error
-- @return the user's own, or a copy
function M.vector(layer, field, positions, beside, name)
   if check.suits(positions, C.TH_LONG, beside) and positions.ndim > 0
      and positions:isContiguous() then
      return positions.ndim == 1 and positions or positions:view(-1)
   end
   check.any_tensor(layer, positions, name or 'input')
   local buffer = layer[field]
   if not check.suits(buffer, C.TH_LONG, beside) then
      buffer = th.likeType(beside, C.TH_LONG)
      layer[field] = buffer
   end
   return buffer:resize(positions:nElement()):copy(positions)
end

--- The gradient by positions, which is zero: a tensor of their type and shape.
-- @param layer for the error
-- @param gradient the buffer, which may be anything
-- @param positions what the user gave
function M.gradient(layer, gradient, positions)
   check.any_tensor(layer, positions, 'input')
   return check.buffer(gradient, positions):resizeAs(positions):zero()
end

return M
