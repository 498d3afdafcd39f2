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
--
-- At the prompt what is large is summed up: of a tensor the first and last elements
-- (torch.summary), of a table the first entries; print(tostring(x)) shows all of a tensor. On a
-- terminal values have colours.

local sorted_keys = require 'xlua.sorted_keys'

local plain = print

local M = {}

local levels = 3
local ENTRIES = 60 -- of a table that the prompt shows
local sums_up, colours = false, false

--- How deep tables are shown within tables; 0 shows the outermost alone.
-- @int level 0, 1, 2, ...
function M.setprintlevel(level)
   if type(level) ~= 'number' or level < 0 or level % 1 ~= 0 then
      error('setprintlevel: expected a whole number from 0 on, got ' .. tostring(level), 2)
   end
   levels = level
end

--- Print as the prompt does from now on.
-- @param with_colours boolean
function M.at_prompt(with_colours)
   sums_up, colours = true, with_colours
end

--- No colours from now on.
function M.noColors()
   colours = false
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

--- An array among other things: what it is, not what it holds.
-- @param x tensor or storage
-- @return string such as 'DoubleTensor - size: 2x3'
function M.sizestr(x)
   local sizes = type(#x) == 'number' and { #x } or x:size():totable()
   local size = (sizes[1] or 0) > 0 and 'size: ' .. table.concat(sizes, 'x') or 'empty'
   return ('%s - %s'):format(x:type():gsub('^torch%.', ''), size)
end

local of_kind = { number = 'cyan', boolean = 'blue', string = 'green', ['nil'] = 'Black',
   ['function'] = 'magenta', cdata = 'yellow' }

--- A value as text, in the colour of its kind where colours are on.
function M.colorize(value)
   local text = tostring(value)
   local colour = colours and of_kind[type(value)]
   return colour and require('trepl.colorize')[colour](text) or text
end

local show_table

--- Print a field and its value.
-- @param key of a table
-- @param value what it holds
-- @int[opt=0] depth how deep the table lies within others
function M.printvar(key, value, depth)
   depth = depth or 0
   local label = ('%s  %s :'):format((' '):rep(4 * depth), tostring(key))
   if is_array(value) then
      local text = M.sizestr(value)
      plain(label .. ' ' .. (colours and require('trepl.colorize').yellow(text) or text))
   elseif not is_plain_table(value) then
      plain(label .. ' ' .. M.colorize(value))
   elseif next(value) == nil then
      plain(label .. ' {}')
   elseif depth >= levels then
      plain(label .. ' {...}')
   else
      plain(label)
      show_table(value, depth + 1)
   end
end

function show_table(t, depth)
   local indent = (' '):rep(4 * depth)
   if next(t) == nil then
      plain(indent .. '{}')
      return
   end
   plain(indent .. '{')
   local keys = sorted_keys(t)
   local count = sums_up and #keys > ENTRIES and ENTRIES or #keys
   for i = 1, count do
      M.printvar(keys[i], rawget(t, keys[i]), depth)
   end
   if count < #keys then
      plain(('%s  ... and %d more entries'):format(indent, #keys - count))
   end
   plain(indent .. '}')
end

local function show_array(x)
   local summary = sums_up and require 'torch.tensor.summary'
   if summary and summary.isLarge(x) then
      plain(summary.text(x))
      plain()
   else
      plain(x)
   end
end

local function show_values(count, ...)
   local texts = { ... }
   for i = 1, count do
      local value = texts[i]
      -- A text alone is what it is; only values of other kinds have colours.
      texts[i] = type(value) == 'string' and value or M.colorize(value)
   end
   plain(unpack(texts, 1, count))
end

--- Print the values: each table and each tensor by itself, runs of anything else on a line, as Lua
-- does.
function M.print(...)
   local count, first = select('#', ...), 1
   local line = colours and show_values or function(_, ...)
      plain(...)
   end
   for i = 1, count do
      local value = select(i, ...)
      local alone = is_plain_table(value)
      if alone or is_array(value) then
         if i > first then
            line(i - first, unpack({ ... }, first, i - 1))
         end
         if alone then
            show_table(value, 0)
         else
            show_array(value)
         end
         first = i + 1
      end
   end
   if first <= count or count == 0 then
      line(count - first + 1, unpack({ ... }, first, count))
   end
end

--- Lua's own print.
M.plain = plain

return M
