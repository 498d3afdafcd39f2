--- A clock that the spec moves, in place of the machine's: so that what measures time is judged by
-- what it makes of the times, whatever the machine is busy with.
--
--     local time = fake_clock.start() … time:pass { real = 0.5, user = 0.25 } … fake_clock.stop()
local clock = require 'torch.clock'

local M = {}

local real -- the machine's functions

local Time = {}
Time.__index = Time

--- Let seconds go by: real, and processor time (user, sys).
function Time:pass(seconds)
   for _, kind in ipairs { 'real', 'user', 'sys' } do
      self[kind] = self[kind] + (seconds[kind] or 0)
   end
end

--- Stop the machine's clock. It shows moments whose differences are exact: sums of powers of two.
function M.start()
   assert(not real, 'the clock is faked already')
   local time = setmetatable({ real = 1024, user = 16, sys = 8 }, Time)
   real = { now = clock.now, wall = clock.wall, cpu = clock.cpu, sleep = clock.sleep }
   clock.now = function()
      return time.real
   end
   clock.wall = clock.now
   clock.cpu = function()
      return time.user, time.sys
   end
   clock.sleep = function(seconds)
      time:pass { real = seconds }
   end
   return time
end

--- Give the machine's clock back.
function M.stop()
   for name, f in pairs(real or {}) do
      clock[name] = f
   end
   real = nil
end

return M
