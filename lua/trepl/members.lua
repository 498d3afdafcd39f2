--- What a value has: the names after its point or colon, without running any code of its own.
-- @module trepl.members
local class = require 'torch.class'
local later = require 'torch.later'
local registry = require 'torch.class.registry'
local sorted_keys = require 'xlua.sorted_keys'

local M = {}

-- Metamethods and what a library keeps for itself: asked for, but not offered.
local function is_private(name)
   return name:find '^__' ~= nil
end

--- The tables in which a value's fields are looked up, in that order.
function M.homes(value)
   local homes, seen = {}, {}
   local function add(home)
      while type(home) == 'table' and not seen[home] do
         seen[home] = true
         homes[#homes + 1] = home
         local meta = registry.constructors[home] or debug.getmetatable(home)
         if type(meta) ~= 'table' then
            return
         end
         local index = rawget(meta, '__index')
         -- Classes that look up with a function keep their methods in the metatable itself.
         if registry.names[meta] then
            add(meta)
         end
         home = index
      end
   end
   if type(value) == 'string' then
      add(string)
   elseif type(value) == 'table' then
      add(value)
   else
      add(class.typename(value) and class.getmetatable(class.typename(value)))
   end
   return homes
end

--- A value's field; nil rather than an error for what cannot be indexed.
function M.get(value, name)
   for _, home in ipairs(M.homes(value)) do
      local field = rawget(home, name)
      if field ~= nil then
         return field
      end
   end
end

--- The names of a value's fields, sorted.
-- @param functions_only boolean, optional: only what can be called
-- @param private boolean, optional: those with two underscores in front, too
function M.names(value, functions_only, private)
   later.finish()
   local names = {}
   for _, home in ipairs(M.homes(value)) do
      for name, field in next, home do
         if type(name) == 'string' and (private or not is_private(name))
            and (not functions_only or type(field) == 'function') then
            names[name] = true
         end
      end
   end
   return sorted_keys(names)
end

--- The names of the fields that an object has for itself, its class's methods not among them.
function M.fields(object, private)
   local names = {}
   for name in next, type(object) == 'table' and object or {} do
      if type(name) == 'string' and (private or not is_private(name)) then
         names[name] = true
      end
   end
   return sorted_keys(names)
end

return M
