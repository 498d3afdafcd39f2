--- Tensors nested in tables: the one set of loops over them.
--
-- A nest is a tensor, or a table of nests. Objects of classes are leaves.
-- @module nn.nested

local torch = require 'torch'

local M = {}

--- Whether a value is a plain table, not an object.
function M.is_table(value)
   return type(value) == 'table' and torch.type(value) == 'table'
end
local is_table = M.is_table

-- A table to write a nest into: the old one, or a new one whose first entry an old leaf becomes.
local function table_for(r)
   return is_table(r) and r or { r }
end

local function drop_extra(r, like)
   for key in pairs(r) do
      if like[key] == nil then
         r[key] = nil
      end
   end
   return r
end

--- Call `leaf(x, ...)` for each leaf x.
function M.each(leaf, nest, ...)
   if is_table(nest) then
      for _, value in pairs(nest) do
         M.each(leaf, value, ...)
      end
   else
      leaf(nest, ...)
   end
   return nest
end

--- Whether `leaf(x, ...)` holds for one of the leaves x.
function M.any(leaf, nest, ...)
   if not is_table(nest) then
      return leaf(nest, ...)
   end
   for _, value in pairs(nest) do
      if M.any(leaf, value, ...) then
         return true
      end
   end
   return false
end

--- The first leaf of nested lists: nil where the first list is empty.
function M.first(nest)
   while is_table(nest) do
      nest = nest[1]
   end
   return nest
end

--- For each leaf x of `nest`, put `leaf(old, x, ...)` into `r`, where `old` is what was there.
-- @return r, made anew where it was of another kind
function M.onto(leaf, r, nest, ...)
   if not is_table(nest) then
      return leaf(r, nest, ...)
   end
   r = table_for(r)
   for key, value in pairs(nest) do
      r[key] = M.onto(leaf, r[key], value, ...)
   end
   return r
end

local function drop_all_extra(r, nest)
   if is_table(nest) then
      for key, value in pairs(nest) do
         drop_all_extra(r[key], value)
      end
      drop_extra(r, nest)
   end
   return r
end

--- As `onto`; what `nest` has not, `r` loses.
function M.into(leaf, r, nest, ...)
   return drop_all_extra(M.onto(leaf, r, nest, ...), nest)
end

local function mapped(_, x, f, ...)
   return torch.isTensor(x) and f(x, ...) or x
end

--- The same nest, with f(t, ...) in the place of each tensor t.
function M.map(f, nest, ...)
   return M.onto(mapped, nil, nest, f, ...)
end

--- As `into`, for several nests of one structure: `leaf(old, list, ...)` with their leaves.
function M.zip(leaf, r, nests, ...)
   if not is_table(nests[1]) then
      return leaf(r, nests, ...)
   end
   r = table_for(r)
   for key in pairs(nests[1]) do
      local items = {}
      for i, nest in ipairs(nests) do
         items[i] = nest[key]
      end
      r[key] = M.zip(leaf, r[key], items, ...)
   end
   return drop_extra(r, nests[1])
end

--- Replace the leaves of a nest, in place: each becomes `leaf(x, ...)`.
function M.change(leaf, nest, ...)
   if not is_table(nest) then
      return leaf(nest, ...)
   end
   for key, value in pairs(nest) do
      nest[key] = M.change(leaf, value, ...)
   end
   return nest
end

--- Append the leaves of nested lists, in their order, to a list without nesting.
-- @tparam table list
-- @param nest nil: none
-- @return list
function M.append(list, nest)
   if is_table(nest) then
      for _, value in ipairs(nest) do
         M.append(list, value)
      end
   else
      list[#list + 1] = nest
   end
   return list
end

-- The keys of a table, in an order that depends on them alone: 1 to n, then the others by name.
local function keys_of(t)
   local keys, others = {}, {}
   for i = 1, #t do
      keys[i] = i
   end
   for key in pairs(t) do
      if type(key) ~= 'number' or key < 1 or key > #t or key % 1 ~= 0 then
         others[#others + 1] = key
      end
   end
   table.sort(others, function(a, b) return tostring(a) < tostring(b) end)
   for _, key in ipairs(others) do
      keys[#keys + 1] = key
   end
   return keys
end

--- The tensors of a nest, named fields included, in an order that nests of one structure share.
-- @return list
function M.tensors(nest, list)
   list = list or {}
   if torch.isTensor(nest) then
      list[#list + 1] = nest
   elseif is_table(nest) then
      for _, key in ipairs(keys_of(nest)) do
         M.tensors(nest[key], list)
      end
   end
   return list
end

local HERE = {}

--- Where the tensors are in a nest, for `with`, without holding any.
function M.form(nest)
   return M.map(function() return HERE end, nest)
end

--- The same nest with a list's entries in the places of its tensors, in the order of `tensors`.
-- @param nest or the form of one
function M.with(nest, list, at)
   at = at or { 0 }
   if nest == HERE or torch.isTensor(nest) then
      at[1] = at[1] + 1
      return list[at[1]]
   elseif is_table(nest) then
      local copy = {}
      for _, key in ipairs(keys_of(nest)) do
         copy[key] = M.with(nest[key], list, at)
      end
      return copy
   end
   return nest
end

--- Drop what a list has behind its n-th entry.
function M.truncate(list, n)
   for i = n + 1, #list do
      list[i] = nil
   end
   return list
end

local function zero(old, x)
   if not torch.isTensor(x) then
      return x
   elseif not torch.isTensor(old) or torch.typename(old) ~= torch.typename(x) then
      old = x.new()
   end
   return old:resize(x:size()):zero()
end

--- Zeros in the structure, sizes and types of a nest, in the tensors of `r` where they fit.
-- @return r, made anew where it was of another kind
function M.zeros(r, nest)
   return M.into(zero, r, nest)
end

--- What stands in for a buffer that is let go of but not emptied, for it belongs to somebody else.
function M.released(nest)
   if torch.isTensor(nest) then
      return nest.new()
   end
   return type(nest) == 'table' and {} or nil
end

return M
