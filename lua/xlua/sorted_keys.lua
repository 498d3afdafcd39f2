-- The keys of a table in a fixed order: numbers, then the others by their text.

local function before(a, b)
   local number_a, number_b = type(a) == 'number', type(b) == 'number'
   if number_a ~= number_b then
      return number_a
   elseif number_a then
      return a < b
   end
   return tostring(a) < tostring(b)
end

return function(t)
   local keys = {}
   for key in next, t do
      keys[#keys + 1] = key
   end
   table.sort(keys, before)
   return keys
end
