--- Functions with named arguments, and their usage texts.
--
--     function blur(...)
--        local _, image, size = xlua.unpack({...}, 'blur', 'blur an image',
--           { arg = 'image', type = 'torch.Tensor', help = 'to be blurred', req = true },
--           { arg = 'size', type = 'number', help = 'of the kernel', default = 3 })
--     end
--     blur(x, 5)  blur { image = x, size = 5 }  -- the same
--
-- An argument is described by a table: arg (its name), type and help (texts for the usage),
-- default (a value), defaulta (the name of an argument whose value is the default), defaultf (a
-- function that makes it), req (whether it must be given).
-- @module xlua.arguments
local class = require 'torch.class'
local errors = require 'torch.errors'
local printing = require 'xlua.print'

local M = {}

local function describeDefault(argument)
   if argument.default ~= nil then
      return ('  [default = %s]'):format(printing.table2string(argument.default))
   elseif argument.defaulta then
      return ('  [default = %s]'):format(argument.defaulta)
   elseif argument.req then
      return '  [required]'
   end
   return ''
end

--- The usage of a function as text: its description, arguments and example.
-- @param name string
-- @param description string, optional
-- @param example string, optional
-- @param ... descriptions of arguments; a further string is an example too
function M.usage(name, description, example, ...)
   local arguments, examples = {}, {}
   for _, item in ipairs { example or false, ... } do
      if type(item) == 'table' then
         arguments[#arguments + 1] = item
      elseif item then
         examples[#examples + 1] = tostring(item)
      end
   end
   local lines = { name .. (description and '  -- ' .. description or ''), '', 'usage:',
      '  ' .. name .. '(' }
   local nameWidth, typeWidth = 0, 0
   for _, argument in ipairs(arguments) do
      nameWidth = math.max(nameWidth, #(argument.arg or ''))
      typeWidth = math.max(typeWidth, #tostring(argument.type or ''))
   end
   for _, argument in ipairs(arguments) do
      -- Without a name an argument can only be given in its place.
      local shownName, shownType = argument.arg or '', tostring(argument.type or '')
      local between = nameWidth == 0 and '' or argument.arg and ' = ' or '   '
      lines[#lines + 1] = ('    %s%s%s%s%s  -- %s%s'):format(
         shownName, (' '):rep(nameWidth - #shownName), between,
         shownType, (' '):rep(typeWidth - #shownType),
         argument.help or '', describeDefault(argument))
   end
   lines[#lines + 1] = '  )'
   for _, text in ipairs(examples) do
      lines[#lines + 1] = ''
      lines[#lines + 1] = 'example:'
      lines[#lines + 1] = '  ' .. text:gsub('\n', '\n  ')
   end
   return table.concat(lines, '\n') .. '\n'
end

-- Whether a call was f{ name = value, ... }: one plain table that is no list, and names arguments
-- or nothing.
local function isNamed(arguments, n, descriptions)
   local only = arguments[1]
   if n ~= 1 or type(only) ~= 'table' or class.typename(only) or #only > 0 then
      return false
   elseif next(only) == nil then
      return true
   end
   for _, description in ipairs(descriptions) do
      if only[description.arg] ~= nil then
         return true
      end
   end
   return false
end

local function defaultOf(description, values)
   if description.default ~= nil then
      return description.default
   elseif description.defaulta then
      return values[description.defaulta]
   elseif description.defaultf then
      return description.defaultf()
   end
   return nil
end

-- Values by name, and the same in the order of the descriptions (n of them).
local function resolve(arguments, name, description, ...)
   local descriptions = { ... }
   local n = table.maxn(arguments)
   local values, ordered = {}, {}
   local named = isNamed(arguments, n, descriptions)
   for i, argument in ipairs(descriptions) do
      local value = arguments[i]
      if named then
         value = arguments[1][argument.arg]
      end
      if value == nil then
         value = defaultOf(argument, values)
      end
      if value == nil and argument.req then
         errors.raise(('%s: missing argument %s\n\n%s'):format(
            name, argument.arg, M.usage(name, description, nil, ...)))
      end
      values[argument.arg] = value
      ordered[i] = value
   end
   if n > #descriptions then
      errors.raise(('%s: %d arguments given, at most %d taken\n\n%s'):format(
         name, n, #descriptions, M.usage(name, description, nil, ...)))
   end
   return values, ordered, #descriptions
end

--- The arguments of a call, given in order or by name, with defaults for those left out.
-- @param arguments table: the caller's `{...}`
-- @param name string: of the caller, for the usage
-- @param description string
-- @param ... descriptions of the arguments
-- @return a table of values by name, then the values in the order described
-- @raise with the usage, when a required argument is missing or there are too many
function M.unpack(arguments, name, description, ...)
   local values, ordered, n = resolve(arguments, name, description, ...)
   return values, unpack(ordered, 1, n)
end

--- Like unpack; the values also become fields of an object.
function M.unpack_class(object, arguments, name, description, ...)
   local values, ordered, n = resolve(arguments, name, description, ...)
   for key, value in pairs(values) do
      object[key] = value
   end
   return values, unpack(ordered, 1, n)
end

--- The names of a module's functions, and of its other fields, as text.
-- @param module table
-- @param name string
-- @param description string, optional
function M.usage_module(module, name, description)
   local functions, others = {}, {}
   for key, value in pairs(module) do
      local list = type(value) == 'function' and functions or others
      list[#list + 1] = ('  %s.%s'):format(name, tostring(key))
   end
   table.sort(functions)
   table.sort(others)
   local lines = { name .. (description and '  -- ' .. description or '') }
   for _, group in ipairs { { 'functions:', functions }, { 'values:', others } } do
      if #group[2] > 0 then
         lines[#lines + 1] = ''
         lines[#lines + 1] = group[1]
         for _, line in ipairs(group[2]) do
            lines[#lines + 1] = line
         end
      end
   end
   return table.concat(lines, '\n') .. '\n'
end

return M
