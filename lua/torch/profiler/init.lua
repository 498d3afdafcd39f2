--- Where the time and the memory of a program go: `torch.profiler`.
--
-- The core keeps an event for each call of an operation, each range and each change of memory
-- (lib/TH/core/profile); what they add up to is asked of the profile afterwards.
-- @module torch.profiler
local class = require 'torch.class'

class.defer('torch.Profile', 'torch.profiler.Profile')

local profiler = {}

--- Begin a profile of what this thread does: every operation of the core, every layer's passes, the
-- ranges of the script, and every piece of memory that tensors take. It costs time only while it
-- runs; then Lua is interpreted, so that each call's line is known, which loops over elements feel
-- most. With `lines = false` LuaJIT's compiler stays on, and no line is known; with
-- `layers = false` nn's layers have no ranges. One profile runs at a time, and sees the calls of
-- its thread alone.
-- @param[opt] options table: lines (true), layers (true)
-- @return torch.Profile
-- @raise "profiler: a profile is running since train.lua:12; stop it first: torch.profiler.stop()"
-- @usage p = torch.profiler.start([options])
-- @example
-- local p = torch.profiler.start()
-- torch.ones(100):add(1)
-- p:stop():rows('operation')[1].calls --> 1
function profiler.start(options)
   return require('torch').Profile(options)
end

--- End the profile that runs, whoever has it.
-- @return torch.Profile; nil where none runs
-- @usage p = torch.profiler.stop()
-- @example
-- torch.profiler.start()
-- torch.ones(100):add(1)
-- torch.profiler.stop():rows('operation')[1].calls --> 1
function profiler.stop()
   local session = package.loaded['torch.profiler.session']
   return session and session.current and session.current:stop()
end

--- f(...), as a range of that name in the profile that runs; without one, just f(...).
-- @string name
-- @func f
-- @return what f returns
-- @usage torch.profiler.range(name, f, ...) -> results of f
-- @example
-- local p = torch.profiler(function()
--    return torch.profiler.range('sum', torch.sum, torch.ones(3))
-- end)
-- p:rows('range')[1].name --> 'sum'
function profiler.range(name, f, ...)
   return require('torch.profiler.session').range(name, f, ...)
end

--- Whether a profile runs.
-- @usage torch.profiler.running() -> boolean
-- @example torch.profiler.running() --> false
function profiler.running()
   local session = package.loaded['torch.profiler.session']
   return session ~= nil and session.current ~= nil
end

--- A profile of f(): torch.profiler.start(options), f, stop. An error of f ends the profile and
-- passes through.
-- @function torch.profiler
-- @func f
-- @param[opt] options as those of torch.profiler.start
-- @return the profile, and what f returns
-- @usage p, results of f = torch.profiler(f [, options])
-- @example
-- local x = torch.randn(50, 50)
-- local p, y = torch.profiler(function() return x * x end)
-- p:rows('operation')[1].name --> 'addmm'
local function run(_, f, options)
   return require('torch.profiler.session').run(f, options)
end

setmetatable(profiler, { __call = run })

return profiler
