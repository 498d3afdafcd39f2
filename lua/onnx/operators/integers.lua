--- Whole numbers with a zero and a scale, in products: what operators on bytes have in common.
-- @module onnx.operators.integers
local torch = require 'torch'
local product = require 'onnx.operators.product'
local tools = require 'onnx.operators.tools'

local M = {}

--- Whole numbers less their zero, as doubles, which sums of products are exact in.
function M.centred(x, zero, rows)
   local y = x:type(tools.beside('torch.DoubleTensor', x))
   if not zero then
      return y
   end
   zero = tools.together({ y, zero })[2]:typeAs(y)
   if rows and zero:nElement() > 1 then
      zero = tools.view(zero, { zero:nElement(), 1 })
   end
   return y - tools.expand(zero, tools.sizes(y))
end

--- Weights of planes, each of which may have a zero of its own, less these.
function M.planes(W, zero)
   if zero and zero:nElement() > 1 then
      local sizes = { zero:nElement() }
      for d = 2, W:dim() do
         sizes[d] = 1
      end
      zero = tools.view(zero, sizes)
   end
   return M.centred(W, zero)
end

--- A scale for all, or one for each of the outputs along a dimension, as doubles stretched over y.
function M.scale(scale, y, d)
   local sizes = {}
   for k = 1, y:dim() do
      sizes[k] = k == d and scale:nElement() or 1
   end
   scale = tools.together({ y, scale })[2]:typeAs(y)
   return tools.expand(tools.view(scale, sizes), tools.sizes(y))
end

--- The product of two matrices of bytes, as reals: scales and zeros are of all, or of a's rows and
-- of b's columns.
function M.product(a, a_scale, a_zero, b, b_scale, b_zero)
   a, b = unpack(tools.together { a, b })
   local y = product.MatMul({}, M.centred(a, a_zero, true), M.centred(b, b_zero))
   y = torch.cmul(y, M.scale(a_scale, y, y:dim() - 1))
   return torch.cmul(y, M.scale(b_scale, y, y:dim()))
end

return M
