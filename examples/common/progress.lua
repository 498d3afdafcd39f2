--- A progress bar: share done, loss, images (or other things) per second, time left.
--
-- On a terminal the bar is drawn over itself; elsewhere only its last state is printed.

local torch = require 'torch'

local Progress = {}
Progress.__index = Progress

local WIDTH = 30 -- characters of the bar
local INTERVAL = 0.1 -- seconds between drawings

local function clock_time(seconds)
   seconds = math.floor(seconds + 0.5)
   return ('%d:%02d'):format(math.floor(seconds / 60), seconds % 60)
end

local on_terminal = os.execute 'test -t 1'
on_terminal = on_terminal == true or on_terminal == 0

--- @string label what the line begins with
-- @int total images to come
-- @string[opt='images'] things what is counted
function Progress.new(label, total, things)
   return setmetatable({
      things = things or 'images',
      label = label,
      total = total,
      done = 0,
      loss = 0,
      timer = torch.Timer(),
      drawn = -INTERVAL,
   }, Progress)
end

function Progress:line(seconds)
   local share = self.done / self.total
   local filled = math.floor(share * WIDTH)
   local rate = self.done / seconds
   return ('%s [%s%s] %3d%%  loss %.4f  %6.0f %s/s  %s %s'):format(
      self.label,
      ('='):rep(filled),
      (' '):rep(WIDTH - filled),
      math.floor(share * 100),
      self.loss / math.max(self.done, 1),
      rate,
      self.things,
      self.done < self.total and clock_time((self.total - self.done) / rate) or clock_time(seconds),
      self.done < self.total and 'left' or 'in all'
   )
end

--- Count a batch.
-- @int images in the batch
-- @number loss mean over the batch
function Progress:add(images, loss)
   self.done = self.done + images
   self.loss = self.loss + images * loss
   local seconds = self.timer:time().real
   local finished = self.done >= self.total
   if finished then
      -- The last line is shorter than those it is drawn over.
      print(on_terminal and '\r' .. self:line(seconds) .. (' '):rep(8) or self:line(seconds))
      io.flush()
   elseif on_terminal and seconds - self.drawn >= INTERVAL then
      io.write('\r', self:line(seconds))
      io.flush()
      self.drawn = seconds
   end
end

return Progress
