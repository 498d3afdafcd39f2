--- Products of matrices, or of batches of them, for layers.
-- @module nn.table.product

local M = {}

--- The matrices of a tensor, transposed: a view.
function M.transposed(x)
   return x:transpose(x:dim() - 1, x:dim())
end

--- r = a b, for matrices or for each pair of two batches.
function M.multiply(r, a, b)
   if a:dim() == 2 then
      return r:resize(a:size(1), b:size(2)):mm(a, b)
   end
   return r:resize(a:size(1), a:size(2), b:size(3)):bmm(a, b)
end

return M
