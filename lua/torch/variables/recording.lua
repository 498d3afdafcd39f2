--- Functions of a script that run while recording is switched on or off.
-- @module torch.variables.recording
local th = require 'torch.ffi'
local errors = require 'torch.errors'

local record = th.C.TH_Gradient_record

local M = {}

local function restore(before, ok, ...)
   record(before)
   if not ok then
      error((...), 0)
   end
   return ...
end

--- f(...) with recording on or off; f does not yield.
function M.with(on, f, ...)
   return restore(record(on), pcall(f, ...))
end

local function inCoroutine()
   local current, isMain = coroutine.running()
   return current ~= nil and not isMain
end

-- Until f yields or ends, with recording as f wants it; who resumes it has it as it was.
local resume

local function pause(thread, on, before, ok, ...)
   record(before)
   if not ok then
      error((...), 0)
   elseif coroutine.status(thread) == 'dead' then
      return ...
   end
   return resume(thread, on, coroutine.yield(...))
end

function resume(thread, on, ...)
   return pause(thread, on, record(on), coroutine.resume(thread, ...))
end

--- The same of a function that may yield: recording is switched while it runs itself.
function M.call(on, f, ...)
   if inCoroutine() then
      return resume(coroutine.create(f), on, ...)
   end
   return restore(record(on), pcall(f, ...))
end

local function ended(thread, ok, ...)
   if not ok then
      error((...), 0)
   elseif coroutine.status(thread) ~= 'dead' then
      errors.raise('backward: a function that it called yields; a pass cannot wait for that')
   end
   return ...
end

--- f(...) within a pass, which must not yield: a pass that nobody resumes would never end.
function M.within(f, ...)
   if inCoroutine() then
      local thread = coroutine.create(f)
      return ended(thread, coroutine.resume(thread, ...))
   end
   return f(...)
end

return M
