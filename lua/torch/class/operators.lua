--- Operators of classes.
--
-- Lua looks a metamethod up in the metatable alone, past any inheritance. So every class metatable
-- gets the same dispatchers, and these find the operator a class or its ancestors define, under
-- Torch7's spelling (`__add__`) or Lua's own (`__add`).
-- @module torch.class.operators
local errors = require 'torch.errors'
local identity = require 'torch.class.identity'
local registry = require 'torch.class.registry'

local type = type -- torch puts its own in the global's place

local M = {}

local names, parents = registry.names, registry.parents
local classOf, lookup = registry.classOf, registry.lookup

local dispatchers = {} -- event -> function shared by all classes

-- The nearest definition of an operator for `object`; `hook` and `event` are its two spellings.
local function implementation(object, hook, event)
   local class = classOf(object)
   while class do
      local f = rawget(class, hook)
      if f ~= nil then
         return f
      end
      f = rawget(class, event)
      if f ~= nil and f ~= dispatchers[event] then
         return f
      end
      class = parents[class]
   end
   return nil
end

local function nameOf(object)
   local class = classOf(object)
   return class and names[class] or type(object)
end

local function binary(event, noun)
   local hook = event .. '__'
   dispatchers[event] = function(a, b)
      local f = implementation(a, hook, event) or implementation(b, hook, event)
      if not f then
         errors.raise(('both %s and %s have no %s operator'):format(nameOf(a), nameOf(b), noun))
      end
      return f(a, b)
   end
end

binary('__add', 'addition')
binary('__sub', 'subtraction')
binary('__mul', 'multiplication')
binary('__div', 'division')
binary('__mod', 'modulo')
binary('__pow', 'power')
binary('__concat', 'concatenation')
binary('__lt', 'less than')
binary('__le', 'less or equal')

local function unary(event, noun)
   local hook = event .. '__'
   dispatchers[event] = function(object, ...)
      local f = implementation(object, hook, event)
      if not f then
         errors.raise(('%s has no %s operator'):format(nameOf(object), noun))
      end
      return f(object, ...)
   end
end

unary('__unm', 'unary minus')
unary('__len', 'length')
unary('__call', 'call')

-- Scripts keep what torch.class returns under the class's name, and call it: an object is wanted.
-- A call operator that an ancestor has is for objects. A field `new` may be a method of the script.
local call_object = dispatchers.__call

function dispatchers.__call(object, ...)
   local construct = registry.constructing[object]
   if construct then
      return construct(...)
   end
   return call_object(object, ...)
end

--- The metatable of a class that has no parent, by which it can be called; see registry.metatable.
M.root = registry.root
M.root.__call = dispatchers.__call

-- Without a definition two operands are equal when they are the same object. Of tables, Lua asks
-- about distinct ones only; of FFI objects, always, and even against nil.
function dispatchers.__eq(a, b)
   local f = implementation(a, '__eq__', '__eq') or implementation(b, '__eq__', '__eq')
   if f then
      return f(a, b)
   end
   return type(a) == 'cdata' and type(b) == 'cdata' and identity.isequal(a, b)
end

function dispatchers.__tostring(object)
   -- A class metatable shows as its name; its parent's __tostring__ expects an instance.
   local f = not names[object] and implementation(object, '__tostring__', '__tostring')
   return f and f(object) or names[object] or nameOf(object)
end

M.dispatchers = dispatchers

--- Reading through `__index__`: it answers `value, true`, or false to fall through to the methods.
function M.indexer(class)
   return function(object, key)
      if names[object] then -- a subclass's metatable asks for an inherited field
         return lookup(class, key)
      end
      local hook = lookup(class, '__index__')
      if hook then
         local value, handled = hook(object, key)
         if handled then
            return value
         end
      end
      return lookup(class, key)
   end
end

--- Writing through `__newindex__`: it answers true when it has taken the value.
function M.newindexer(class)
   return function(object, key, value)
      if names[object] then
         rawset(object, key, value)
         return
      end
      local hook = lookup(class, '__newindex__')
      if hook and hook(object, key, value) then
         return
      end
      if type(object) ~= 'table' then
         errors.raise(('the class %s cannot be indexed'):format(names[class]))
      end
      rawset(object, key, value)
   end
end

-- A parent's __index written in Lua's spelling, for objects of a subclass: own methods come first.
local function inheritedIndexer(class, parentIndex)
   return function(object, key)
      local value = lookup(class, key)
      if value == nil and not names[object] then
         value = parentIndex(object, key)
      end
      return value
   end
end

local function nearestFunction(class, event)
   class = parents[class]
   while class do
      local f = rawget(class, event)
      if type(f) == 'function' then
         return f
      end
      class = parents[class]
   end
   return nil
end

-- What a class has as __call, Lua takes for calls of its children, too, which are to make objects.
local function keepCall(class)
   local f = rawget(class, '__call')
   if f ~= dispatchers.__call then
      if rawget(class, '__call__') == nil then
         rawset(class, '__call__', f)
      end
      rawset(class, '__call', dispatchers.__call)
   end
end

--- Make a class's `__index__`, `__newindex__` and `__call`, own or inherited, take effect.
-- A class without them keeps its plain table as `__index`, which costs its instances no call; so
-- this runs whenever a hook may have come: at the class's making, at assignment through the
-- constructor and, for Torch7's spelling, before an instance is made.
function M.bind(class)
   keepCall(class)
   if rawget(class, '__index') == class then
      if lookup(class, '__index__') then
         class.__index = M.indexer(class)
      else
         local parentIndex = nearestFunction(class, '__index')
         if parentIndex then
            class.__index = inheritedIndexer(class, parentIndex)
         end
      end
   end
   if rawget(class, '__newindex') == nil then
      if lookup(class, '__newindex__') then
         rawset(class, '__newindex', M.newindexer(class))
      else
         rawset(class, '__newindex', nearestFunction(class, '__newindex'))
      end
   end
end

--- Give a new class metatable its metamethods.
function M.install(class)
   for event, dispatcher in pairs(dispatchers) do
      rawset(class, event, dispatcher)
   end
   rawset(class, '__index', class)
end

return M
