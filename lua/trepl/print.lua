--- `print` as Torch7's th has it: tables are shown with what they hold.
--
--     {
--       1 : 10
--       name : x
--       inner :
--         {
--           k : true
--         }
--     }
--
-- Keys are sorted, numbers first. Tables inside are shown down to a level (`setprintlevel`), then
-- as {...}; tables with a `__tostring` of their own by that.

local sorted_keys = require 'xlua.sorted_keys'

local plain = print

local M = {}

local levels = 3

--- How deep tables are shown within tables; 0 shows the outermost alone.
-- @int level
function M.setprintlevel(level)
   if type(level) ~= 'number' or level < 0 or level % 1 ~= 0 then
      error('setprintlevel: expected a whole number from 0 on, got ' .. tostring(level), 2)
   end
   levels = level
end

local function is_plain_table(x)
   if type(x) ~= 'table' then
      return false
   end
   local meta = getmetatable(x)
   return not (type(meta) == 'table' and rawget(meta, '__tostring'))
end

local function show_table(t, depth)
   local indent = (' '):rep(4 * depth)
   if next(t) == nil then
      plain(indent .. '{}')
      return
   end
   plain(indent .. '{')
   for _, key in ipairs(sorted_keys(t)) do
      local value = rawget(t, key)
      local label = ('%s  %s :'):format(indent, tostring(key))
      if not is_plain_table(value) then
         plain(label .. ' ' .. tostring(value))
      elseif next(value) == nil then
         plain(label .. ' {}')
      elseif depth >= levels then
         plain(label .. ' {...}')
      else
         plain(label)
         show_table(value, depth + 1)
      end
   end
   plain(indent .. '}')
end

--- Print the values: runs of anything but plain tables on a line, as Lua does, each table below.
function M.print(...)
   local count, first = select('#', ...), 1
   for i = 1, count do
      local value = select(i, ...)
      if is_plain_table(value) then
         if i > first then
            plain(unpack({ ... }, first, i - 1))
         end
         show_table(value, 0)
         first = i + 1
      end
   end
   if first <= count or count == 0 then
      plain(unpack({ ... }, first, count))
   end
end

return M
