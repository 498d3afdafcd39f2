--- Which tensors of a list are one and the same memory: layers that share parameters name them
-- again, and what is added up, scaled or exchanged must be so once.
--
--    local sharing = require 'torch.sharing'
--    sharing.wholes { w[1], w, b, w:t() } -- { 2, 2, 3, 2 }
--    sharing.once { w[1], w, b, w:t() } -- { w, b }
--
-- A tensor is part of another one if its elements lie within that one's, which has no gaps, or if
-- both have the same elements, in the same order of dimensions or another. Tensors that overlap
-- otherwise, such as rows 1 to 2 and 2 to 3 of a matrix, are each their own: what they have in
-- common counts in both.
-- @module torch.sharing

local ffi = require 'ffi'
local th = require 'torch.ffi'
local torch = require 'torch'

local M = {}

-- Dimensions of more than one element, from the largest stride to the smallest.
local function dimensions(t)
   local list = {}
   for d = 0, t.ndim - 1 do
      if t.sizes[d] ~= 1 then
         local size, stride = tonumber(t.sizes[d]), tonumber(t.strides[d])
         list[#list + 1] = { at = d + 1, size = size, stride = stride }
      end
   end
   table.sort(list, function(a, b)
      if a.stride ~= b.stride then
         return a.stride > b.stride
      elseif a.size ~= b.size then
         return a.size > b.size
      end
      return a.at < b.at
   end)
   return list
end

-- Whether elements lie side by side, each once, whatever the order of the dimensions.
local function is_compact(t)
   if t:isContiguous() then
      return true
   end
   local list, stride = dimensions(t), 1
   for i = #list, 1, -1 do
      if list[i].stride ~= stride then
         return false
      end
      stride = stride * list[i].size
   end
   return true
end

-- The strides of a tensor when the gaps between its elements are gone.
local function close_strides(t)
   local strides, list, stride = torch.LongStorage(t:dim()):fill(1), dimensions(t), 1
   for i = #list, 1, -1 do
      strides[list[i].at] = stride
      stride = stride * list[i].size
   end
   return strides
end

-- How a tensor that has gaps lies in memory; the same for its transposed.
local function form(t)
   local parts = {}
   for i, dimension in ipairs(dimensions(t)) do
      parts[i] = ('%dx%d'):format(dimension.size, dimension.stride)
   end
   return table.concat(parts, ' ')
end

local function memory_of(t)
   return tonumber(ffi.cast('intptr_t', t.store))
end

--- Which elements a tensor has, as a string: the same for its views that have them all.
-- @tparam Tensor t
-- @treturn ?string nil where it has none
function M.key(t)
   local count = t:nElement()
   return count > 0 and ('%d %d %s'):format(memory_of(t), tonumber(t.offset),
      is_compact(t) and count or form(t)) or nil
end

--- Where the elements of a tensor are in one that has no gaps.
-- @tparam Tensor whole
-- @tparam Tensor t
-- @treturn ?int the first one's place; nil where they are not all in it, or have gaps between them
-- @treturn LongStorage the sizes of t, its dimensions in the order of memory
function M.place(whole, t)
   if t.store ~= whole.store or t:nElement() == 0 or not whole:isContiguous()
      or not is_compact(t) then
      return nil
   end
   local first = tonumber(t.offset - whole.offset)
   if first < 0 or first + t:nElement() > whole:nElement() then
      return nil
   elseif t:isContiguous() then
      return first + 1, t:size()
   end
   local sizes = {}
   for i, dimension in ipairs(dimensions(t)) do
      sizes[i] = dimension.size
   end
   return first + 1, torch.LongStorage(sizes)
end

-- --- lists --------------------------------------------------------------------------------------

-- From where to where in memory the k-th tensor reaches.
local function span(k, t)
   local first = tonumber(t.offset)
   if t:isContiguous() then
      return { k = k, first = first, last = first + t:nElement() - 1, compact = true }
   end
   local last = first
   for d = 0, t.ndim - 1 do
      last = last + tonumber((t.sizes[d] - 1) * t.strides[d])
   end
   return { k = k, first = first, last = last, compact = is_compact(t) }
end

-- What has others within it comes before them.
local function is_before(a, b)
   if a.first ~= b.first then
      return a.first < b.first
   elseif a.last ~= b.last then
      return a.last > b.last
   elseif a.compact ~= b.compact then
      return a.compact
   end
   return a.k < b.k
end

-- Write the wholes of some tensors, which are in one memory, into a list.
local function find(list, members, tensors)
   local spans = {}
   for i, k in ipairs(members) do
      spans[i] = span(k, tensors[k])
   end
   for i = 2, #spans do
      if not is_before(spans[i - 1], spans[i]) then -- those of getParameters are in order
         table.sort(spans, is_before)
         break
      end
   end
   local outer, alike = nil, {}
   for _, own in ipairs(spans) do
      if outer and own.last <= outer.last then
         list[own.k] = outer.k
      elseif own.compact then
         outer = own
      else
         local key = M.key(tensors[own.k])
         alike[key] = alike[key] or own.k
         list[own.k] = alike[key]
      end
   end
end

--- @tab tensors
-- @treturn table for each tensor the number of the one that it is part of: its own, if of none; of
-- several with the same elements the first
function M.wholes(tensors)
   local list, memories = {}, {}
   for k, t in ipairs(tensors) do
      list[k] = k
      if t:nElement() > 0 then
         local memory = memory_of(t)
         local members = memories[memory] or {}
         memories[memory] = members
         members[#members + 1] = k
      end
   end
   for _, members in pairs(memories) do
      if #members > 1 then
         find(list, members, tensors)
      end
   end
   return list
end

--- @tab tensors
-- @treturn table those of them that are part of no other, where their first part is
function M.once(tensors)
   local wholes, once, there = M.wholes(tensors), {}, {}
   for k in ipairs(tensors) do
      local whole = wholes[k]
      once[#once + 1] = not there[whole] and tensors[whole] or nil
      there[whole] = true
   end
   return once
end

-- --- copies whose parts are those of the original -----------------------------------------------

--- A copy that lies in memory as the tensor does, without its gaps.
-- @tparam Tensor t
-- @tparam[opt=t] Tensor values of as many elements
-- @treturn Tensor
function M.copy(t, values)
   if t:nElement() == 0 then
      return t:clone()
   end
   local row = th.like(t):resize(t:nElement()) -- on its device
   return t.new(row:storage(), 1, t:size(), close_strides(t)):copy(values or t)
end

--- The part of such a copy which `part` is of the original.
-- @tparam Tensor copy
-- @tparam Tensor whole what it is a copy of
-- @tparam Tensor part see `wholes`
-- @treturn Tensor a view
function M.part(copy, whole, part)
   local inside = is_compact(whole)
   return copy.new(copy:storage(),
      copy:storageOffset() + part:storageOffset() - whole:storageOffset(), part:size(),
      inside and part:stride() or close_strides(part))
end

return M
