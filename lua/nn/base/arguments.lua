--- The arguments of a constructor, declared once: their checks, defaults, fields and documentation.
--
-- A declaration has a line for each argument, in order:
--
--     inputSize        size            features in
--     dW               size = 1        step to the right
--     padH             number = padW   rows of zeros above and below
--     value -> val     number = 0      kept in the field `val`
--     (bias)           boolean = true  given to `__initialize` only
--     weights          tensor?         may be left out
--     size             sizes           the rest: numbers, or one LongStorage
--     pairs            tables          the rest: tables, kept in one
--     -- text that goes on
--     ...                              first line only: the parent's arguments come first
--
-- Types are those of `kinds` below; of a `size` or an `integer` the fraction is cut off, as by
-- Torch7's C functions. A default is a constant (a string without quotes) or the name
-- of an earlier argument.
-- @module nn.base.arguments

local torch = require 'torch'
local check = require 'nn.check'
local cut = require('torch.arguments').cut

local M = {}

local function is_number(value)
   return type(value) == 'number'
end

-- Type -> what errors call it, whether a value is of it.
local kinds = {
   size = { 'a number from 1 on', function(value)
      return is_number(value) and value >= 1
   end },
   number = { 'a number', is_number },
   integer = { 'a number', is_number },
   boolean = { 'true or false', function(value)
      return type(value) == 'boolean'
   end },
   string = { 'a string', function(value)
      return type(value) == 'string'
   end },
   table = { 'a table', function(value)
      return type(value) == 'table'
   end },
   tensor = { 'a tensor', torch.isTensor },
   vector = { 'a 1-D tensor', function(value)
      return torch.isTensor(value) and value:dim() == 1
   end },
   module = { 'a module such as nn.Tanh()', function(value)
      return torch.isTypeOf(value, 'nn.Module')
   end },
   criterion = { 'a criterion such as nn.MSECriterion()', function(value)
      return torch.isTypeOf(value, 'nn.Criterion')
   end },
   any = { 'anything', function()
      return true
   end },
}
local numeric = { size = true, number = true, integer = true }
local integral = { size = true, integer = true }

local constants = { ['true'] = true, ['false'] = false }

-- --- reading a declaration ----------------------------------------------------------------------

local function parse_line(line)
   local left, rest = line:match '^%s*(%(?[%w_]+%)?)%s+(.*)$'
   local name = assert(left, 'nn: not an argument: ' .. line):match '[%w_]+'
   local field, after = rest:match '^%->%s*([%w_]+)%s+(.*)$'
   rest = after or rest
   local kind, optional, tail = rest:match '^(%a+)(%??)%s*(.*)$'
   assert(kind == 'sizes' or kind == 'tables' or kinds[kind],
      'nn: not the type of an argument: ' .. line)
   local default, text = tail:match '^=%s*(%S+)%s*(.*)$'
   local argument = {
      name = name, kind = kind, text = text or tail, default = default,
      field = left == name and (field or name) or nil,
      optional = optional == '?' or default ~= nil,
   }
   if default then
      argument.value = tonumber(default) or constants[default]
      if kind == 'string' then
         argument.value = default
      end
      argument.from = argument.value == nil and default or nil
   end
   return argument
end

local function usage(name, list)
   local parts, bracket = {}, false
   for i, argument in ipairs(list) do
      local comma = i > 1 and ', ' or ''
      local shown = argument.kind == 'sizes' and 'size1, size2, ...'
         or argument.kind == 'tables' and ('{%s}, ...'):format(argument.name) or argument.name
      if argument.optional and not bracket then
         comma, bracket = i > 1 and '[, ' or '[', true
      end
      parts[i] = comma .. shown
   end
   return ('%s(%s%s)'):format(name, table.concat(parts), bracket and ']' or '')
end

--- Read a declaration.
-- @string name the class
-- @string[opt='...'] text lines as above
-- @tparam[opt] table parent the parent's arguments
-- @return list of { name, kind, text, field, optional, default }, with `class`
function M.parse(name, text, parent)
   local list = {}
   for line in (text or '...'):gmatch '[^\n]+' do
      if line:match '^%s*%.%.%.%s*$' then
         for i, argument in ipairs(parent or {}) do
            list[i] = argument
         end
      elseif line:match '^%s*%-%- ' then
         local last = list[#list]
         last.text = last.text .. line:gsub('^%s*%-%-', '')
      elseif line:match '%S' then
         list[#list + 1] = parse_line(line)
      end
   end
   list.class = name
   return list
end

-- --- reading values -----------------------------------------------------------------------------

local function wrong(object, list, name, value, wanted)
   check.fail(object, '%s is %s, expected %s: %s', name, check.given(value), wanted,
      usage(list.class, list))
end

-- Numbers up to the first value that is none, or one storage, which the caller may go on using: a
-- LongStorage, and how many values it took.
local function read_sizes(object, list, values, first, last)
   if torch.isStorage(values[first]) then
      return torch.LongStorage(#values[first]):copy(values[first]), 1
   end
   local sizes = {}
   for i = first, last do
      if type(values[i]) == 'boolean' then -- an option behind them
         break
      end
      sizes[#sizes + 1] = tonumber(values[i])
         or wrong(object, list, 'size ' .. #sizes + 1, values[i], 'a number')
   end
   if #sizes == 0 then
      wrong(object, list, 'size 1', nil, 'a number')
   end
   return torch.LongStorage(sizes), #sizes
end

local function read_tables(object, list, argument, values, first, last)
   local tables = { unpack(values, first, last) }
   for i = 1, math.max(#tables, 1) do
      if type(tables[i]) ~= 'table' then
         wrong(object, list, ('%s %d'):format(argument.name, i), tables[i], 'a table')
      end
   end
   return tables, #tables
end

local function read(object, list, argument, value, earlier)
   if value == nil then
      if argument.from then
         return earlier[argument.from]
      elseif argument.optional then
         return argument.value
      end
   elseif numeric[argument.kind] then
      value = tonumber(value) or value -- numbers of text files are strings
      if integral[argument.kind] and is_number(value) then
         value = cut(value)
      end
   end
   local kind = kinds[argument.kind]
   if not kind[2](value) then
      wrong(object, list, argument.name, value, kind[1])
   end
   return value
end

--- Check what a constructor was given, and keep it in the object's fields.
-- @param object the instance
-- @tparam table list what `parse` gave
-- @param ... the values
-- @return the values, defaults filled in
function M.take(object, list, ...)
   local count, given = select('#', ...), { ... }
   local values, by_name, at = {}, {}, 1
   for i, argument in ipairs(list) do
      if argument.kind == 'sizes' then
         local taken
         values[i], taken = read_sizes(object, list, given, at, count)
         at = at + taken
      elseif argument.kind == 'tables' then
         local taken
         values[i], taken = read_tables(object, list, argument, given, at, count)
         at = at + taken
      else
         values[i] = read(object, list, argument, given[at], by_name)
         at = at + 1
      end
      by_name[argument.name] = values[i]
   end
   for i, argument in ipairs(list) do
      if argument.field then
         object[argument.field] = values[i]
      end
   end
   return unpack(values, 1, #list)
end

--- The default of an argument for an object, as far as its fields tell; nil without one.
function M.default(list, field, object)
   for _, argument in ipairs(list) do
      if argument.field == field then
         if argument.from then
            return object[argument.from]
         end
         return argument.value
      end
   end
end

--- Give an object read from an old file the fields that it lacks and that have defaults.
function M.complete(list, object)
   for _, argument in ipairs(list) do
      if argument.field and object[argument.field] == nil and argument.default then
         object[argument.field] = M.default(list, argument.field, object)
      end
   end
end

return M
