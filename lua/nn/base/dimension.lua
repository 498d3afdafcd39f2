--- Which dimension of an input a layer means.
-- @module nn.base.dimension

local check = require 'nn.check'
local cut = require('torch.arguments').cut

local M = {}

--- The dimension of a batch or of a single sample.
-- @param layer for the error
-- @tparam Tensor x its input
-- @int dimension counted in one sample; negative: from the end, -1 being the last
-- @int[opt] nInputDims dimensions of one sample: an input with one more is a batch
-- @int[opt=0] more how many dimensions further it may be
-- @return from 1 on
-- @raise "nn.Select: input is 4x6, expected 3 dimensions or more"
function M.of(layer, x, dimension, nInputDims, more)
   local dims = x.ndim
   local d = cut(dimension)
   if d < 0 then
      d = dims + d + 1
   elseif nInputDims and dims == nInputDims + 1 then
      d = d + 1
   end
   if d < 1 or d > dims + (more or 0) then
      check.fail(layer, 'input is %s, expected %d dimensions or more', check.describe(x),
         dimension < 0 and -dimension or dims + math.max(1, d - dims - (more or 0)))
   end
   return d
end

return M
