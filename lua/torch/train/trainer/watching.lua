--- Parts that watch a value of each epoch: when to stop, when a plateau is reached.
-- @module torch.train.trainer.watching

local options = require 'torch.options'
local there = require 'torch.train.there'
local train = require 'torch.train.module'

local M = {}

local TITLE = 'train.Trainer'

--- The value that something watches, of an epoch's.
-- @tab row
-- @string name
-- @string what watches it, for messages
-- @raise "train.Trainer: stopEarly watches validation.los, and there is no such value; near: ..."
function M.value(row, name, what)
   local value = row[name]
   if value == nil then
      options.fail('%s: %s watches %s, and there is no such value%s', TITLE, what, tostring(name),
         there(name, row))
   elseif type(value) ~= 'number' then
      options.fail('%s: %s watches %s, which is %s, expected a number', TITLE, what, name,
         options.describe(value))
   end
   return value
end

--- Raise where there will be no such value: before the first epoch, where no hook puts values of
-- its own into rows.
function M.check(self, settings, name, what)
   if next(settings.hooks or {}) ~= nil then
      return
   end
   local row = { epoch = 0, step = 0, loss = 0, learningRate = 0, seconds = 0,
      sparsity = self.pruner and 0 or nil, ['validation.loss'] = self.validation and 0 or nil }
   for _, entry in ipairs(self.meters) do
      row[entry[1]] = 0
      row['validation.' .. entry[1]] = self.validation and 0 or nil
   end
   M.value(row, name, what)
end

--- What is watched where nothing is said.
function M.metric(self)
   return self.validation and 'validation.loss' or 'loss'
end

--- Tells a schedule of its value.
function M.plateau(self, settings)
   local metric = settings.scheduleMetric or M.metric(self)
   M.check(self, settings, metric, 'the schedule')
   return {
      onEndEpoch = function(_, state)
         self.schedule:observe(M.value(state.row, metric, 'the schedule'))
      end,
   }
end

--- Ends the run when its value gets no better.
function M.early_stop(self, settings)
   if type(settings.stopEarly) ~= 'table' then
      options.fail("%s: stopEarly is %s, expected { patience = 3, metric = '%s' }", TITLE,
         options.describe(settings.stopEarly), M.metric(self))
   end
   local own = {}
   for key, value in pairs(settings.stopEarly) do
      own[key] = value
   end
   local metric = options.value(TITLE .. ': stopEarly', 'metric', own.metric or M.metric(self),
      'text')
   own.metric = nil
   own.mode = own.mode or train.EarlyStop.modeOf(metric)
   local stop = train.EarlyStop(own)
   M.check(self, settings, metric, 'stopEarly')
   return {
      name = 'stopEarly',
      state = function() return stop:state() end,
      restore = function(_, state) stop:restore(state) end,
      onStart = function(_, state) -- a run that had stopped when it was resumed
         state.stop = state.stop or stop.waited > stop.patience
      end,
      onEndEpoch = function(_, state)
         if stop:observe(M.value(state.row, metric, 'stopEarly')) then
            state.stop = true
         end
      end,
   }
end

return M
