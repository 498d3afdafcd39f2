--- Options of this package's objects: declared names with what each may be.
-- @module torch.train.options

local torch = require 'torch'
local near = require 'torch.near'
local raise = require('torch.errors').raise

local M = {}

local function came(value)
   local kind = torch.type(value)
   if kind == 'number' or kind == 'boolean' then
      return tostring(value)
   elseif kind == 'string' then
      return ("'%s'"):format(value)
   end
   return value == nil and 'nil' or 'a ' .. kind
end
M.came = came

--- Whether a value can be called.
function M.callable(value)
   if type(value) == 'function' then
      return true
   end
   local meta = type(value) == 'table' and getmetatable(value)
   if type(meta) ~= 'table' then
      return false
   elseif torch.typename(value) then
      return type(value.__call__) == 'function'
   end
   return meta.__call ~= nil
end

-- What an option may be: a function that tells whether a value is right, and its name in messages.
local kinds = {
   any = { function() return true end, 'a value' },
   flag = { function(v) return type(v) == 'boolean' end, 'true or false' },
   text = { function(v) return type(v) == 'string' end, 'a string' },
   table = { function(v) return type(v) == 'table' end, 'a table' },
   number = { function(v) return type(v) == 'number' and v == v end, 'a number' },
   positive = { function(v) return type(v) == 'number' and v > 0 end, 'a positive number' },
   share = { function(v) return type(v) == 'number' and v >= 0 and v <= 1 end,
      'a number from 0 to 1' },
   count = { function(v) return type(v) == 'number' and v >= 1 and v % 1 == 0 end,
      'a whole number of at least 1' },
   callable = { M.callable, 'a function' },
}

--- Check a table of options: no name but the declared ones, and values as declared.
-- @string title what the options are of, for messages
-- @tab given the options
-- @tab known name -> a kind (any, flag, text, table, number, positive, share, count, callable), or
-- a list of the values that it may have
-- @return given
-- @raise "train.Trainer: there is no option optimizr; near: optimizer"
function M.check(title, given, known)
   if type(given) ~= 'table' or torch.typename(given) then
      raise(('%s: expected a table of options, got %s'):format(title, came(given)))
   end
   for name, value in pairs(given) do
      local kind = known[name]
      if not kind then
         raise(('%s: there is no option %s%s'):format(title, tostring(name),
            near.hint(name, known)))
      elseif type(kind) == 'table' then
         M.among(title, name, value, kind)
      elseif not kinds[kind][1](value) then
         raise(('%s: %s is %s, expected %s'):format(title, name, came(value), kinds[kind][2]))
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
      shown[i] = came(one)
   end
   raise(('%s: %s is %s, expected %s'):format(title, name, came(value),
      table.concat(shown, ', ', 1, #shown - 1) .. ' or ' .. shown[#shown]))
end

--- Raise with a text that is put together.
function M.fail(text, ...)
   raise(text:format(...))
end

return M
