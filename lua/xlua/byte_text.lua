-- A number of bytes as text: 1536 -> '1.5 KiB'.

local UNITS = { 'B', 'KiB', 'MiB', 'GiB', 'TiB' }

-- @number bytes
-- @int[opt=1] digits behind the point, of all but single bytes
return function(bytes, digits)
   local value, unit = math.abs(bytes), 1
   while value >= 1024 and unit < #UNITS do
      value, unit = value / 1024, unit + 1
   end
   return ('%s%.' .. (unit == 1 and 0 or digits or 1) .. 'f %s'):format(bytes < 0 and '-' or '',
      value, UNITS[unit])
end
