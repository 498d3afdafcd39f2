--- Tables of options: read against a declaration, so that a name that is not there is an error
-- which says what is near, and a value of another kind one that says what is wanted.
-- @module torch.dataset.options
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local near = require 'torch.near'

local type = type -- torch puts its own in the global's place

local M = {}

local function callable(x)
   if type(x) == 'function' then
      return true
   end
   local meta = debug.getmetatable(x)
   return type(meta) == 'table' and meta.__call ~= nil
end
M.callable = callable

local function number(x)
   return type(x) == 'number' and x == x
end

local function whole(x)
   return number(x) and x == math.floor(x)
end

-- kind -> what it is in words, and the test
local kinds = {
   number = { 'a number', number },
   count = { 'a whole number from 1 on', function(x) return whole(x) and x >= 1 end },
   natural = { 'a whole number from 0 on', function(x) return whole(x) and x >= 0 end },
   share = { 'a number from 0 to 1', function(x) return number(x) and x >= 0 and x <= 1 end },
   positive = { 'a number above 0', function(x) return number(x) and x > 0 end },
   boolean = { 'true or false', function(x) return type(x) == 'boolean' end },
   text = { 'a string', function(x) return type(x) == 'string' end },
   call = { 'a function', callable },
   list = { 'a table', function(x) return type(x) == 'table' end },
   tensor = { 'a tensor', function(x) return th.isTensor(x) end },
   dataset = { 'an object with the methods size and get', function(x)
      return type(x) == 'table' and callable(x.size) and callable(x.get)
   end },
   any = { 'a value', function() return true end },
}

--- What a value is, in a few words for messages: "nil", "2x3 FloatTensor", "'train'".
function M.describe(x)
   if th.isTensor(x) then
      local size = x:dim() == 0 and 'empty' or table.concat(x:size():totable(), 'x')
      return size .. ' ' .. class.type(x):gsub('^torch%.', '')
   elseif type(x) == 'string' then
      return ("'%s'"):format(#x > 40 and x:sub(1, 37) .. '...' or x)
   elseif type(x) == 'number' or type(x) == 'boolean' or x == nil then
      return tostring(x)
   end
   return 'a ' .. class.type(x)
end

local function sorted(declared)
   local names = {}
   for name in pairs(declared) do
      names[#names + 1] = name
   end
   table.sort(names)
   return table.concat(names, ', ')
end

--- Read a table of options.
-- @string operation for messages
-- @param given what the user gave: a table, or nil for none
-- @tparam table declared name -> { kind, default }, or { kind, required = true }; the kinds are
-- number, count (from 1), natural (from 0), share (0..1), positive, boolean, text, call (a function
-- or an object that can be called), list, tensor, dataset, any
-- @return table of the values and defaults
-- @raise "dataset.Loader: there is no option 'batchsize'; near: batchSize"
function M.read(operation, given, declared)
   if given == nil then
      given = {}
   elseif type(given) ~= 'table' or th.isTensor(given) then
      errors.raise(('%s: wanted a table of options, got %s'):format(operation, M.describe(given)))
   end
   local values = {}
   for name, value in pairs(given) do
      local row = declared[name]
      if not row then
         errors.raise(("%s: there is no option '%s'%s; the options are %s"):format(operation,
            tostring(name), near.hint(name, declared), sorted(declared)))
      end
      values[name] = M.check(operation, name, value, row[1])
   end
   for name, row in pairs(declared) do
      if values[name] == nil then
         if row.required then
            errors.raise(("%s: the option '%s' is missing: %s"):format(operation, name,
               kinds[row[1]][1]))
         end
         values[name] = row[2]
      end
   end
   return values
end

--- The value, if it is of a kind.
-- @raise "dataset.Loader: batchSize must be a whole number from 1 on, got 0"
function M.check(operation, name, value, kind)
   if type(value) == 'string' and kind ~= 'text' and kind ~= 'any' then
      value = tonumber(value) or value
   end
   if not kinds[kind][2](value) then
      errors.raise(('%s: %s must be %s, got %s'):format(operation, name, kinds[kind][1],
         M.describe(value)))
   end
   return value
end

return M
