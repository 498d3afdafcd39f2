--- What is sent to another thread for a job: a function and arguments for it.
-- @module threads.job
local class = require 'torch.class'
local errors = require 'torch.errors'
local check = require 'threads.ffi'
local named = require 'threads.named'

local M = {}

-- A library's function, math.floor say, is not copied: one that calls it has it as an upvalue, and
-- those go by name.
local function travelling(x)
   if type(x) == 'function' and named.isNamed(x) then
      return function(...)
         return x(...)
      end
   end
   return x
end

--- Raise unless f can be called on another thread, to which the metatables of tables do not travel.
-- @string operation for messages of errors
-- @string what f is called in these
-- @return f as it is sent there
function M.check(operation, what, f)
   check.checkFunction(operation, what, f)
   if type(f) == 'table' and not class.classOf(f) then
      errors.raise(('%s: %s is a table that its metatable lets be called, and the metatable does '
         .. 'not travel to another thread; give a function, or an object of a class (torch.class) '
         .. 'with __call'):format(operation, what))
   end
   return travelling(f)
end

--- A job as it is sent.
-- @string operation for messages of errors
-- @param f function
-- @param ... its arguments
-- @return table: callback, arguments
function M.new(operation, f, ...)
   local arguments = { n = select('#', ...), ... }
   for i = 1, arguments.n do
      arguments[i] = travelling(arguments[i])
   end
   return { callback = M.check(operation, 'the job', f), arguments = arguments }
end

return M
