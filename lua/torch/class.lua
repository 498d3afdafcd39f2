--- Torch7's classes: named types with single inheritance, for Lua tables and for FFI objects.
--
--     local Square, parent = torch.class('shapes.Square', 'shapes.Shape')
--     function Square:__init(side) parent.__init(self) self.side = side end
--     function Square:area() return self.side ^ 2 end
--     shapes.Square(3):area()  --> 9
--
-- @module torch.class
local deferred = require 'torch.class.deferred'
local errors = require 'torch.errors'
local registry = require 'torch.class.registry'
local operators = require 'torch.class.operators'

-- One table with the registry: `cdataclass` and `cdatapointer` set here are what it calls.
local M = registry

local classes, names, parents = registry.classes, registry.names, registry.parents
local constructors, constructing = registry.constructors, registry.constructing
local lookup = registry.lookup
local constructorOf = {} -- class metatable -> constructor table
local modules = { torch = {} } -- module name -> table, for modules that are no globals (yet)

local function nearTo(name)
   return require('torch.near').hint(name, classes)
end

local function checkName(operation, name)
   if type(name) ~= 'string' or name == '' then
      errors.raise(('%s: expected a class name, got %s'):format(operation, tostring(name)))
   end
end

--- Make `name` stand for a table in dotted class names, whether it is a global or not.
-- Constructors stored under that name before are moved to the table.
function M.setModule(name, module)
   for key, value in pairs(modules[name] or {}) do
      if module[key] == nil then
         module[key] = value
      end
   end
   modules[name] = module
end

-- Where the constructor of a class is stored: a table and its field.
local function constructorHome(name, module)
   local prefix, last = name:match('^(.*)%.([^.]+)$')
   if module then
      return module, last or name
   elseif not prefix then
      return _G, name
   end
   local home
   for part in prefix:gmatch('[^.]+') do
      if home then
         home = home[part]
      else
         home = modules[part] or rawget(_G, part)
      end
      if type(home) ~= 'table' then
         errors.raise(('class %s: %s is an invalid module name (no such table: require or create '
            .. 'it first, or pass the module table)'):format(name, prefix))
      end
   end
   return home, last
end

local function makeConstructor(class)
   local constructor = {}
   constructors[constructor], constructorOf[class] = class, constructor
   return setmetatable(constructor, {
      __index = class,
      __newindex = function(_, key, value)
         deferred.define(class)
         rawset(class, key, value)
         operators.bind(class)
         M.assigned(class, key)
      end,
      __metatable = class,
      __tostring = function()
         return names[class]
      end,
      __call = function(_, ...)
         local construct = constructing[class] or deferred.define(class) and constructing[class]
         if not construct then
            errors.raise(('%s cannot be constructed: it is abstract'):format(names[class]))
         end
         return construct(...)
      end,
   })
end

--- Register a class that a module defines when it is first used.
-- @string name
-- @string module which calls `class(name)` and adds the methods
-- @param[opt] home table: where to store the constructor
function M.defer(name, module, home)
   deferred.defer(M.newmetatable(name, nil, nil, nil, nil, home), module)
end

local yielding = {} -- name -> its class gives way

--- Let a class give way: a script that defines one of the same name gets the name. Objects of the
-- old one stay what they are.
-- @string name
function M.yields(name)
   yielding[name] = true
end

local function give_way(name)
   if yielding[name] then
      yielding[name], classes[name] = nil, nil
   end
end

--- Free the names of classes that give way and that a file's text defines by `torch.class`: some
-- ask before they do, as in `assert(not nn.LSTM)`.
-- @string text of a Lua file
-- @return function to call when the file has run: it puts back what was not defined
function M.vacate(text)
   local vacated = {}
   for name in text:gmatch('class%s*%(?%s*["\']([%w_.]+)["\']') do
      local class = yielding[name] and classes[name]
      if class then
         local home, field = constructorHome(name)
         if home[field] == constructorOf[class] then
            vacated[#vacated + 1] = { name, class, home, field }
            home[field] = nil
         end
      end
   end
   return function()
      for _, entry in ipairs(vacated) do
         local name, class, home, field = unpack(entry)
         if classes[name] == class and home[field] == nil then
            home[field] = constructorOf[class]
         end
      end
   end
end

--- Leave a class out where scripts go from a class to its parent by `getmetatable`: one that only
-- holds what others have in common, and that scripts of Torch7 do not expect in between.
-- @string name
function M.conceal(name)
   registry.concealed[classes[name]] = true
end

-- The optional functions of a class are given once.
local function assign(class, field, value, role)
   if value == nil then
      return
   elseif rawget(class, field) ~= nil then
      errors.raise(('class %s has been already assigned a %s'):format(names[class], role))
   end
   rawset(class, field, value)
end

--- Register a class, or complete one registered before.
-- @param name string such as 'torch.FloatTensor': the constructor becomes field FloatTensor of the
-- table torch, or a global when there is no dot
-- @param parentName string, optional: a registered class
-- @param construct function, optional: `Constructor(...)`, `class.new(...)` return construct(...)
-- @param destruct function, optional: called with an object that is collected (FFI objects)
-- @param factory function, optional: makes an instance without initialising it
-- @param module table, optional: where to store the constructor
-- @return the class metatable
-- @raise "nn is an invalid module name", "has been already assigned a factory", and the like
function M.newmetatable(name, parentName, construct, destruct, factory, module)
   checkName('torch.newmetatable', name)
   local parent
   if parentName ~= nil then
      parent = classes[parentName]
      if not parent then
         errors.raise(('class %s: the parent class %s does not exist%s'):format(
            name, tostring(parentName), nearTo(parentName)))
      end
   end
   local class = classes[name]
   if class then
      assign(class, '__factory', factory, 'factory')
      assign(class, 'new', construct, 'constructor')
      constructing[class] = constructing[class] or construct
      assign(class, '__gc', destruct, 'destructor')
      if parent and parents[class] ~= parent then
         errors.raise(('class %s has been already assigned a parent class'):format(name))
      end
      return class
   end

   local home, field = constructorHome(name, module)
   class = { __typename = name, __version = 1 }
   class.__metatable = class
   class.__factory, class.new, class.__gc = factory, construct, destruct
   constructing[class] = construct
   operators.install(class)
   registry.add(name, class)
   parents[class] = parent
   if parent then
      operators.bind(parent)
      setmetatable(class, parent)
      operators.bind(class)
   end
   rawset(home, field, makeConstructor(class))
   return class
end

--- Register a class whose instances are Lua tables.
-- Calling the constructor makes an instance and calls `__init(self, ...)`, own or inherited. So
-- does calling what is returned, which scripts often keep under the class's name.
-- @param name string, as in newmetatable
-- @param parentName string, optional
-- @param module table, optional: where to store the constructor (instead of a global table)
-- @return class metatable, to which methods are added; and the parent's (nil without parent)
-- @example
-- local Point = torch.class 'torch.Point'
-- function Point:__init(x, y) self.x, self.y = x, y end
-- function Point:norm() return math.sqrt(self.x ^ 2 + self.y ^ 2) end
-- torch.Point(3, 4):norm() --> 5
function M.class(name, parentName, module)
   checkName('torch.class', name)
   if type(parentName) == 'table' then
      parentName, module = nil, parentName
   end
   give_way(name)
   if classes[name] and rawget(classes[name], '__factory') then
      errors.raise(('class %s has been already assigned a factory'):format(name))
   end
   local class
   -- While the class is its own __index, plain indexing finds inherited fields, and faster than
   -- lookup does.
   local function factory()
      if rawget(class, '__index') ~= class or class.__index__ or class.__newindex__ then
         operators.bind(class)
      end
      return setmetatable({}, class)
   end
   local function construct(...)
      local self = factory()
      local init
      if rawget(class, '__index') == class then
         init = class.__init
      else
         init = lookup(class, '__init')
      end
      if init then
         init(self, ...)
      end
      return self
   end
   class = M.newmetatable(name, parentName, construct, nil, factory, module)
   if not parents[class] then
      setmetatable(class, operators.root)
   end
   return class, parents[class]
end

--- Class metatable of a name, or nil.
-- @usage torch.getmetatable(name) -> mt|nil
-- @example torch.getmetatable('torch.Timer').time == torch.Timer.time --> true
function M.getmetatable(name)
   return classes[name]
end

--- Turn a table (or userdata) into an instance of a class.
-- @return the same object
-- @usage torch.setmetatable(obj, name) -> obj
function M.setmetatable(object, name)
   local class = classes[name]
   if not class then
      errors.raise(('torch.setmetatable: unknown class %s%s'):format(
         tostring(name), nearTo(name)))
   elseif type(object) ~= 'table' and type(object) ~= 'userdata' then
      errors.raise(('torch.setmetatable: a %s cannot become a %s'):format(type(object), name))
   end
   operators.bind(class)
   -- Not setmetatable: the present metatable may be a class, and classes are protected.
   debug.setmetatable(object, class)
   return object
end

--- Constructor table of a class name, or nil.
-- @usage torch.getconstructortable(name) -> table
-- @example torch.getconstructortable('torch.Timer') == torch.Timer --> true
function M.getconstructortable(name)
   return constructorOf[classes[name]]
end

--- A function that makes a bare instance of the named class; nil for an unknown class.
-- @usage torch.factory(name) -> function|nil
-- @example torch.type(torch.factory 'torch.Timer'()) --> 'torch.Timer'
function M.factory(name)
   local class = classes[name]
   if class then
      deferred.define(class)
   end
   return class and rawget(class, '__factory') or nil
end

for _, part in ipairs { 'queries', 'identity', 'cdata' } do
   for name, f in pairs(require('torch.class.' .. part)) do
      M[name] = f
   end
end

local public = {
   'class', 'factory', 'getconstructortable', 'getenv', 'getmetatable', 'isStorage', 'isTensor',
   'isTypeOf', 'isequal', 'metatype', 'newmetatable', 'pointer', 'pushudata', 'setenv',
   'setmetatable', 'type', 'typename', 'version',
}

--- Copy the public functions into the torch table, and store torch's constructors there.
function M.install(torch)
   for _, name in ipairs(public) do
      torch[name] = M[name]
   end
   M.setModule('torch', torch)
end

return M
