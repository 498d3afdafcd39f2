--- FFI objects as instances of classes.
-- @module torch.class.cdata
local ffi = require 'ffi'
local arguments = require 'torch.arguments'
local errors = require 'torch.errors'
local operators = require 'torch.class.operators'
local registry = require 'torch.class.registry'

local type = type -- torch puts its own in the global's place

local M = {}

local numeric = arguments.numeric
local classes, lookup = registry.classes, registry.lookup

local metatypes = 0

-- Torch7's form: the script has given a C type a metatable; that becomes a class as it is.
local function adopt(name, class, ctype)
   if classes[name] then
      errors.raise(('torch.metatype: there is a class %s already'):format(name))
   end
   class.__typename = name
   registry.add(name, class)
   if ctype then
      ctype = ffi.typeof(ctype)
      registry.addCtype(ctype, class)
   end
   return ctype
end

--- Make FFI objects of a C type instances of a class: of a registered one, which gives them its
-- methods and operators, or of a new one, whose table the script has made their metatable by
-- `ffi.metatype` (as the package tds does); without a C type it is a name for reading files, by the
-- table's `__factory` and `__read`.
-- @param name string, the class
-- @param ctype a struct or union type, or its declaration as a string, that has no metatable yet;
-- or the table
-- @param destruct function, optional: called with an object that is collected; behind a table the
-- C type, such as 'tds_hash &', optional
-- @return the C type; calling it makes an object
-- @usage torch.metatype(name, ctype [, destruct]) -> ctype
-- torch.metatype(name, table [, ctype]) -> ctype|nil
function M.metatype(name, ctype, destruct)
   if type(ctype) == 'table' then
      return adopt(name, ctype, destruct)
   end
   local class = classes[name]
   if not class then
      errors.raise(('torch.metatype: unknown class %s'):format(tostring(name)))
   end
   local metamethods = {}
   -- LuaJIT keeps these for good; a script may put others into the class, as into any metatable.
   for event, dispatcher in pairs(operators.dispatchers) do
      metamethods[event] = function(...)
         return (rawget(class, event) or dispatcher)(...)
      end
   end
   metamethods.__index = operators.indexer(class)
   metamethods.__newindex = operators.newindexer(class)
   metamethods.__gc = destruct or rawget(class, '__gc')
   ctype = ffi.metatype(ctype, metamethods)
   registry.addCtype(ctype, class)
   metatypes = metatypes + 1
   local typedef = 'torch_metatype_' .. metatypes
   ffi.cdef(('typedef $ %s;'):format(typedef), ctype)
   rawset(class, '__ctype', typedef)
   return ctype
end

local PAGE = 4096 -- below it no system maps memory

-- Raise unless it can be an address.
local function address(ptr, name)
   local number = numeric(ptr) or ptr
   if type(ptr) == 'cdata' then
      local isNumber, value = pcall(tonumber, ptr)
      number = isNumber and value or tonumber(ffi.cast('uintptr_t', ffi.cast('void *', ptr)))
   end
   if type(number) ~= 'number' or not (number >= PAGE and number < 2 ^ 64) then
      errors.raise(('torch.pushudata: %s is not the address of a %s; torch.pointer(x), x:cdata() '
         .. 'and C functions give them'):format(
            type(number) == 'number' and ('%.0f'):format(number) or tostring(ptr), name))
   end
   return type(ptr) == 'cdata' and ptr or number
end

--- An object of a class from the address of its C struct.
-- A class takes part by a field `__pushudata__(ptr)` or by torch.metatype; the object does not own
-- the struct.
-- @raise "torch.pushudata: nil is not the address of a torch.FloatTensor; ..."
-- @usage torch.pushudata(ptr, name) -> obj
function M.pushudata(ptr, name)
   local class = classes[name]
   if not class then
      errors.raise(('torch.pushudata: unknown class %s'):format(tostring(name)))
   end
   local fromPointer = lookup(class, '__pushudata__')
   if fromPointer then
      return fromPointer(address(ptr, name))
   elseif rawget(class, '__ctype') then
      return ffi.cast(class.__ctype .. ' *', address(ptr, name))
   end
   errors.raise(('torch.pushudata: objects of class %s have no C struct'):format(name))
end

return M
