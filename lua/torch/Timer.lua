--- A stop-watch for wall-clock and processor time (torch.Timer).
-- @classmod torch.Timer
local class = require 'torch.class'
local clock = require 'torch.clock'

local Timer = class.class('torch.Timer')

local function now()
   local user, system = clock.cpu()
   return { real = clock.wall(), user = user, sys = system }
end

local function elapsed(self)
   local total = self._accumulated
   if not self._started then
      return total
   end
   local present, started = now(), self._started
   return {
      real = total.real + present.real - started.real,
      user = total.user + present.user - started.user,
      sys = total.sys + present.sys - started.sys,
   }
end

--- A timer, running from now.
function Timer:__init()
   self._started = now() -- nil while stopped
   self._accumulated = { real = 0, user = 0, sys = 0 }
end

--- Elapsed seconds while running, since the last reset.
-- @return table: real (wall clock), user and sys (processor time of all threads of the process)
-- @example torch.Timer():time().real >= 0 --> true
function Timer:time()
   local time = elapsed(self)
   return { real = time.real, user = time.user, sys = time.sys }
end

--- Forget the time counted so far; a running timer goes on from now, a stopped one stays stopped.
-- @return self
-- @example torch.Timer():reset():time().real >= 0 --> true
function Timer:reset()
   self._accumulated = { real = 0, user = 0, sys = 0 }
   self._started = self._started and now()
   return self
end

--- Stop counting.
-- @return self
-- @example
-- local timer = torch.Timer()
-- timer:stop():time().real >= 0 --> true
function Timer:stop()
   self._accumulated = elapsed(self)
   self._started = nil
   return self
end

--- Go on counting.
-- @return self
function Timer:resume()
   self._started = self._started or now()
   return self
end

--- Nothing is written to files, as by Torch7's nn: a clock's times mean nothing to another process.
function Timer.write(_, _) end

--- A timer from a file runs from now.
function Timer:read(_)
   self:__init()
end

function Timer:__tostring__()
   return ('torch.Timer [status: %s]'):format(self._started and 'running' or 'stopped')
end

return class.getconstructortable('torch.Timer')
