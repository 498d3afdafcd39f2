--- The product of two matrices A and B, or of the pairs of two batches, each plain or transposed.
--
-- Shapes: { M x K, K x N } gives M x N (of a transposed one the sizes are swapped); in batches each
-- tensor has a dimension in front.
-- @classmod nn.MM
-- @example nn.MM(false, true):forward { torch.ones(2, 3), torch.ones(4, 3) }:size() --> { 2, 4 }

local nn = require 'nn'
local check = require 'nn.check'
local product = require 'nn.table.product'

local MM = nn.declare('nn.MM', {
   arguments = [[
      transA  boolean = false  take A transposed
      transB  boolean = false  take B transposed
   ]],
   input = 'table', tensors = 2, validate = '__checkMatrices',
})

function MM:__initialize()
   self.gradInput = {}
end

local multiply, transposed = product.multiply, product.transposed

--- Raise unless the tensors can be multiplied.
-- @tparam table x
-- @raise "nn.MM: input is 2x3 and 4x3, expected M x K and K x N"
function MM:__checkMatrices(x)
   local a, b, dims = x[1], x[2], x[1]:dim()
   if (dims == 2 or dims == 3) and b:dim() == dims and (dims == 2 or a:size(1) == b:size(1))
      and a:size(self.transA and dims - 1 or dims) == b:size(self.transB and dims or dims - 1) then
      return
   end
   local wanted = ('%s and %s'):format(self.transA and 'K x M' or 'M x K',
      self.transB and 'N x K' or 'K x N')
   check.fail(self, 'input is %s and %s, expected %s, or batches of them', check.describe(a),
      check.describe(b), wanted)
end

local function operands(self, x)
   return self.transA and transposed(x[1]) or x[1], self.transB and transposed(x[2]) or x[2]
end

function MM:__computeOutput(y, x)
   return multiply(y, operands(self, x))
end

-- dL/dA = G B', dL/dB = A' G
function MM:__computeGradInput(gx, x, g)
   local a, b = operands(self, x)
   local ga, gb = gx[1] or g.new(), gx[2] or g.new()
   if self.transA then
      multiply(ga, b, transposed(g))
   else
      multiply(ga, g, transposed(b))
   end
   if self.transB then
      multiply(gb, transposed(g), a)
   else
      multiply(gb, transposed(a), g)
   end
   gx[1], gx[2] = ga, gb
   return gx
end
