--- threads.safe.
-- @module threads.safe
local class = require 'torch.class'
local errors = require 'torch.errors'
local threads = require 'threads.module'
local check = require 'threads.ffi'

local function unlocked(mutex, ok, ...)
   mutex:unlock()
   if not ok then
      error((...), 0)
   end
   return ...
end

--- A function that only one thread at a time is in: it locks a mutex, calls f and unlocks, also after
-- an error. It may be an upvalue or argument of jobs, on whose threads it locks the same mutex.
-- @param f function
-- @param[opt] mutex threads.Mutex, for several functions of which only one may run
-- @return the function
-- @usage threads.safe(f [, mutex]) -> function
local function safe(f, mutex)
   check.checkFunction('threads.safe', 'the first argument', f)
   if mutex ~= nil and class.typename(mutex) ~= 'threads.Mutex' then
      errors.raise(('threads.safe: the second argument is a threads.Mutex, got %s'):format(
         class.type(mutex)))
   end
   mutex = mutex or threads.Mutex():collected()
   return function(...)
      mutex:lock()
      return unlocked(mutex, pcall(f, ...))
   end
end

return safe
