--- Options of this package's functions: declared names with what each may be.
-- @module distributed.options

local torch = require 'torch'
local near = require 'torch.near'
local raise = require('torch.errors').raise

local M = {}

local kinds = {
   flag = { function(v) return type(v) == 'boolean' end, 'true or false' },
   positive = { function(v) return type(v) == 'number' and v > 0 end, 'a positive number' },
   count = { function(v) return type(v) == 'number' and v >= 1 and v % 1 == 0 end,
      'a whole number of at least 1' },
   table = { function(v) return type(v) == 'table' end, 'a table' },
   any = { function() return true end, 'a value' },
}

--- What came, for messages.
function M.came(value)
   local kind = torch.type(value)
   if kind == 'number' or kind == 'boolean' then
      return tostring(value)
   elseif kind == 'string' then
      return ("'%s'"):format(value)
   end
   return value == nil and 'nothing' or 'a ' .. kind
end

--- Check a table of options.
-- @string title what they are of, for messages
-- @param given table or nil
-- @tab known name -> kind (flag, positive, count, table, any), or a list of values
-- @return given, or an empty table
-- @raise "distributed.allReduce: there is no option asinc; near: async"
function M.check(title, given, known)
   if given == nil then
      return {}
   elseif type(given) ~= 'table' or torch.typename(given) then
      raise(('%s: expected a table of options, got %s'):format(title, M.came(given)))
   end
   for name, value in pairs(given) do
      local kind = known[name]
      if not kind then
         raise(('%s: there is no option %s%s'):format(title, tostring(name),
            near.hint(tostring(name), known)))
      elseif type(kind) == 'table' then
         M.among(title, name, value, kind)
      elseif not kinds[kind][1](value) then
         raise(('%s: %s is %s, expected %s'):format(title, name, M.came(value), kinds[kind][2]))
      end
   end
   return given
end

--- Raise unless a value is one of a list.
function M.among(title, name, value, list)
   local shown = {}
   for i, one in ipairs(list) do
      if value == one then
         return value
      end
      shown[i] = M.came(one)
   end
   raise(('%s: %s is %s, expected %s'):format(title, name, M.came(value),
      table.concat(shown, ', ', 1, #shown - 1) .. ' or ' .. shown[#shown]))
end

--- Raise with a text that is put together.
function M.fail(text, ...)
   raise(text:format(...))
end

return M
