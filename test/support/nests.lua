--- What specs that walk the samples do with nests of tensors.
local assert = require 'luassert'
local torch = require 'torch'
local nested = require 'nn.nested'

local M = {}

--- The tensors and other leaves of a nest.
function M.leaves(nest)
   local list = {}
   nested.each(function(x)
      list[#list + 1] = x
   end, nest)
   return list
end

--- A nest of f(x) for each tensor x of another.
function M.map(f, nest)
   return nested.into(function(_, x)
      return torch.isTensor(x) and f(x) or x
   end, nil, nest)
end
local map, leaves = M.map, M.leaves

--- Positions, classes and masks: they have no derivative, and keep their type.
function M.is_integer(x)
   return torch.typename(x):match 'Long' or torch.typename(x):match 'Byte'
      or torch.typename(x):match 'Int'
end

--- A nest whose real tensors are of another type.
function M.to_type(nest, typename)
   return map(function(x) return M.is_integer(x) and x or x:type(typename) end, nest)
end

function M.clone(nest)
   return map(function(x) return x:clone() end, nest)
end

--- The same numbers behind strides that no row-major tensor has.
function M.odd(nest)
   return map(function(x)
      local dims, sizes = x:dim(), {}
      for d = 1, dims do
         sizes[d] = x:size(dims + 1 - d)
      end
      sizes[dims + 1] = 2
      local fill = M.is_integer(x) and 77 or 1e9
      local y, order = x.new():resize(torch.LongStorage(sizes)):fill(fill):select(dims + 1, 2), {}
      for d = 1, dims do
         order[d] = dims + 1 - d
      end
      return y:permute(unpack(order)):copy(x)
   end, nest)
end

--- Assertion: two nests have the same numbers, within a tolerance.
-- @string what they are
-- @number[opt=0] tolerance
function M.same(expected, nest, what, tolerance)
   local a, b = leaves(expected), leaves(nest)
   assert.equal(#a, #b, what)
   for i, x in ipairs(a) do
      assert.same(x:size():totable(), b[i]:size():totable(), what)
      local difference = (x:double() - b[i]:double()):abs():max()
      assert.is_true(difference <= (tolerance or 0), ('%s differs by %g'):format(what, difference))
   end
end

return M
