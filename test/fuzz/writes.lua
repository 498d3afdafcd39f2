--- Operations of the fuzz target of index expressions that write, and those that make tensors.
-- Form as in test.fuzz.operations.
local torch = require 'torch'
local arguments = require 'test.fuzz.arguments'
local model = require 'test.fuzz.model'

local VALUE = 99 -- what assignments write

local number, dimension, text = arguments.number, arguments.dimension, arguments.text
local region, spread = arguments.region, arguments.spread

local list = {}

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

list[#list + 1] = function(take, t, m)
   local key, open = region(take, m)
   return writing(t, m, function(copy)
      return model.region(copy, key)
   end, 'y[{...}] = number', open, function(y)
      y[key] = VALUE
   end)
end

list[#list + 1] = function(take, t, m)
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

list[#list + 1] = function(take, t, m)
   local mask, values = arguments.mask(take, model.count(m))
   return writing(t, m, function(copy)
      return model.masked(copy, values) and places(copy, values)
   end, 'y[mask] = number', #values == 0, function(y)
      y[mask] = VALUE
   end)
end

list[#list + 1] = function(take, t, m)
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

list[#list + 1] = function(take, t, m)
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

-- Elements that a geometry asks of its storage. Sizes end at the first that is not positive;
-- strides that are negative are those of row-major order.
local function reach(m)
   local step, last = 1, m.offset
   for d = 1, #m.sizes do
      if m.sizes[d] <= 0 then
         for e = #m.sizes, d, -1 do
            m.sizes[e], m.strides[e] = nil, nil
         end
         break
      end
   end
   for d = #m.sizes, 1, -1 do
      m.strides[d] = m.strides[d] < 0 and step or m.strides[d]
      step = m.sizes[d] * m.strides[d]
      last = last + (m.sizes[d] - 1) * m.strides[d]
   end
   return #m.sizes > 0 and last + 1 or 0
end

-- As many numbers as there are sizes; all of them are numbers.
local function geometry(take)
   local sizes, strides, open = {}, {}, false
   for d = 1, take.upTo(4) do
      for _, into in ipairs { sizes, strides } do
         local x, odd = number(take, 4)
         into[d] = type(x) == 'number' and x or 1
         open = open or odd
      end
   end
   return sizes, strides, open
end

local MODERATE, ABSURD = 2 ^ 16, 2 ^ 45 -- what lies between is granted, and tests nothing

list[#list + 1] = function(take, t, m)
   local storage = t:storage()
   local offset, odd = number(take, 4)
   local sizes, strides, open = geometry(take)
   if not storage or type(offset) ~= 'number' or open or odd then
      return nil
   end
   local wanted = model.new(m.store, offset - 1, { unpack(sizes) }, { unpack(strides) })
   local needed = offset < 1 and math.huge or reach(wanted)
   if needed > MODERATE and needed < ABSURD or model.count(wanted) > 2 ^ 50 then
      return nil
   end
   local own = torch.getconstructortable(torch.typename(storage))(#storage):copy(storage)
   return function()
      return t.new(own, offset, torch.LongStorage(sizes), torch.LongStorage(strides))
   end, needed < ABSURD and wanted or nil, 'new(storage, ' .. text(offset) .. ', ...)',
      needed <= MODERATE and needed > #m.store
end

list[#list + 1] = function(take, t)
   local sizes, strides, open = geometry(take)
   local wanted = model.new({}, 0, { unpack(sizes) }, { unpack(strides) })
   local needed = reach(wanted)
   if open or needed > MODERATE and needed < ABSURD or model.count(wanted) > 2 ^ 50 then
      return nil
   end
   return function()
      return t:clone():resize(torch.LongStorage(sizes), torch.LongStorage(strides))
   end, nil, 'resize', true
end

return list
