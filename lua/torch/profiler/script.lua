--- The lines of the script, for the core while a profile runs.
--
-- The core looks at Lua's stack at each call (lib/TH/core/profile/script_lines). Compiled code
-- keeps none, so the compiler is off meanwhile. And the core has to be told which coroutine runs.
-- @module torch.profiler.script
local th = require 'torch.ffi'
local errors = require 'torch.errors'

local C = th.C

local M = {}

local tell -- a function of C: tells the core of the coroutine that calls it, or of another one

local resume, wrap -- Lua's own

local function back(to, ...)
   if to then
      tell(to)
   else
      tell()
   end
   return ...
end

local function resumed(co, ...)
   if type(co) ~= 'thread' then
      return resume(co, ...) -- its error
   end
   local from = coroutine.running()
   tell(co)
   return back(from, resume(co, ...))
end

local function results(ok, ...)
   if not ok then
      error((...), 0)
   end
   return ...
end

local function wrapped(f)
   local co = coroutine.create(f)
   return function(...)
      return results(resumed(co, ...))
   end
end

--- From now on.
-- @param record TH_Profile
-- @return function that ends it
function M.follow(record)
   if not tell then
      tell = assert(package.loadlib(package.searchpath('libTH', package.cpath),
         'TH_Profile_coroutine'))
   end
   errors.libraries(function(folder)
      C.TH_Profile_library(record, folder)
   end)
   tell()
   local compiling = jit.status()
   jit.off()
   jit.flush()
   resume, wrap = coroutine.resume, coroutine.wrap
   coroutine.resume, coroutine.wrap = resumed, wrapped -- luacheck: ignore 122
   local home = coroutine.running() -- stays alive as long as the core may look at it
   return function()
      errors.libraries()
      coroutine.resume, coroutine.wrap = resume, wrap -- luacheck: ignore 122
      if compiling then
         jit.on()
      end
      home = home and nil
   end
end

return M
