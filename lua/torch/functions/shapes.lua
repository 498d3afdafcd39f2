--- Shapes that agree after the rules of NumPy: sizes are compared from the last dimension on; 1
-- stands for any size, a missing leading dimension for 1.
-- @module torch.functions.shapes
local ffi = require 'ffi'
local th = require 'torch.ffi'

local C, check, raise = th.C, th.check, th.raise

local M = {}

local sizes = ffi.new('int64_t[?]', C.TH_MAX_DIMS) -- scratch: filled, passed to C, forgotten

--- The sizes as text: 2x3.
function M.text(t)
   local list = {}
   for d = 1, t.ndim do
      list[d] = tonumber(t.sizes[d - 1])
   end
   return #list > 0 and table.concat(list, 'x') or 'empty'
end

--- The sizes that all tensors can be expanded to.
-- @param list table of tensors
-- @return table of sizes; or nil when there are none
function M.common(list)
   local n = 0
   for i = 1, #list do
      if list[i].ndim == 0 then
         return nil
      end
      n = math.max(n, list[i].ndim)
   end
   local shape = {}
   for d = 1, n do
      shape[d] = 1
   end
   for i = 1, #list do
      local t = list[i]
      local lead = n - t.ndim
      for d = lead + 1, n do
         local size = tonumber(t.sizes[d - lead - 1])
         if shape[d] == 1 then
            shape[d] = size
         elseif size ~= 1 and size ~= shape[d] then
            return nil
         end
      end
   end
   return shape
end

--- Whether a tensor has exactly these sizes.
function M.has(t, shape)
   if t.ndim ~= #shape then
      return false
   end
   for d = 1, #shape do
      if t.sizes[d - 1] ~= shape[d] then
         return false
      end
   end
   return true
end

--- The tensor as a view with these sizes, which must be among those it can be expanded to.
function M.expand(t, shape)
   if M.has(t, shape) then
      return t
   end
   local n, lead = #shape, #shape - t.ndim
   local r = th.Tensor()
   -- Leading dimensions of size 1 by hand: a view needs elements without gaps, this does not.
   check(C.TH_alias(r, t))
   for _ = 1, lead do
      check(C.TH_unsqueeze(r, r, 0))
   end
   for d = 0, n - 1 do
      sizes[d] = shape[d + 1]
   end
   check(C.TH_expand(r, r, n, sizes))
   return r
end

--- What to do about two operands whose sizes differ: the end of a message; '' if nothing helps.
function M.remedy(x, y)
   local common = M.common { x, y }
   if not common then
      return ''
   end
   local small, large, name = y, x, 'y'
   if M.has(y, common) then
      small, large, name = x, y, 'x'
   elseif not M.has(x, common) then
      return '; torch.broadcast(true) lets both stretch, as NumPy does'
   end
   local view = small.ndim < large.ndim
      and (':view(%s%s)'):format(('1, '):rep(large.ndim - small.ndim),
         (M.text(small):gsub('x', ', '))) or ''
   local other = name == 'x' and 'y' or 'x'
   return ('; %s%s:expandAs(%s) stretches %s to the sizes of %s; torch.broadcast(true) lets sizes '
      .. 'stretch by themselves, as NumPy does'):format(name, view, other, name, other)
end

--- All tensors as views with common sizes.
-- @param name string: the operation, for the error
-- @return table of tensors, sizes
-- @raise "where: sizes 2x3 and 4 do not agree ..."
function M.agree(name, list)
   local shape = M.common(list)
   if not shape then
      local texts = {}
      for i = 1, #list do
         texts[i] = M.text(list[i])
      end
      raise(('%s: sizes %s do not agree; from the last dimension on they must be equal or 1')
         :format(name, table.concat(texts, ' and ')))
   end
   local expanded = {}
   for i = 1, #list do
      expanded[i] = M.expand(list[i], shape)
   end
   return expanded, shape
end

return M
