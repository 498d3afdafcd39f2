--- Which objects are the same, and the environment tables tied to them.
-- @module torch.class.identity
local ffi = require 'ffi'
local errors = require 'torch.errors'
local registry = require 'torch.class.registry'

local type = type -- torch puts its own in the global's place

local M = {}

local hasAddress = {
   table = true, ['function'] = true, thread = true, string = true, userdata = true,
}

--- A number that identifies an object while it lives: its address.
-- For FFI objects that share one C struct it is the struct's, whatever the handle.
-- @raise "torch.pointer: expected ..., got number"
-- @usage torch.pointer(obj) -> number
-- @example
-- local x = torch.zeros(2)
-- torch.pointer(x) == torch.pointer(x:clone()) --> false
function M.pointer(object)
   local kind = type(object)
   if kind == 'cdata' then
      local hook = registry.cdatapointer
      local address = hook and hook(object)
      return address or tonumber(ffi.cast('uintptr_t', ffi.cast('const void *', object)))
   elseif not hasAddress[kind] then
      errors.raise('torch.pointer: expected a torch object, table, function, thread, string, '
         .. 'userdata or cdata, got ' .. kind)
   end
   -- '%p' alone: tostring() would ask the object
   return tonumber(('%p'):format(object))
end

--- Whether two tables are one table, or two torch objects the same underlying object.
-- False for anything else.
-- @usage torch.isequal(a, b) -> bool
-- @example
-- local x = torch.zeros(2)
-- torch.isequal(x, x), torch.isequal(x, x:clone()) --> true, false
function M.isequal(a, b)
   if type(a) == 'table' and rawequal(a, b) then
      return true
   end
   local class = registry.classOf(a)
   return class ~= nil and class == registry.classOf(b) and M.pointer(a) == M.pointer(b)
end

-- Lua keeps environments for functions, threads and userdata only.
local cdataEnvironments = setmetatable({}, { __mode = 'k' })

local function checkEnvironment(operation, object)
   local kind = type(object)
   if kind ~= 'function' and kind ~= 'thread' and kind ~= 'userdata' and kind ~= 'cdata' then
      errors.raise(('%s: expected a function, thread, userdata or cdata, got %s'):format(
         operation, kind))
   end
   return kind
end

--- Environment table of a function, thread, userdata or FFI object.
-- @usage torch.getenv(obj) -> table
function M.getenv(object)
   if checkEnvironment('torch.getenv', object) == 'cdata' then
      return cdataEnvironments[object] or _G
   end
   return debug.getfenv(object)
end

--- Set the environment table of a function, thread, userdata or FFI object.
-- @usage torch.setenv(obj, table)
function M.setenv(object, environment)
   local kind = checkEnvironment('torch.setenv', object)
   if type(environment) ~= 'table' then
      errors.raise('torch.setenv: expected an environment table, got ' .. type(environment))
   elseif kind == 'cdata' then
      cdataEnvironments[object] = environment
   else
      debug.setfenv(object, environment)
   end
end

return M
