--- Schedules made of schedules, and how an optimiser comes by one.
-- @module optim.schedule.combined

local torch = require 'torch'
local optim = require 'optim'
local base = require 'optim.schedule.base'
local raise = require('torch.errors').raise

local factors = base.factors
local M = {}

--- f(n) = first + (1 - first) n / length below `length`, then after(n - length).
-- Source: Goyal et al., 2017 (arXiv:1706.02677), section 2.2.
-- @number length
-- @param[opt] after the schedule that follows; 1 without
-- @number[opt=0] first
-- @usage optim.schedule.warmup(5, optim.schedule.cosine(85))
-- @example optim.schedule.warmup(4, optim.schedule.constant(0.5))(2) --> 0.5
function M.warmup(length, after, first)
   local schedule = base.made('warmup', 'length', length, { first = first or 0 })
   schedule.after = after and base.checkSchedule('warmup', after)
   return schedule
end
function factors.warmup(self, n)
   if n < self.length then
      return self.first + (1 - self.first) * n / self.length
   end
   return self.after and self.after(n - self.length) or 1
end

--- Schedules one after the other; each counts from its own start.
-- @tab list `{ length, schedule }` for each; the last one's length may be left out
-- @usage
-- optim.schedule.sequence {
--    { 10, optim.schedule.constant(0.1) }, { 50, optim.schedule.cosine(50) },
--    { nil, optim.schedule.constant(0.01) },
-- }
-- @example
-- local f = optim.schedule.sequence { { 10, optim.schedule.constant(0.1) },
--    { nil, optim.schedule.constant(0.01) } }
-- f(5), f(15) --> 0.1, 0.01
function M.sequence(list)
   if type(list) ~= 'table' or #list == 0 then
      raise('optim.schedule.sequence: expected a list such as { { 10, warm }, { 90, cosine } }')
   end
   local schedule = optim.Schedule('sequence', {})
   schedule.lengths, schedule.schedules = {}, {}
   for i, entry in ipairs(list) do
      if i < #list then
         base.check('sequence', 'length ' .. i, entry[1], 0)
      end
      schedule.lengths[i] = entry[1]
      schedule.schedules[i] = base.checkSchedule('sequence', entry[2])
   end
   return schedule
end
function factors.sequence(self, n)
   local last = #self.schedules
   for i = 1, last - 1 do
      if n < self.lengths[i] then
         return self.schedules[i](n)
      end
      n = n - self.lengths[i]
   end
   return self.schedules[last](n)
end

--- Let a schedule set an optimiser's rate: each step multiplies `config.learningRate` (or the
-- optimiser's default) by `schedule(n / every)`, n being the steps that the optimiser's state has
-- counted.
-- @tab config the optimiser's options; gets the fields `schedule` and `scheduleEvery`
-- @param schedule of this module; nil detaches
-- @number[opt=1] every steps for one unit of the schedule: the batches of an epoch, where it counts
-- epochs
-- @return config
-- @example
-- local config = optim.schedule.attach({ learningRate = 1 }, optim.schedule.step(1, 0.5))
-- local x = torch.zeros(1)
-- local function slope() return 0, torch.ones(1) end
-- optim.sgd(slope, x, config)
-- optim.sgd(slope, x, config)
-- x[1] --> -1.5
function M.attach(config, schedule, every)
   if type(config) ~= 'table' then
      raise(('optim.schedule.attach: config is a %s, expected the options of an optimiser'):format(
         torch.type(config)))
   end
   config.schedule = schedule and base.checkSchedule('attach', schedule)
   config.scheduleEvery = every and base.check('attach', 'every', every, 1e-9)
   return config
end

return M
