--- The option `schedule`: a factor of the rate, by epochs or steps.
-- @module torch.train.trainer.schedules

local torch = require 'torch'
local optim = require 'optim'
local declared = require 'optim.options'
local options = require 'torch.options'
local source = require 'torch.train.data.source'

local M = {}

local fail = options.fail
local TITLE = 'train.Trainer'

-- The name of what makes a schedule, where that was given in place of one: itself, or its name.
local function maker_of(given)
   for name, make in pairs(optim.schedule) do
      if given == name or given == make then
         return name
      end
   end
   return nil
end

-- A factor that is none would be found by the optimiser, in whose lines nobody has written it.
local function checked(schedule)
   return function(n)
      local factor = schedule(n)
      if type(factor) ~= 'number' then
         fail('%s: the schedule gave %s for %g, expected a number, a factor of the rate', TITLE,
            options.describe(factor), n)
      end
      return factor
   end
end

--- Let a schedule set the rate, from within the optimiser.
-- @raise where it is none
function M.attach(self, settings)
   local schedule = settings.schedule
   if schedule == nil then
      return
   end
   local maker = maker_of(schedule)
   if maker then
      fail('%s: schedule is %s, expected what optim.schedule.%s gives when it is called', TITLE,
         options.describe(schedule), maker)
   elseif not torch.isTypeOf(schedule, 'optim.Schedule') and type(schedule) ~= 'function' then
      fail('%s: schedule is %s, expected one of optim.schedule, or a function of epochs or steps',
         TITLE, options.describe(schedule))
   elseif type(schedule) == 'function' then
      schedule = checked(schedule)
   end
   local length = source.size(self.data)
   if settings.scheduleUnit == 'epoch' and not length then
      fail("%s: scheduleUnit is 'epoch', and the loader has no size; use 'step'", TITLE)
   end
   local steps_an_epoch = length and math.ceil(length / self.accumulate)
   self.schedule, self.config.schedule = schedule, schedule
   self.config.scheduleEvery = settings.scheduleUnit ~= 'step' and steps_an_epoch or 1
end

--- The rate of the next step, where the optimiser is one of optim's.
function M.rate(self)
   local of = declared.of[self.optimizerName or '']
   local rate = self.config.learningRate or of and of.learningRate
   if type(rate) ~= 'number' then
      return nil
   end
   if self.schedule then
      rate = rate * self.schedule(self.state.t / self.config.scheduleEvery)
   end
   return rate
end

return M
