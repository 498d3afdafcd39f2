--- Tensors of one size, combined element by element; for table layers to derive from.
--
-- A layer says how one more tensor joins the result, and what its gradient is:
--
--    __fold(y, x)            put x into y, in which those before it are
--    __pair(y, a, b)         the first two into y, where one operation does both
--    __partial(r, x, g, i)   the gradient by x[i] into r, which has its size; returns it
-- @classmod nn.CTable

local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local CTable = nn.declare('nn.CTable', { input = 'table' })

function CTable:__initialize()
   self.gradInput = {}
end

--- Put a tensor into the result.
-- @tparam Tensor y the result so far
-- @tparam Tensor x
function CTable.__fold(_, _, _) end

--- Put the first two tensors into the result.
-- @tparam Tensor y the result
-- @tparam Tensor a
-- @tparam Tensor b
function CTable:__pair(y, a, b)
   self:__fold(y:resizeAs(a):copy(a), b)
end

--- The gradient by the i-th tensor.
-- @tparam Tensor r where it goes
-- @tparam table x the tensors
-- @tparam Tensor g gradOutput
-- @int i
-- @return r
function CTable.__partial(_, r, _, g, _)
   return r:copy(g)
end

function CTable:__computeOutput(y, x)
   local first = 2
   if self.inplace then
      y:set(check.writable(x[1]))
   elseif x[2] then
      check.count(self, x[2], x[1], 'input', 2)
      self:__pair(y, x[1], x[2])
      first = 3
   else
      y:resizeAs(x[1]):copy(x[1])
   end
   for i = first, #x do
      check.count(self, x[i], x[1], 'input', i)
      self:__fold(y, x[i])
   end
   return y
end

function CTable:__computeGradInput(gx, x, g)
   check.count(self, g, x[1], 'gradOutput')
   for i = 1, #x do
      gx[i] = self:__partial((gx[i] or g.new()):resizeAs(x[i]), x, g, i)
   end
   return nested.truncate(gx, #x)
end
