--- Whole numbers in files, the lowest byte first.
-- @module torch.io.little_endian

--- @number n whole, from 0 to below 2^53
-- @int count bytes that it takes
-- @treturn string
return function(n, count)
   local bytes = {}
   for i = 1, count do
      bytes[i] = string.char(n % 256)
      n = math.floor(n / 256)
   end
   return table.concat(bytes)
end
