--- Seconds, in all or for each of what is counted.
-- @classmod train.TimeMeter
-- @example
-- local train = require 'torch.train'
-- local now = 0
-- local meter = train.TimeMeter(true, function() return now end)
-- for _ = 1, 4 do
--    now = now + 2
--    meter:add()
-- end
-- meter:value() --> 2

local torch = require 'torch'
local train = require 'torch.train.module'

local TimeMeter = torch.class('train.TimeMeter', train)

--- @bool[opt=false] unit seconds for each, not in all
-- @func[opt] clock seconds from some moment on
function TimeMeter:__init(unit, clock)
   local timer = torch.Timer()
   self.unit, self.clock = unit or false, clock or function()
      return timer:time().real
   end
   self:reset()
end

--- Begin anew, from now.
function TimeMeter:reset()
   self.began, self.count = self.clock(), 0
end

--- Count one, or as many as are said.
-- @param[opt=1] count a number; what meters of a Trainer are given counts as one
function TimeMeter:add(count)
   self.count = self.count + (type(count) == 'number' and count or 1)
end

--- Count what another one has counted, in the same time.
-- @param other a TimeMeter, or its fields
function TimeMeter:merge(other)
   self.count = self.count + other.count
end

--- Seconds since the last `reset`; with `unit` for each that was counted (NaN of none).
function TimeMeter:value()
   local seconds = self.clock() - self.began
   return self.unit and seconds / self.count or seconds
end

return TimeMeter
