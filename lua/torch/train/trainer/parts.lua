--- The parts that a Trainer's options ask for, in the order in which its stations call them.
-- @module torch.train.trainer.parts

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local train = require 'torch.train.module'
local figures = require 'torch.train.trainer.figures'
local logs = require 'torch.train.log'
local options = require 'torch.options'
local saving = require 'torch.train.trainer.saving'
local staged = require 'torch.train.trainer.staged'
local watching = require 'torch.train.trainer.watching'
local workers = require 'torch.train.trainer.workers'

local M = {}

local TITLE = 'train.Trainer'

-- --- gradients ----------------------------------------------------------------------------------

local function clipping(self, clip)
   if type(clip) == 'number' then
      clip = { norm = clip }
   elseif type(clip) ~= 'table' or next(clip) == nil then
      options.fail('%s: clip is %s, expected { norm = 1 }, { value = 0.5 }, or a number, which is '
         .. 'a norm', TITLE, type(clip) == 'table' and 'an empty table' or options.describe(clip))
   end
   options.check(TITLE .. ': clip', clip, { norm = 'positive', value = 'positive' })
   return {
      onGradients = function(_, state)
         if clip.value then
            optim.clipGradValue(state.gradients, clip.value)
         end
         if clip.norm then
            state.gradientNorm = staged.clip(self, state.gradients, clip.norm)
         end
      end,
   }
end

-- --- averages -----------------------------------------------------------------------------------

local function averaging(self, given)
   if type(given) ~= 'string' and type(given) ~= 'table' then
      options.fail("%s: average is %s, expected 'ema', 'swa' or { kind = 'ema', decay = 0.999 }",
         TITLE, options.describe(given))
   end
   local average = train.Averaging(self.state.parameters, given)
   self.average = average
   self.engine:add { -- an epoch's update comes before its evaluation, in Trainer.run
      onUpdate = function(_, state)
         average:onUpdate(state)
      end,
   }
   return average
end

-- --- pruning ------------------------------------------------------------------------------------

-- An nn.Pruner that follows the steps; the share that is zero is in the epoch's row.
local function pruning(self, given)
   local pruner = nn.Pruner(self.model, given)
   self.pruner = pruner
   return {
      name = 'pruning',
      state = function() return pruner:state() end,
      restore = function(_, state) pruner:restore(state) end,
      onUpdate = function()
         pruner:step()
         if torch.isTypeOf(self.state.network, 'nn.DataParallelTable') then
            self.state.network.needsSync = true
         end
      end,
      onEndEpoch = function(_, state) state.row.sparsity = pruner:sparsity() end,
   }
end

-- --- checkpoints --------------------------------------------------------------------------------

local CHECKPOINT = { folder = 'text', every = 'count', keep = 'count', metric = 'text',
   mode = { 'min', 'max' } }

local function checkpointing(self, settings)
   local given = settings.checkpoint
   if type(given) == 'string' then
      given = { folder = given }
   elseif type(given) ~= 'table' then
      options.fail("%s: checkpoint is %s, expected a folder, or { folder = 'run', every = 1000 }",
         TITLE, options.describe(given))
   end
   options.check(TITLE .. ': checkpoint', given, CHECKPOINT)
   if not given.folder then
      options.fail("%s: checkpoint: folder is missing: { folder = 'run', every = 1000 }", TITLE)
   end
   self.checkpoints = train.Checkpoints { folder = given.folder, keep = given.keep }
   local metric = given.metric or watching.metric(self)
   watching.check(self, settings, metric, 'checkpoint')
   local best = train.EarlyStop { mode = given.mode or train.EarlyStop.modeOf(metric),
      patience = math.huge }
   local part = { name = 'checkpoint' }
   function part.state() return best:state() end
   function part.restore(_, state) best:restore(state) end
   function part.onStart()
      if workers.first(self) then -- before there is work to lose
         self.checkpoints:prepare()
      end
   end
   function part.onUpdate(_, state)
      if given.every and state.t % given.every == 0 then
         saving.save(self, true)
      end
   end
   function part.onEndEpoch(_, state)
      best:observe(watching.value(state.row, metric, 'checkpoint'))
      if not given.every or best.waited == 0 then
         saving.save(self, not given.every, best.waited == 0)
      end
   end
   function part.onEnd()
      if self.savedAt ~= saving.place(self) then
         saving.save(self, true)
      end
   end
   return part
end

-- Parts that are saved are known by their names.
local function check_names(parts)
   local taken = {}
   for i, part in ipairs(parts) do
      local saved = options.callable(part.state) and options.callable(part.restore)
      if saved and type(part.name) ~= 'string' then
         options.fail("%s: part %d has state and restore, but no name, by which a checkpoint keeps "
            .. "its state: name = 'mine'", TITLE, i)
      elseif saved and taken[part.name] then
         options.fail("%s: two parts are called '%s'; their states are saved by name", TITLE,
            part.name)
      end
      taken[part.name or i] = saved
   end
end

-- --- all ----------------------------------------------------------------------------------------

--- Add the parts of some options to a Trainer.
function M.add(self, settings)
   local function add(part)
      self.parts[#self.parts + 1] = self.engine:add(part)
   end
   local precision = settings.precision
   if precision and precision ~= 'float' then
      self.precision = train.Precision(self.state.network, precision)
      if precision == 'half' then
         self.scaler = train.LossScaler()
         self.scaler.name = 'scaler'
         self.parts[#self.parts + 1] = self.scaler
      end
   end
   if settings.clip ~= nil then
      add(clipping(self, settings.clip))
   end
   if settings.pruning then -- before averages, which are of what is left
      add(pruning(self, settings.pruning))
   end
   if settings.average ~= nil then
      self.parts[#self.parts + 1] = averaging(self, settings.average)
   end
   self.engine:hook(settings.hooks or {})
   for _, part in ipairs(settings.hooks or {}) do
      self.parts[#self.parts + 1] = part
   end
   self.engine:add { onEndEpoch = function(_, state) figures.plain(state.row) end }
   local is_plateau = type(self.schedule) == 'table' and self.schedule.kind == 'plateau'
   if settings.scheduleMetric and not is_plateau then
      options.fail('%s: scheduleMetric is for optim.schedule.plateau, which watches a value', TITLE)
   elseif is_plateau then
      add(watching.plateau(self, settings))
   end
   for i, log in ipairs(self.logs) do -- after hooks, which may put values into the row
      add(logs.part(log, i))
   end
   if settings.stopEarly then
      add(watching.early_stop(self, settings))
   end
   if settings.checkpoint then
      add(checkpointing(self, settings))
   end
   check_names(self.parts)
   if self.average then
      self.engine:add {
         onEnd = function()
            self.average:finish()
         end,
      }
   end
end

return M
