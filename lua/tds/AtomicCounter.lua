--- tds.AtomicCounter: a number that threads count together.
-- @module tds.AtomicCounter
local C = require 'tds.ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local elem = require 'tds.elem'

local make -- an empty one
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

--- A counter that several threads may count up at once, without a lock.
-- @number[opt=0] value
-- @usage tds.AtomicCounter([value]) -> counter
-- @example
-- local c = require('tds').AtomicCounter(5)
-- c:inc()
-- c:get() --> 6
local function construct(value)
   local self = make()
   if value ~= nil then
      self:set(value)
   end
   return self
end

function mt.__write(self, file)
   file:writeLong(self:get())
end

function mt.__read(self, file)
   self:set(file:readLong())
end

make = elem.container(mt, {
   struct = 'tds_AtomicCounterRef', pointer = 'tds_atomic_counter *',
   create = C.tds_atomic_counter_new, retain = C.tds_atomic_counter_retain,
   release = C.tds_atomic_counter_free, gone = C.tds_atomic_counter_gone(),
})

return construct
