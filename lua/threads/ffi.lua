--- The library of threads: declarations, loading, and waiting that Ctrl-C ends.
-- @module threads.ffi
local ffi = require 'ffi'
local th = require 'torch.ffi'
local errors = require 'torch.errors'

local path, tried = package.searchpath('libthreads', package.cpath)
if not path then
   errors.raise('threads: libthreads.so is not on package.cpath; start scripts with `th`, or run '
      .. '`eval "$(th --env)"` first.' .. tried)
end
ffi.cdef(require 'threads.gen.cdef')
errors.library('@' .. package.searchpath('threads.gen.cdef', package.path))

local C = ffi.load(path)
local M = { C = C, path = path }

-- Between two looks at whether somebody has pressed Ctrl-C.
local SLICE = 20 -- milliseconds

--- Call attempt(milliseconds) until it answers neither false nor 0.
-- Ctrl-C ends that by an error, as it ends any Lua code: LuaJIT looks for it in interpreted code
-- only, and so this is never compiled.
-- @return what it answered
function M.wait(attempt)
   while true do
      local answer = attempt(SLICE)
      if answer and answer ~= 0 then
         return answer
      end
   end
end
jit.off(M.wait)

--- Raise unless x is a whole number from `least` on.
function M.checkCount(operation, what, x, least)
   x = th.numeric(x) or x
   if type(x) ~= 'number' or x < least or x ~= math.floor(x) or x > 2 ^ 20 then
      errors.raise(('%s: %s must be a whole number from %d on, got %s'):format(operation, what,
         least, tostring(x)))
   end
   return x
end

--- Raise unless f is a function, or an object that can be called.
function M.checkFunction(operation, what, f)
   if type(f) ~= 'function' then
      local metatable = debug.getmetatable(f)
      if not (type(metatable) == 'table' and metatable.__call) then
         errors.raise(('%s: %s must be a function, got %s'):format(operation, what,
            require('torch.class').type(f)))
      end
   end
   return f
end

return M
