--- Parameters that are repeated along dimensions of an input: those of nn.CMul and nn.CAdd.
-- @module nn.base.repeated

local torch = require 'torch'
local check = require 'nn.check'

local M = {}

-- w's elements in x's shape, or in that of each of its samples.
local function by_count(w, x)
   local count, sizes = w:nElement(), x:size()
   if x:nElement() == count then
      return w:view(sizes)
   elseif x:nElement() == count * x:size(1) then
      sizes[1] = 1
      return w:view(sizes)
   end
end

--- A parameter with a dimension for each of an input's, of the same size or 1.
-- @param layer for the error
-- @tparam Tensor w
-- @tparam Tensor x of w's number of dimensions, or with one more in front, the batch's; or with as
-- many elements as w, or as many in each sample
-- @return a view of w
-- @raise "nn.CMul: input is 2x3, expected 2x4 or N x 2x4"
function M.over(layer, w, x)
   local sizes = w:size():totable()
   if x:dim() == #sizes + 1 then
      table.insert(sizes, 1, 1)
   end
   for d, n in ipairs(sizes) do
      if x:dim() ~= #sizes or (n ~= 1 and n ~= x:size(d)) then
         return by_count(w, x) or check.fail(layer, 'input is %s, expected %s or N x %s (with any '
            .. 'size in place of a 1)', check.describe(x), check.describe(w), check.describe(w))
      end
   end
   return w:view(torch.LongStorage(sizes))
end

--- The gradient by a parameter, of that by each place where it stands.
-- @param layer
-- @tparam Tensor w the parameter
-- @tparam Tensor g of the input's size
-- @return of w's size
function M.gradient(layer, w, g)
   local over = M.over(layer, w, g)
   for d = 1, g:dim() do
      if over:size(d) == 1 and g:size(d) > 1 then
         g = g:sum(d)
      end
   end
   return g:contiguous():viewAs(w)
end

return M
