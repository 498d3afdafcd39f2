--- The operations of the fuzz target of index expressions: a call and what the model expects.
local torch = require 'torch'
local arguments = require 'test.fuzz.arguments'
local model = require 'test.fuzz.model'
local writes = require 'test.fuzz.writes'

local M = {}

local number, numbers, dimension = arguments.number, arguments.numbers, arguments.dimension
local region, spread, text = arguments.region, arguments.spread, arguments.text

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

local function nothing()
   return nil
end

for _, operation in ipairs(writes) do
   list[#list + 1] = operation
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
