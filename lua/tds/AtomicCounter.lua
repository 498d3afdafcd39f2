--- tds.AtomicCounter: a number that threads count together.
-- @module tds.AtomicCounter
local ffi = require 'ffi'
local C = require 'tds.ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local elem = require 'tds.elem'

local GONE = C.tds_atomic_counter_gone()
local ref -- C type
local mt = { __typename = 'tds.AtomicCounter', __version = 1 }
mt.__index = mt

local function held(self)
   return errors.held(self.__tds_handle, 'tds.AtomicCounter')
end

local function checkNumber(operation, value)
   value = th.numeric(value) or value
   if type(value) ~= 'number' or value ~= math.floor(value) or math.abs(value) > 2 ^ 53 then
      errors.raise(('tds.AtomicCounter: %s: expected a whole number, got %s'):format(operation,
         type(value) == 'number' and tostring(value) or class.type(value)))
   end
   return value
end

--- Add 1.
-- @return the new value
-- @usage counter:inc() -> value
function mt.inc(self)
   return C.tds_atomic_counter_inc(held(self))
end

--- The value.
-- @usage counter:get() -> value
function mt.get(self)
   return C.tds_atomic_counter_get(held(self))
end

--- Set the value.
-- @usage counter:set(value)
function mt.set(self, value)
   C.tds_atomic_counter_set(held(self), checkNumber('set', value))
end

function mt.__tostring(self)
   return ('tds.AtomicCounter{%.0f}'):format(self:get())
end

function mt.__gc(self)
   C.tds_atomic_counter_free(self.__tds_handle)
   self.__tds_handle = GONE -- when a Lua state ends, other finalizers may still use it
end

--- A counter that several threads may count up at once, without a lock.
-- @number[opt=0] value
-- @usage tds.AtomicCounter([value]) -> counter
-- @example
-- local c = require('tds').AtomicCounter(5)
-- c:inc()
-- c:get() --> 6
local function construct(value)
   local handle = C.tds_atomic_counter_new()
   if handle == nil then
      elem.noMemory 'tds.AtomicCounter'
   end
   local self = ref()
   self.__tds_handle = handle
   if value ~= nil then
      self:set(value)
   end
   return self
end

mt.__factory = function()
   return construct()
end

function mt.__write(self, file)
   file:writeLong(self:get())
end

function mt.__read(self, file)
   self:set(file:readLong())
end

ref = ffi.metatype('tds_AtomicCounterRef', mt)
class.metatype('tds.AtomicCounter', mt, ref)
elem.addContainer(mt, ref, 'tds_atomic_counter *', C.tds_atomic_counter_retain,
   C.tds_atomic_counter_free)

return construct
