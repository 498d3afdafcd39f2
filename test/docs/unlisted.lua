-- Prints the public names that docs/reference/index.md (or the file given) does not list, and how
-- many there are in all: functions and constants of the packages that can be loaded, functions of
-- tables in them, or the tables where they hold none, and their classes with the methods of each. A
-- method that redefines a listed one of an ancestor is listed.
local torch = require 'torch'
local registry = require 'torch.class.registry'

local packages = require('torch.help.public').packages

local listed = {}
for line in io.lines(arg[1] or 'docs/reference/index.md') do
   listed[line:match '^%* %[`([^`]+)`%]' or ''] = true
end

local total, missing = 0, {}
local function look(name, known)
   total = total + 1
   if not known then
      missing[#missing + 1] = name
   end
end

local CONSTANTS = { number = true, string = true, boolean = true, cdata = true, userdata = true }

local function isPublic(name)
   return type(name) == 'string' and not name:match '^_'
      and not name:match '^H5%u_' -- constants of HDF5's library
end

-- Torch7's class functions, from the class.
local function isListedMethod(class, method)
   while class do
      local name = registry.names[class]
      local general = name:gsub('^torch%.%w*(Tensor)$', '%1'):gsub('^torch%.%w*(Storage)$', '%1')
      if listed[general .. ':' .. method] then
         return true
      end
      class = registry.parents[class]
   end
   return false
end

for _, package in ipairs(packages) do
   local ok, home = pcall(require, package)
   local isOther = package ~= 'nn' and home == _G.package.loaded.nn -- require 'cunn' gives nn
   for name, value in pairs(ok and not isOther and home or {}) do
      local kind = type(value)
      if isPublic(name) and (kind == 'function' or CONSTANTS[kind]) then
         look(package .. '.' .. name, listed[package .. '.' .. name]
            or home == torch and listed[name])
      elseif isPublic(name) and kind == 'table' and not registry.constructors[value]
         and not _G.package.loaded[name] then
         local functions = 0
         for key, f in pairs(value) do
            if type(f) == 'function' and isPublic(key) then
               local full = ('%s.%s.%s'):format(package, name, key)
               look(full, listed[full])
               functions = functions + 1
            end
         end
         if functions == 0 then
            look(package .. '.' .. name, listed[package .. '.' .. name])
         end
      end
   end
end
for name, class in pairs(registry.classes) do
   local general = name:match '^torch%.%w+(Tensor)$' or name:match '^torch%.%w+(Storage)$'
   if torch.getconstructortable(name) then
      look(name, listed[general and 'torch.' .. general or name])
   end
   for method, f in pairs(class) do
      -- `new` is the constructor again.
      if isPublic(method) and type(f) == 'function' and method ~= 'new' then
         look(name .. ':' .. method, isListedMethod(class, method))
      end
   end
end
table.sort(missing)
for _, name in ipairs(missing) do
   print(name)
end
print(('%d public names'):format(total))
