--- A tensor as a list of values, and what indexing does to it: the oracle of the fuzz target.
--
-- A model has `store` (list of numbers), `offset` (from 0), `sizes` and `strides`. Views share the
-- store. A function returns the resulting model, or nil when the library must raise. A model of a
-- single element without dimensions, which the library gives as a number, is marked `scalar`;
-- another one without dimensions is the empty tensor.
local M = {}

function M.new(store, offset, sizes, strides)
   return { store = store, offset = offset, sizes = sizes, strides = strides }
end

local function copyOf(list)
   return { unpack(list) }
end

local function rowMajor(sizes)
   local strides, step = {}, 1
   for d = #sizes, 1, -1 do
      strides[d] = step
      step = step * sizes[d]
   end
   return strides
end

--- A model with a store of its own.
function M.fresh(values, sizes)
   return M.new(values, 0, sizes, rowMajor(sizes))
end

function M.count(m)
   local n = (#m.sizes > 0 or m.scalar) and 1 or 0
   for d = 1, #m.sizes do
      n = n * m.sizes[d]
   end
   return n
end

--- f(place in the store, indices from 0) for each element in row-major order.
function M.each(m, f)
   local function walk(d, place, at)
      if d > #m.sizes then
         return f(place, at)
      end
      for i = 0, m.sizes[d] - 1 do
         at[d] = i
         walk(d + 1, place + i * m.strides[d], at)
      end
   end
   if #m.sizes > 0 or m.scalar then
      walk(1, m.offset, {})
   end
end

--- The elements in row-major order.
function M.values(m)
   local values = {}
   M.each(m, function(place)
      values[#values + 1] = m.store[place + 1]
   end)
   return values
end

--- Every element becomes x.
function M.fill(m, x)
   M.each(m, function(place)
      m.store[place + 1] = x
   end)
end

function M.isContiguous(m)
   local step = 1
   for d = #m.sizes, 1, -1 do
      if m.sizes[d] ~= 1 then
         if m.strides[d] ~= step then
            return false
         end
         step = step * m.sizes[d]
      end
   end
   return true
end

local function view(m)
   return M.new(m.store, m.offset, copyOf(m.sizes), copyOf(m.strides))
end

-- Position k, which counts from 1 or from the end, as one from 0; nil when it is outside.
local function inside(k, size)
   local i = k < 0 and size + k or k - 1
   return i >= 0 and i < size and i or nil
end

local function drop(m, d, i)
   m.offset = m.offset + i * m.strides[d]
   table.remove(m.sizes, d)
   table.remove(m.strides, d)
   m.scalar = #m.sizes == 0
   return m
end

--- m[k]
function M.element(m, k)
   local i = #m.sizes > 0 and inside(k, m.sizes[1])
   return i and drop(view(m), 1, i) or nil
end

function M.narrow(m, dim, first, length)
   local size = m.sizes[dim]
   if not size or first < 1 or first > size or length < 1 or length > size - first + 1 then
      return nil
   end
   local r = view(m)
   r.offset = r.offset + (first - 1) * r.strides[dim]
   r.sizes[dim] = length
   return r
end

function M.select(m, dim, k)
   if #m.sizes == 1 then
      return M.element(m, k)
   end
   local size = m.sizes[dim]
   local i = size and inside(k, size)
   return i and drop(view(m), dim, i) or nil
end

--- m[{...}]: numbers, {}, {i} and {first, last}.
function M.region(m, list)
   if #m.sizes == 0 or #list > #m.sizes then
      return nil
   end
   local r, dim = view(m), 1
   for d = 1, #list do
      local entry, size = list[d], m.sizes[d]
      if type(entry) == 'number' then
         local i = inside(entry, size)
         if not i then
            return nil
         end
         drop(r, dim, i)
      else
         local first, last = entry[1], entry[2] or entry[1]
         if first then
            first = first < 0 and size + first + 1 or first
            last = last < 0 and size + last + 1 or last
            r = M.narrow(r, dim, first, last - first + 1)
            if not r then
               return nil
            end
         end
         dim = dim + 1
      end
   end
   return r
end

function M.unfold(m, dim, size, step)
   local n = m.sizes[dim]
   if not n or size < 1 or size > n or step < 1 or #m.sizes == 16 then
      return nil
   end
   local r = view(m)
   r.sizes[dim] = math.floor((n - size) / step) + 1
   r.sizes[#r.sizes + 1] = size
   r.strides[#r.strides + 1] = m.strides[dim]
   -- Where one slice is left nobody takes a step.
   r.strides[dim] = r.sizes[dim] > 1 and m.strides[dim] * step or m.strides[dim]
   return r
end

function M.view(m, sizes)
   local known, inferred = 1, nil
   for d, size in ipairs(sizes) do
      if size == -1 and not inferred then
         inferred = d
      elseif size < 1 then
         return nil
      else
         known = known * size
      end
   end
   local total = M.count(m)
   sizes = copyOf(sizes)
   if inferred and total % known == 0 then
      sizes[inferred] = total / known
      known = total
   end
   if known ~= total or not M.isContiguous(m) then
      return nil
   end
   return M.new(m.store, m.offset, sizes, rowMajor(sizes))
end

function M.expand(m, sizes)
   if #sizes ~= #m.sizes then
      return nil
   end
   local r = view(m)
   for d, size in ipairs(sizes) do
      if size ~= m.sizes[d] then
         if m.sizes[d] ~= 1 or size < 1 then
            return nil
         end
         r.sizes[d], r.strides[d] = size, 0
      end
   end
   return r
end

function M.transpose(m, a, b)
   if not (m.sizes[a] and m.sizes[b]) then
      return nil
   end
   local r = view(m)
   r.sizes[a], r.sizes[b] = r.sizes[b], r.sizes[a]
   r.strides[a], r.strides[b] = r.strides[b], r.strides[a]
   return r
end

--- Without dimensions of size 1: all of them, or one that is named.
function M.squeeze(m, dim)
   if #m.sizes == 0 or dim and not m.sizes[dim] then
      return nil
   end
   local r = view(m)
   for d = #r.sizes, 1, -1 do
      if r.sizes[d] == 1 and #r.sizes > 1 and (not dim or dim == d) then
         drop(r, d, 0)
      end
   end
   r.scalar = #r.sizes == 1 and r.sizes[1] == 1 and (not dim or #m.sizes == 1)
   return r
end

function M.unsqueeze(m, dim)
   if #m.sizes == 0 or #m.sizes == 16 or dim < 1 or dim > #m.sizes + 1 or dim % 1 ~= 0 then
      return nil
   end
   local r = view(m)
   table.insert(r.sizes, dim, 1)
   table.insert(r.strides, dim, 1)
   return r
end

--- Slices of dim at the positions, copied.
function M.index(m, dim, positions)
   if not m.sizes[dim] or #positions == 0 then
      return nil
   end
   local sizes = copyOf(m.sizes)
   sizes[dim] = #positions
   local r = M.fresh({}, sizes)
   for _, k in ipairs(positions) do
      if k < 1 or k > m.sizes[dim] then
         return nil
      end
   end
   M.each(r, function(place, at)
      local from = m.offset
      for d, i in ipairs(at) do
         from = from + m.strides[d] * (d == dim and positions[i + 1] - 1 or i)
      end
      r.store[place + 1] = m.store[from + 1]
   end)
   return r
end

--- r[i][j] = m[positions[i][j]][j] for dim 1; positions is a model.
function M.gather(m, dim, positions)
   if not m.sizes[dim] or #positions.sizes ~= #m.sizes then
      return nil
   end
   local r, sound = M.fresh({}, copyOf(positions.sizes)), true
   for d = 1, #m.sizes do
      sound = sound and (d == dim or m.sizes[d] == positions.sizes[d])
   end
   if not sound then
      return nil
   end
   local wanted = M.values(positions)
   M.each(r, function(place, at)
      local k = wanted[place + 1]
      if k < 1 or k > m.sizes[dim] then
         sound = false
         return
      end
      local from = m.offset
      for d, i in ipairs(at) do
         from = from + m.strides[d] * (d == dim and k - 1 or i)
      end
      r.store[place + 1] = m.store[from + 1]
   end)
   return sound and r or nil
end

--- The elements where the mask (a list) has 1; a model without dimensions when there are none.
function M.masked(m, mask)
   local values, r = M.values(m), {}
   if #mask ~= #values or #values == 0 then
      return nil
   end
   for i, bit in ipairs(mask) do
      if bit > 1 then
         return nil
      elseif bit == 1 then
         r[#r + 1] = values[i]
      end
   end
   return M.fresh(r, #r > 0 and { #r } or {})
end

--- A model of the same geometry with a copy of the store.
function M.copy(m)
   local r = view(m)
   r.store = copyOf(m.store)
   return r
end

return M
