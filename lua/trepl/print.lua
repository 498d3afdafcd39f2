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
-- Tensors in tables are shown as type and sizes: 1 : DoubleTensor - size: 2x4x5.
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

-- A tensor or storage, whose text has lines of its own; false without the package torch.
local function is_array(x)
   local class = package.loaded['torch.class']
   return class and (class.isTensor(x) or class.isStorage(x))
end

-- An array among other things: what it is, not what it holds.
local function summary(x)
   local sizes = type(#x) == 'number' and { #x } or x:size():totable()
   local size = (sizes[1] or 0) > 0 and 'size: ' .. table.concat(sizes, 'x') or 'empty'
   return ('%s - %s'):format(x:type():gsub('^torch%.', ''), size)
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
      if is_array(value) then
         plain(label .. ' ' .. summary(value))
      elseif not is_plain_table(value) then
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

--- Print the values: each table and each tensor by itself, runs of anything else on a line, as Lua
-- does.
function M.print(...)
   local count, first = select('#', ...), 1
   for i = 1, count do
      local value = select(i, ...)
      local alone = is_plain_table(value)
      if alone or is_array(value) then
         if i > first then
            plain(unpack({ ... }, first, i - 1))
         end
         if alone then
            show_table(value, 0)
         else
            plain(value)
         end
         first = i + 1
      end
   end
   if first <= count or count == 0 then
      plain(unpack({ ... }, first, count))
   end
end

return M
