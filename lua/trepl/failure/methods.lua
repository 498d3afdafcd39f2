--- Methods that are called in the wrong way: with a point for a colon, on a class for an object.
-- @module trepl.failure.methods
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local errors = require 'torch.errors'
local options = require 'torch.options'
local expression = require 'trepl.expression'
local members = require 'trepl.members'
local source = require 'trepl.failure.source'

local M = {}

-- Of whatever a function that has returned since, by `return x.size(1)`, called x.
local function in_library(message, attempt)
   local file = message:match('^([^\n]-):%d+: attempt to ' .. attempt)
   return file ~= nil and errors.isLibrary('@' .. file)
end

-- What a library says where its first argument is not there, or is the second.
local ATTEMPTS = { 'index local', "call method '[%w_]+' %(a nil value%)",
   'concatenate a nil value' }
local REFUSED = { 'invalid arguments', 'expected a tensor, got', 'got nil', 'got none' }

local function misses_first(message, method)
   for _, attempt in ipairs(ATTEMPTS) do
      if in_library(message, attempt) then
         return true
      end
   end
   local said = message:gsub('^[^\n]-:%d+: ', '', 1)
   local by, what = said:match '^([%w_.]+): ([^\n]*)'
   if not by or by:match '[%w_]+$' ~= method and not what:find '^got nil, expected a module' then
      return false
   end
   for _, words in ipairs(REFUSED) do
      if what:find(words, 1, true) then
         return true
      end
   end
   return false
end

-- parent.updateOutput(self, x), nn.Container.add(net, layer), x.copy(x, y), x.new(3), and a
-- function that an object has for itself: right as they are.
local function wants_point(method, owner, value, arguments, lookup)
   local first = arguments:match '^%s*([%a_][%w_.]*)%s*[,)]'
   if method == 'new' or first == 'self' or first == owner
      or type(value) == 'table' and not registry.names[value] and rawget(value, method) ~= nil then
      return true
   end
   local object = first and registry.names[value] and expression.value(first, lookup)
   return class.typename(object) ~= nil and members.get(object, method) ~= nil
end

local function is_usual(method)
   for _, name in ipairs(expression.usual_names()) do
      if name == method then
         return true
      end
   end
   return false
end

-- x.size(1) where x:size(1) is meant.
local function point_for_colon(message, line, lookup)
   for before, method, behind in (line or ''):gmatch '()%.([%a_][%w_]*)%s*%(()' do
      local owner = expression.chain(line:sub(1, before - 1))
      local value = expression.value(owner, lookup)
      local is_object = value ~= nil and class.typename(value) ~= nil
      local is_method = is_object and type(members.get(value, method)) == 'function'
         and misses_first(message, method)
         or (value == nil or registry.names[value]) and in_library(message, 'index local')
         and is_usual(method)
      if is_method and not wants_point(method, owner, value, line:sub(behind), lookup) then
         return ('a method is called with a colon: %s:%s(...)'):format(owner, method)
      end
   end
end

-- ('a b').upper(), which calls string.upper without the text.
local function point_of_text(message, line)
   local name = message:match "bad argument #1 to '(%a+)' %(string expected, got no value%)"
   local call = '([%w_]*["\')]?)%s*%.%s*' .. (name or '') .. '%s*%('
   for owner in (name and line or ''):gmatch(call) do
      if owner ~= 'string' then
         return ('methods of a text are called with a colon: s:%s()'):format(name)
      end
   end
end

-- act:forward(x) where act is nn.ReLU and not nn.ReLU(), in a library that expected an object.
local function class_for_object(message, line, lookup)
   local file = message:match '^([^\n]-):%d+: attempt to '
   if not file or not errors.isLibrary('@' .. file) then
      return nil
   end
   for before in (line or ''):gmatch '():[%a_][%w_]*%s*%(' do
      local owner = expression.chain(line:sub(1, before - 1))
      local value = owner:find '^[%w_.]+$' and expression.value(owner, lookup)
      local cure = value and options.brackets(value) or ''
      if cure ~= '' then
         return ('%s is %s%s'):format(owner, options.describe(value), cure)
      end
   end
end

-- function Mine.updateOutput(input): input is the object.
local function point_in_definition(lookup, own)
   if not own or own.what == 'main' then
      return nil
   end
   local line = source.line(setmetatable({ currentline = own.linedefined }, { __index = own }))
   line = line or ''
   local method, first = line:match 'function%s+[%w_.]+%.([%w_]+)%s*%(%s*([%w_]+)'
   if not method then
      method, first = line:match '%.([%w_]+)%s*=%s*function%s*%(%s*([%w_]+)'
   end
   local value = first and first ~= 'self' and lookup(first)
   local name = value and class.typename(value)
   if name and members.get(value, method) == own.func then
      return ('%s is the %s: a method is defined with a colon, function %s:%s(...)'):format(first,
         name, name:match '[%w_]+$', method)
   end
end

--- What to say of a message.
-- @string message
-- @string line of source that it blames; may be nil
-- @param lookup function(name): the value of a variable there
-- @param own the frame; may be nil
-- @return sentence, or nil
function M.about(message, line, lookup, own)
   return point_for_colon(message, line, lookup) or point_in_definition(lookup, own)
      or point_of_text(message, line) or class_for_object(message, line, lookup)
end

return M
