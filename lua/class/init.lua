--- Classes with single inheritance, by name, apart from torch's: what the package `class` of the
-- Torch distribution had. It needs no torch and makes no global variable.
--
--     local class = require 'class'
--     local A = class 'A'
--     function A:__init(text) self.text = text end
--     function A:show() print(self.text) end
--     local B = class('B', 'A')
--     B('hello'):show()
--
-- @module class
local ok, ffi = pcall(require, 'ffi')
ffi = ok and ffi or nil

local lua_type, getmetatable = type, debug.getmetatable

local metatables = {} -- name -> class metatable
local names = {} -- class metatable -> name
local ctypes = {} -- list of { C type, class metatable }

local M = {}

local function fail(text, ...)
   error(text:format(...), 3)
end

local function metatable_of(object)
   if lua_type(object) == 'cdata' then
      for _, pair in ipairs(ctypes) do
         if ffi.istype(pair[1], object) then
            return pair[2]
         end
      end
      return nil
   end
   local meta = getmetatable(object)
   return names[meta] and meta or nil
end

local operators = {
   'add', 'sub', 'mul', 'div', 'mod', 'pow', 'unm', 'concat', 'len', 'eq', 'lt', 'le', 'call',
   'tostring', 'gc',
}

-- Lua looks for operators in the metatable itself, not in its parent's.
local function inherit(meta, parent)
   for _, operator in ipairs(operators) do
      meta['__' .. operator] = rawget(parent, '__' .. operator)
   end
end

local function instance(meta)
   return setmetatable({}, meta)
end

-- What `class` returns: methods that are put into it are the class's; called, it makes an instance.
local function constructor(meta)
   return setmetatable({}, {
      __index = meta, __newindex = meta, __metatable = meta,
      __call = function(_, ...)
         return meta.new(...)
      end,
      __tostring = function()
         return names[meta]
      end,
   })
end

--- Make a class.
-- @function new
-- @string name as yet without a class
-- @param[opt] parent name of the class that it is a child of
-- @param[opt] ctype C type (ffi.typeof) whose objects are of this class; also in parent's place
-- @return its constructor: a table for methods, that is called for an instance. `__init(self, ...)`
-- gets the arguments
-- @raise "class A exists already", "class B: there is no class A to inherit from"
-- @example
-- local class = require 'class'
-- local Counter = class 'example.Counter'
-- function Counter:__init(n) self.n = n end
-- function Counter:next() self.n = self.n + 1 return self.n end
-- Counter(4):next() --> 5
function M.new(name, parent, ctype)
   if lua_type(name) ~= 'string' then
      fail('class: expected a name, got %s', lua_type(name))
   elseif metatables[name] then
      fail('class %s exists already', name)
   elseif lua_type(parent) == 'cdata' then
      parent, ctype = nil, parent
   end
   local above = metatables[parent]
   if parent ~= nil and not above then
      fail('class %s: there is no class %s to inherit from', name, tostring(parent))
   elseif ctype ~= nil and lua_type(ctype) ~= 'cdata' then
      fail('class %s: expected a C type as ffi.typeof gives it, got %s', name, lua_type(ctype))
   end
   local meta = { __typename = name }
   meta.__index = meta
   meta.__factory = function()
      return instance(meta)
   end
   meta.new = function(...)
      local object = instance(meta)
      local init = meta.__init
      if init then
         init(object, ...)
      end
      return object
   end
   if above then
      inherit(meta, above)
      setmetatable(meta, above)
   end
   metatables[name], names[meta] = meta, name
   if ctype ~= nil then
      table.insert(ctypes, 1, { ctype, meta })
   end
   return constructor(meta)
end

--- An instance of a class whose `__init` is not called.
-- @string name
-- @raise "class.factory: there is no class A"
-- @example
-- local class = require 'class'
-- class 'example.Empty'
-- class.type(class.factory 'example.Empty') --> 'example.Empty'
function M.factory(name)
   local meta = metatables[name]
   if not meta then
      fail('class.factory: there is no class %s', tostring(name))
   end
   return meta.__factory()
end

--- The table of a class's methods, which is the metatable of its instances; nil where there is no
-- such class.
-- @string name
function M.metatable(name)
   return metatables[name]
end

--- The name of an object's class; Lua's type of anything else.
-- @example require('class').type(3) --> 'number'
function M.type(object)
   return names[metatable_of(object)] or lua_type(object)
end

--- Whether an object is of a class, or of one of its children; of anything else, whether it is of
-- that type of Lua's.
-- @param object
-- @string name
-- @example require('class').istype('text', 'string') --> true
function M.istype(object, name)
   local meta = metatable_of(object)
   if not meta then
      return lua_type(object) == name
   end
   while meta do
      if names[meta] == name then
         return true
      end
      meta = getmetatable(meta)
   end
   return false
end

return setmetatable(M, {
   __call = function(_, ...)
      return M.new(...)
   end,
})
