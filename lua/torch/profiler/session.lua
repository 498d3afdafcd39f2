--- The profile that runs, if one does, and its ranges.
-- @module torch.profiler.session
local th = require 'torch.ffi'
local class = require 'torch.class'
local trace = require 'torch.errors.trace'

local C, raise = th.C, th.raise

local M = {}

--- The torch.Profile that runs.
M.current = nil

--- Called when nn has been loaded while a profile runs.
M.nn_loaded = nil

--- Begin a range.
-- @param profile one that may have ended
-- @string text its name
-- @string kind 'range', 'forward' or 'backward'
-- @string[opt] of class of the layer whose pass it is
-- @return what `leave` wants
function M.enter(profile, text, kind, of)
   if profile ~= M.current then
      return -1
   end
   local key = ('%s\0%s\0%s'):format(kind, text, of or '')
   local number = profile._numbers[key]
   if not number then
      number = #profile._names + 1
      profile._numbers[key] = number
      profile._names[number] = { text = text, kind = kind, class = of }
   end
   return tonumber(C.TH_Profile_enter(profile._record, number, text))
end

--- End it, and those that began within it and have not ended.
function M.leave(profile, range)
   if profile == M.current then
      C.TH_Profile_leave(profile._record, range)
   end
end

local function check(name, f)
   if type(f) ~= 'function' then
      raise(('%s: expected a function, got %s'):format(name, class.type(f)))
   end
end

local function left(profile, range, ok, ...)
   M.leave(profile, range)
   if not ok then
      trace.rethrow((...))
   end
   return ...
end

-- What the docstring of torch.profiler.range says: init.lua.
function M.range(name, f, ...)
   if type(name) ~= 'string' then
      raise(('profiler.range: expected a name and a function, got %s'):format(class.type(name)))
   end
   check('profiler.range', f)
   local profile = M.current
   if not profile then
      return f(...)
   end
   return left(profile, M.enter(profile, name, 'range'), xpcall(f, trace.keep, ...))
end

local function ended(profile, ok, ...)
   profile:stop()
   if not ok then
      trace.rethrow((...))
   end
   return profile, ...
end

function M.run(f, options)
   check('profiler', f)
   return ended(require('torch').Profile(options), xpcall(f, trace.keep))
end

return M
