--- The product of a matrix M, as it is or transposed, and a vector; or of the pairs of two batches.
--
-- Shapes: { M x N, N } gives M; { N x M, N } transposed; in batches each tensor has a dimension in
-- front.
-- @classmod nn.MV
-- @example nn.MV():forward { torch.ones(2, 3), torch.ones(3) } --> { 3, 3 }

local nn = require 'nn'
local check = require 'nn.check'
local product = require 'nn.table.product'

local MV = nn.declare('nn.MV', {
   arguments = 'trans  boolean = false  take M transposed',
   input = 'table', tensors = 2, validate = '__checkOperands',
})

function MV:__initialize()
   self.gradInput = {}
end

--- Raise unless the tensors can be multiplied.
-- @tparam table x
-- @raise "nn.MV: input is 2x3 and 4, expected M x N and N"
function MV:__checkOperands(x)
   local m, v, dims = x[1], x[2], x[1]:dim()
   if (dims == 2 or dims == 3) and v:dim() == dims - 1 and (dims == 2 or m:size(1) == v:size(1))
      and m:size(self.trans and dims - 1 or dims) == v:size(dims - 1) then
      return
   end
   check.fail(self, 'input is %s and %s, expected %s and N, or batches of them', check.describe(m),
      check.describe(v), self.trans and 'N x M' or 'M x N')
end

local function matrices(self, x)
   return self.trans and product.transposed(x[1]) or x[1]
end

-- Vectors as matrices of one column.
local function columns(v)
   return nn.utils.addSingletonDimension(v, v:dim() + 1)
end

-- Columns as vectors, in place.
local function vectors(r)
   return r:dim() == 2 and r:resize(r:size(1)) or r:resize(r:size(1), r:size(2))
end

function MV:__computeOutput(y, x)
   return vectors(product.multiply(y, matrices(self, x), columns(x[2])))
end

-- dL/dM = g v', dL/dv = M' g
function MV:__computeGradInput(gx, x, g)
   local column, v = columns(g), columns(x[2])
   local left, right = column, v
   if self.trans then
      left, right = v, column
   end
   gx[1] = product.multiply(gx[1] or g.new(), left, product.transposed(right))
   local back = product.transposed(matrices(self, x))
   gx[2] = vectors(product.multiply(gx[2] or g.new(), back, column))
   return gx
end
