--- The operations of the fuzz target of index expressions: a call and what the model expects.
local torch = require 'torch'
local arguments = require 'test.fuzz.arguments'
local model = require 'test.fuzz.model'

local M = {}

local VALUE = 99 -- what assignments write

local number = arguments.number

-- Up to four numbers, the open-ness of any of them.
local function numbers(take, m, count, n)
   local list, open = {}, false
   for i = 1, count do
      local odd
      list[i], odd = number(take, n or m.sizes[i] or 1)
      open = open or odd
   end
   return list, open
end

local function dimension(take, m)
   return number(take, #m.sizes)
end

local function text(...)
   local list = { ... }
   for i = 1, select('#', ...) do
      list[i] = tostring(list[i])
   end
   return table.concat(list, ', ')
end

-- An entry of x[{...}].
local function entry(take, size)
   local kind = take.upTo(8)
   if kind < 3 then
      return number(take, size)
   elseif kind == 3 then
      return {}, false
   elseif kind == 4 then
      local i, odd = number(take, size)
      return { i }, odd or i == nil
   end
   local i, odd = number(take, size)
   local j, odd2 = number(take, size)
   return { i, j }, odd or odd2
end

local function region(take, m)
   local list, open = {}, false
   local count = take.upTo(8) == 7 and #m.sizes + 1 or take.upTo(#m.sizes + 1)
   for d = 1, count do
      local odd
      list[d], odd = entry(take, m.sizes[d] or 2)
      open = open or odd
   end
   return list, open
end

-- Each returns call, expected, description, open.
local list = {}

list[1] = function(take, t, m)
   local k, open = number(take, m.sizes[1] or 1)
   if type(k) ~= 'number' then
      k, open = 1, false
   end
   return function()
      return t[k]
   end, not open and model.element(m, k), 'x[' .. text(k) .. ']', open
end

list[2] = function(take, t, m)
   local key, open = region(take, m)
   return function()
      return t[key]
   end, not open and model.region(m, key), 'x[{...}]', open
end

list[3] = function(take, t, m)
   local mask, values = arguments.mask(take, model.count(m))
   return function()
      return t[mask]
   end, model.masked(m, values), 'x[mask]', #values == 0
end

list[4] = function(take, t, m)
   local count = take.upTo(4) == 3 and #m.sizes + 1 or #m.sizes
   local at = {}
   for d = 1, count do
      at[d] = number(take, m.sizes[d] or 1)
      at[d] = type(at[d]) == 'number' and at[d] % 1 == 0 and math.abs(at[d]) < 2 ^ 53 and at[d] or 1
   end
   local key = torch.LongStorage(at)
   local sound = #at == #m.sizes and #at > 0
   return function()
      return t[key]
   end, sound and model.region(m, at) or nil, 'x[LongStorage]', #at == 0
end

list[5] = function(take, t, m)
   local dim, odd = dimension(take, m)
   local a, open = numbers(take, m, 2, m.sizes[dim] or 1)
   open = open or odd
   return function()
      return t:narrow(dim, a[1], a[2])
   end, not open and model.narrow(m, dim, a[1], a[2]), 'narrow ' .. text(dim, a[1], a[2]), open
end

list[6] = function(take, t, m)
   local dim, odd = dimension(take, m)
   local k, open = number(take, m.sizes[dim] or 1)
   open = open or odd
   return function()
      return t:select(dim, k)
   end, not open and model.select(m, dim, k), 'select ' .. text(dim, k), open
end

list[7] = function(take, t, m)
   local dim, odd = dimension(take, m)
   local a, open = numbers(take, m, 2, m.sizes[dim] or 1)
   open = open or odd
   return function()
      return t:unfold(dim, a[1], a[2])
   end, not open and model.unfold(m, dim, a[1], a[2]), 'unfold ' .. text(dim, a[1], a[2]), open
end

list[8] = function(take, t, m)
   local sizes, open = numbers(take, m, take.upTo(5))
   return function()
      return t:view(unpack(sizes))
   end, not open and model.view(m, sizes), 'view ' .. text(unpack(sizes)),
      open or #sizes == 0 or #m.sizes == 0
end

list[9] = function(take, t, m)
   local sizes, open = numbers(take, m, take.upTo(8) == 7 and take.upTo(6) or #m.sizes)
   local expected = not open and model.expand(m, sizes) or nil
   return function()
      return t:expand(unpack(sizes))
   end, expected, 'expand ' .. text(unpack(sizes)),
      open or #sizes == 0 or expected and model.count(expected) > 2 ^ 53
end

list[10] = function(take, t, m)
   local a, open = numbers(take, m, 2, #m.sizes)
   return function()
      return t:transpose(a[1], a[2])
   end, not open and model.transpose(m, a[1], a[2]), 'transpose ' .. text(a[1], a[2]), open
end

list[11] = function(take, t, m)
   local dim, open = dimension(take, m)
   local positions, values = arguments.positions(take, m.sizes[dim] or 1, { take.upTo(5) })
   return function()
      return t:index(dim, positions)
   end, not open and model.index(m, dim, values), 'index ' .. text(dim, unpack(values)), open
end

-- Positions for gather and scatter; at times of other sizes than they should have.
local function spread(take, m, dim)
   local sizes = {}
   for d, size in ipairs(m.sizes) do
      sizes[d] = d == dim and take.upTo(4) + 1 or size
      if sizes[d] > 16 then
         return nil
      end
   end
   if take.byte() > 240 then
      sizes[take.upTo(#sizes + 1) + 1] = take.upTo(3) + 1
   end
   local positions, values = arguments.positions(take, m.sizes[dim] or 1, sizes)
   if #sizes == 0 then
      return nil
   end
   return positions, model.fresh(values, sizes)
end

list[12] = function(take, t, m)
   local dim, open = dimension(take, m)
   local positions, p = spread(take, m, dim)
   if not positions or model.count(p) > 1000 then
      return nil
   end
   return function()
      return t:gather(dim, positions)
   end, not open and model.gather(m, dim, p), 'gather ' .. text(dim), open
end

list[13] = function(take, t, m)
   if take.upTo(2) == 0 then
      return function()
         return t:squeeze()
      end, model.squeeze(m), 'squeeze', #m.sizes == 0
   end
   local dim, open = dimension(take, m)
   return function()
      return t:squeeze(dim)
   end, not open and model.squeeze(m, dim), 'squeeze ' .. text(dim), open or #m.sizes == 0
end

list[14] = function(take, t, m)
   local dim, open = number(take, #m.sizes + 1)
   return function()
      return t:unsqueeze(dim)
   end, not open and model.unsqueeze(m, dim), 'unsqueeze ' .. text(dim), open
end

-- Writing: into a tensor of the same geometry over a copy of the storage, all of which is compared.
local function writing(t, m, view, what, open, write)
   if #m.sizes == 0 then
      return nil
   end
   local copy = model.copy(m)
   local expected = not open and view(copy) or nil
   if expected then
      model.fill(expected, VALUE)
   end
   return function()
      local storage = t:storage()
      local own = torch.getconstructortable(torch.typename(storage))(#storage):copy(storage)
      local y = t.new(own, t:storageOffset(), t:size(), t:stride())
      local ok, message = pcall(write, y)
      local whole = model.fresh(ok and copy.store or m.store, { #m.store })
      local values = own:totable()
      for i, value in ipairs(model.values(whole)) do
         if values[i] ~= value and not open then
            error(('%s: element %d of the storage is %s, expected %s'):format(what, i,
               tostring(values[i]), tostring(value)), 0)
         end
      end
      if not ok then
         error(message, 0)
      end
      return y
   end, expected and copy, what, open
end

list[15] = function(take, t, m)
   local key, open = region(take, m)
   return writing(t, m, function(copy)
      return model.region(copy, key)
   end, 'y[{...}] = number', open, function(y)
      y[key] = VALUE
   end)
end

list[16] = function(take, t, m)
   local k, open = number(take, m.sizes[1] or 1)
   if type(k) ~= 'number' then
      return nil
   end
   return writing(t, m, function(copy)
      return model.element(copy, k)
   end, 'y[k] = number', open, function(y)
      y[k] = VALUE
   end)
end

-- Elements one by one, as the mask or the positions say.
local function places(copy, chosen)
   local i = 0
   model.each(copy, function(place)
      i = i + 1
      if chosen[i] == 1 then
         copy.store[place + 1] = VALUE
      end
   end)
   return model.fresh({}, {})
end

list[17] = function(take, t, m)
   local mask, values = arguments.mask(take, model.count(m))
   return writing(t, m, function(copy)
      return model.masked(copy, values) and places(copy, values)
   end, 'y[mask] = number', #values == 0, function(y)
      y[mask] = VALUE
   end)
end

list[18] = function(take, t, m)
   local dim, open = dimension(take, m)
   local positions, values = arguments.positions(take, m.sizes[dim] or 1, { take.upTo(4) })
   return writing(t, m, function(copy)
      if not model.index(copy, dim, values) then
         return nil
      end
      for _, k in ipairs(values) do
         model.fill(model.narrow(copy, dim, k, 1), VALUE)
      end
      return model.fresh({}, {})
   end, 'indexFill ' .. text(dim, unpack(values)), open, function(y)
      y:indexFill(dim, positions, VALUE)
   end)
end

list[19] = function(take, t, m)
   local dim, open = dimension(take, m)
   local positions, p = spread(take, m, dim)
   if not positions or model.count(p) > 1000 then
      return nil
   end
   return writing(t, m, function(copy)
      if not model.gather(copy, dim, p) then
         return nil
      end
      model.each(p, function(place, at)
         local to = copy.offset
         for d, i in ipairs(at) do
            to = to + copy.strides[d] * (d == dim and p.store[place + 1] - 1 or i)
         end
         copy.store[to + 1] = VALUE
      end)
      return model.fresh({}, {})
   end, 'scatter ' .. text(dim), open, function(y)
      y:scatter(dim, positions, VALUE)
   end)
end

local function nothing()
   return nil
end

--- An operation on tensor t, whose model is m.
-- @return call, expected model (nil: an error), description, whether either is right
function M.choose(take, t, m)
   local call, expected, what, open = list[take.upTo(#list) + 1](take, t, m)
   if not call or m.store == nil then
      return nothing, nil, 'nothing', true
   end
   return call, expected or nil, what, open
end

return M
