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

local function back(to, ...)
   if to then
      tell(to)
   else
      tell()
   end
   return ...
end

-- The error of a coroutine as Lua's wrap raises it: a text gets the place of the call before it.
local function results(ok, ...)
   if not ok then
      local err = ...
      error(err, type(err) == 'string' and 2 or 0)
   end
   return ...
end

-- Put functions that tell the core in the places of coroutine.resume and coroutine.wrap. Scripts
-- may keep them, or put others over them, which stay.
local function tell_of_coroutines()
   local resume, wrap, following = coroutine.resume, coroutine.wrap, true

   local function resumed(...)
      local co = ...
      if not following or type(co) ~= 'thread' then
         return resume(...)
      end
      local from = coroutine.running()
      tell(co)
      return back(from, resume(...))
   end

   local function wrapped(...)
      local f = ...
      if not following or type(f) ~= 'function' then
         return wrap(...)
      end
      local co = coroutine.create(f)
      return function(...)
         return results(resumed(co, ...))
      end
   end

   coroutine.resume, coroutine.wrap = resumed, wrapped -- luacheck: ignore 122
   return function()
      following = false
      if coroutine.resume == resumed then
         coroutine.resume = resume -- luacheck: ignore 122
      end
      if coroutine.wrap == wrapped then
         coroutine.wrap = wrap -- luacheck: ignore 122
      end
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
   local told = tell_of_coroutines()
   local home = coroutine.running() -- stays alive as long as the core may look at it
   return function()
      errors.libraries()
      told()
      if compiling then
         jit.on()
      end
      home = home and nil
   end
end

return M
