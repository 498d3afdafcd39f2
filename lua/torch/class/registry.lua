--- What classes there are, and which one an object belongs to.
--
-- A class is its metatable: a table that holds the methods, is the metatable of the instances and
-- has the parent's metatable as its own.
-- @module torch.class.registry
local ffi = require 'ffi'

local M = {}

-- Lua's own: torch puts others in the globals' place.
local getmetatable, type = getmetatable, type

--- Class of a cdata object whose C type was not given to torch.metatype.
-- Assigned by the code that owns the tensor and storage structs: cdata -> class metatable or nil.
M.cdataclass = nil

--- Identity of such a cdata object: cdata -> number. By default the address of the cdata itself.
M.cdatapointer = nil

--- Called after a field of a class was assigned through its constructor: class metatable, key.
M.assigned = function() end

local classes = {} -- typename -> class metatable
local names = {} -- class metatable -> typename
local parents = {} -- class metatable -> parent's class metatable
local constructors = {} -- constructor table -> class metatable
local constructing = {} -- class metatable -> function that a call of the constructor runs
local concealed = {} -- class metatables that `metatable` passes over
local ctypes = {} -- list of { C type, class metatable }

M.classes, M.names, M.parents, M.constructors = classes, names, parents, constructors
M.constructing, M.concealed = constructing, concealed

--- The metatable of class metatables without a parent. Scripts do not see it.
M.root = {}
local root = M.root

local lua = debug.getregistry()

--- Record a class. Scripts find it in Lua's registry, by its name and by its metatable, as they do
-- in Torch7.
function M.add(name, class)
   classes[name], names[class] = class, name
   lua[name], lua[class] = class, name
end

--- Record that objects of a C type, and pointers to such, belong to a class.
function M.addCtype(ctype, class)
   ctypes[#ctypes + 1] = { ctype, class }
end

local function classOfCdata(object)
   local class = M.cdataclass and M.cdataclass(object)
   if class then
      return class
   end
   for i = 1, #ctypes do
      if ffi.istype(ctypes[i][1], object) then
         return ctypes[i][2]
      end
   end
   return nil
end

--- Class metatable of an object, or nil. A constructor table is not an instance.
function M.classOf(object)
   local kind = type(object)
   if kind == 'cdata' then
      return classOfCdata(object)
   elseif kind == 'table' or kind == 'userdata' then
      local mt = getmetatable(object)
      if mt ~= nil and names[mt] and not constructors[object] then
         return mt
      end
   end
   return nil
end

--- What the global `getmetatable` answers. For FFI objects, as tensors are, LuaJIT's answer is the
-- string 'ffi'; for Torch7 it is the class. A class's metatable is its parent.
function M.metatable(object)
   if type(object) == 'cdata' then
      return classOfCdata(object) or getmetatable(object)
   end
   local found = getmetatable(object)
   if found == root then
      return nil
   elseif concealed[found] and names[object] then
      repeat
         found = parents[found]
      until not concealed[found]
   end
   return found
end

--- A class's own or inherited field, past every metamethod.
function M.lookup(class, key)
   while class do
      local value = rawget(class, key)
      if value ~= nil then
         return value
      end
      class = parents[class]
   end
   return nil
end

return M
