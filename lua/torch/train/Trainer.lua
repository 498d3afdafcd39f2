--- Training: a network, a loss, an optimiser and data, and what one wants around them.
--
-- Every part is an object of its own that a loop written by hand can use as well: `train.Batches`,
-- `train.Checkpoints`, `train.EarlyStop`, the meters, the logs, `train.Precision`,
-- `train.LossScaler`, `optim.EMA`. A run that is killed and resumed ends with the very bits of one
-- that was not, on the same machine with the same number of threads.
-- @classmod train.Trainer
-- @usage local trainer = train.Trainer { model = net, criterion = nn.ClassNLLCriterion(), data =
-- data }
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- torch.manualSeed(1)
-- local x = torch.randn(64, 3)
-- local net = nn.Sequential():add(nn.Linear(3, 1))
-- local trainer = train.Trainer {
--    model = net, criterion = nn.MSECriterion(),
--    optimizer = 'sgd', options = { learningRate = 0.2 },
--    data = { input = x, target = x:sum(2), batchSize = 16 }, epochs = 20, log = false,
-- }
-- trainer:run()
-- trainer:evaluate({ input = x, target = x:sum(2) }).loss < 1e-3 --> true

local torch = require 'torch'
local spent = require 'nn.containers.spent'
local trace = require 'torch.errors.trace'
local train = require 'torch.train.module'
local build = require 'torch.train.trainer.build'
local devices = require 'torch.train.data.devices'
local environment = require 'distributed.environment'
local figures = require 'torch.train.trainer.figures'
local loop = require 'torch.train.trainer.loop'
local measuring = require 'torch.train.trainer.measuring'
local meters = require 'torch.train.meter'
local options = require 'torch.options'
local random = require 'torch.generators'
local parameters = require 'torch.train.trainer.parameters'
local saving = require 'torch.train.trainer.saving'
local schedules = require 'torch.train.trainer.schedules'
local source = require 'torch.train.data.source'
local staged = require 'torch.train.trainer.staged'
local workers = require 'torch.train.trainer.workers'

local Trainer = torch.class('train.Trainer', train)

--- What a Trainer is made of.
--
-- `model`: the network, an nn.Module; the same object is trained.
--
-- `criterion`, or `loss`: an nn.Criterion of output and target; or `loss(model, batch)`, which
-- returns a Variable of one element, and may return the output for the metrics behind it.
--
-- `optimizer`, `options`: a function of optim or its name ('adam'; 'sgd' without); its options.
--
-- `groups`: list of { parameters = a pattern of names (`train.select`) or tensors, learningRate =,
-- ... }: other options for some parameters.
--
-- `schedule`, `scheduleUnit`: of optim.schedule, or f(n): a factor of the rate. n counts 'epoch's
-- (the default where their length is known; within one it has a fraction) or 'step's.
-- `scheduleMetric`: what a plateau watches ('validation.loss', or 'loss' without validation).
--
-- `data`, `validation`: a loader or iterator, a function that returns an iteration function, a
-- dataset, or tensors: { input =, target = }; `batchSize`, `shuffle`: of datasets and tensors (32;
-- true for data, never for validation).
--
-- `epochs`, `steps`: when to end (10 epochs where neither is given).
--
-- `device`: 'cpu', 'cuda', 'cuda:2', or a list of devices that share each batch; model and batches
-- are moved there, as floats. Without, everything stays where it is.
--
-- `accumulate`: batches that make a step, by the mean over their samples (1). `clip`: { norm = 1 }
-- or { value = 0.5 }; a number is a norm.
--
-- `precision`: 'float', 'bfloat16' or 'half', in which layers compute; see `train.Precision`.
--
-- `average`: 'ema', 'swa', or the settings of `train.Averaging`: what is evaluated, and what the
-- model has at the end.
--
-- `stopEarly`: { metric = 'validation.loss', patience = 3, mode = 'min' or 'max', threshold = 0 }.
--
-- `checkpoint`: a folder, or { folder =, every = steps, keep = 2, metric =, mode = }; without
-- `every`, after each epoch. `metric` says which is the best.
--
-- `seed`: of all generators and of the order of samples; the model has its weights already.
--
-- `shareGradInput`: false keeps the `gradInput` of modules inside containers, for hooks that look
-- at it. With a criterion they otherwise share memory while the Trainer trains, as by
-- `nn.Module.shareGradInput`, and are empty after a backward pass. Those inside nn.Residual,
-- nn.FeedForward and nn.MultiHeadAttention are kept by `model:shareGradInput(false)` alone.
--
-- `metrics`: list of 'accuracy', 'top5', 'mAP'; name = function(output, target); name = meter.
--
-- `log`: { console = true, csv = path, tensorboard = folder, plot = path of a .png }, with logs of
-- one's own (`add(row)`) as entries; false for none.
--
-- `hooks`: functions by station, see `train.Engine`; parts as entries.
--
-- `workers`: the processes that train together, each with its rows of every batch. Without, all
-- that `th --workers`, mpirun or srun has started; a number of them, which has to be right; false
-- for a process alone; or { count =, deterministic = true, shardOptimizer = true,
-- syncBatchNormalization = true, bucket = MiB, overlap = false }. See the guide of several
-- processes.
--
-- `pipeline`: the devices of the list `device` each have a stage of the network, which may be
-- larger than one of them: { microBatches = 8, layers = { 3, 2 } }, or the number of micro-batches;
-- see distributed.Pipeline. The model has to be an nn.Sequential. Vectors of parameters and
-- gradients are lists then, one for each stage; clipping is by the norm of all. Checkpoints have
-- the model on the host, as `distributed.whole(model)` gives it. `loss` computes the loss of each
-- micro-batch, calls `model:forward(batch.input)`, and asks for nothing else of the model; of
-- the batch it has its rows of tensors, and entries of lists, that have as many as the input (so
-- weights of classes are better kept out of it). Several processes with such a list each have all
-- stages, and their rows of every batch; without one each has a stage, and all rows, and goes on
-- from a checkpoint of as many processes.
--
-- `pruning`: { amount = 0.8, from = 500, to = 5000, every = 100 }, or what else an nn.Pruner takes:
-- weights go after steps, and stay zero. The share that is zero is 'sparsity' of each epoch.
--
-- `distillation`: { teacher = net, temperature = 4, share = 0.9 }: trains on what another network
-- says of each batch, by nn.DistillationCriterion, and measures by the criterion, which is
-- nn.CrossEntropyCriterion or nn.ClassNLLCriterion.
--
-- `notFinite`: what a loss or gradient that is NaN or infinite does: 'error' (the default), 'skip',
-- 'ignore'.
-- @tab settings
-- @raise "train.Trainer: there is no option 'optimzer'; near: optimizer", "train.Trainer: model is
-- missing"
function Trainer:__init(settings)
   build.trainer(self, settings)
end

-- The values of the epoch so far, for logs and whoever watches.
local function report(self)
   local state = self.state
   workers.settle(self)
   local row = measuring.report(self, self.meters, self.figures)
   row.epoch, row.step, row.learningRate = state.epoch, state.t, schedules.rate(self)
   if self.validation then
      for name, value in pairs(self:evaluate(self.validation)) do
         row['validation.' .. name] = value
      end
   end
   row.seconds = self.timer:time().real
   row = workers.row(self, row)
   state.row = row
   self.history[#self.history + 1] = row
end

local function end_epoch(self)
   local state = self.state
   state.batch = 0 -- whatever fails from here on, the epoch is over
   if self.average then
      self.average:onEndEpoch(state)
   end
   report(self)
   measuring.reset(self.meters)
   self.figures, self.row = {}, state.row
   self.engine:call('onEndEpoch', state)
   self.row = nil
   workers.agree(self)
   saving.flush(self)
end

-- A run of so many steps may end within an epoch: it is told of, too.
local function end_within(self)
   if self.state.reported == self.state.t then -- and resumed
      return
   end
   self.state.reported = self.state.t
   report(self)
   for _, log in ipairs(self.logs) do
      log:add(self.state.row)
   end
end

-- Options may have changed since: where a run goes on, or has nothing left to do, is told of.
local function tell_resumed(self)
   local path = self.resumedFrom
   self.resumedFrom = nil
   for _, log in ipairs(path and self.logs or {}) do
      if type(log.resume) == 'function' then
         log:resume(path, self.state.t, loop.finished(self))
      end
   end
end

local function epochs(self)
   local state = self.state
   self.engine:call('onStart', state)
   tell_resumed(self)
   -- A checkpoint may be from between the last step and what follows it.
   while not loop.finished(self) or self.resumed and state.batch > 0 do
      self.within = true
      local complete = loop.epoch(self);
      (complete and end_epoch or end_within)(self)
      self.within = false
   end
   saving.flush(self)
   self.engine:call('onEnd', state)
end

-- After an error, or Ctrl-C: `run` goes on with the batch behind the one that was being made.
local function interrupted(self)
   local place = self.following and self.state.batch > 0 and source.state(self.data)
   if place then
      self.resumed, self.following = { loader = place, random = random.get() }, nil
   end
   self.wanted, self.within, self.row = nil, false, nil
   source.stop(self.data)
end

-- @param which of the checkpoints
-- @param run by which it has to be written; nil: by any
local function resume(self, which, run)
   local saved, path = workers.share(self, self.checkpoints.load, self.checkpoints, which)
   if not saved or run and saved.run ~= run then
      return false
   end
   saving.go_on(self, path, saved)
   self.resumedFrom = path
   return true
end

--- Train until `epochs` or `steps` are reached, or somebody stops it. Called again, it goes on;
-- after an error or Ctrl-C with the next batch (of a step of several, by `accumulate`, those that
-- were gathered by then are left out).
-- @return the values of the last epoch (of a part of it, where `steps` ended it) by name: epoch,
-- step, loss, the metrics, those of `validation` as 'validation.loss' and so on, learningRate,
-- seconds
-- @raise "train.Trainer: run takes nothing, got a table; epochs and steps are options: ..."
-- @usage trainer:run() -> table
function Trainer:run(...)
   if select('#', ...) > 0 then
      options.fail('train.Trainer: run takes nothing, got %s; epochs and steps are options: '
         .. 'train.Trainer { model = net, epochs = 2, ... }', options.describe((...)))
   end
   local state = self.state
   parameters.check(self)
   if workers.resumes_after_restart(self) then
      resume(self, nil, environment.run())
   end
   state.stop = false
   self.timer = self.timer or torch.Timer()
   state.training = true
   self:__attach()
   local ok, message = xpcall(epochs, trace.keep, self)
   self:__detach()
   if not ok then
      interrupted(self)
      trace.rethrow(message)
   end
   staged.collect(self)
   return self.history[#self.history]
end

-- What changes how layers compute hangs there while the Trainer does.
function Trainer:__attach()
   if self.precision then
      self.precision:attach()
   end
   if self.loss and not self.stages then
      self.state.network:requiresGrad()
   end
   if self.shareGradInput and self.criterion then
      self.keepGradInput = spent.lend(self.state.network)
   end
end

function Trainer:__detach()
   if self.keepGradInput then
      self.keepGradInput = self.keepGradInput()
   end
   if self.loss and not self.stages then
      self.state.network:requiresGrad(false)
   end
   if self.precision then
      self.precision:detach()
   end
end

-- Call f while the training stands still. Its generators, and its place in the data, which f may
-- read itself, are what they were afterwards.
local function aside(self, f, loader, ...)
   local within, generators = self.within, random.get()
   local reading = self.following and not self.state.ended
   local place = loader == self.data and (reading or source.counts(loader))
      and source.state(loader)
   self.within = true
   return trace.finally(function(ok)
      self.within = within
      if place then
         loader:restore(place)
         if reading then
            self.following = workers.read(self, loader, source.begin, loader)
         end
      end
      random.set(generators)
      if ok and not within then
         saving.flush(self)
      end
   end, f, self, loader, ...)
end

--- Loss and metrics on other data, in evaluation and with averaged weights where there are some.
-- @param data as the options `data` and `validation`
-- @return table of values by name: loss, and those of `metrics`
function Trainer:evaluate(data)
   local loader = source.loader('train.Trainer:evaluate', data,
      { batchSize = self.batchSize, shuffle = false })
   local average, precision = self.average, self.precision
   local attached = precision and precision:attach()
   if average then
      average:swap()
   end
   workers.settle(self)
   return trace.finally(function()
      if average then
         average:swap()
      end
      if attached then
         precision:detach()
      end
   end, aside, self, measuring.evaluate, loader, self.evaluationMeters)
end

--- Go on from the latest checkpoint in the folder, if there is one: then `run` continues with the
-- next step, as if it had never been interrupted.
-- @param[opt] which 'best', or a step, in place of the latest
-- @return whether there was one
-- @raise "train.Trainer: 'run/step-00000120.t7': 3.weight is 10x100 in the checkpoint, 20x100 in
-- the model"
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local function trainer(net)
--    return train.Trainer { model = net, criterion = nn.MSECriterion(), seed = 1, log = false,
--       data = { input = torch.ones(8, 2), target = torch.ones(8, 1) }, steps = 4,
--       checkpoint = { folder = 'run', every = 2 } }
-- end
-- trainer(nn.Sequential():add(nn.Linear(2, 1))):run()
-- local again = trainer(nn.Sequential():add(nn.Linear(2, 1)))
-- again:resume(), again.state.t --> true, 4
function Trainer:resume(which)
   if not self.checkpoints then
      options.fail("train.Trainer: resume: there are no checkpoints; checkpoint = 'folder' makes "
         .. "some")
   end
   return resume(self, which)
end

--- Write a checkpoint. From a hook within a step it is written after the step, from onEndEpoch
-- after all hooks of that.
-- @bool[opt=false] best also call it the best
-- @return its path, where it is written at once
function Trainer:save(best)
   if not self.checkpoints then
      options.fail "train.Trainer: save: there is no folder; checkpoint = 'folder' names one"
   end
   return saving.save(self, true, best)
end

--- Tell a figure of one's own, from a hook: the mean of an epoch's values is in its row, and so in
-- every log, in `history` and in what `run` returns; from `onEndEpoch`, the value itself. What is
-- told while other data are measured (`state.training` is false) is among the values of that, in
-- rows as 'validation.NAME'.
-- @string name
-- @param value a number, or a tensor of one element
-- @raise "train.Trainer: log: a figure cannot be called loss, which rows have already"
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local row = train.Trainer {
--    model = nn.Sequential():add(nn.Linear(2, 1)), criterion = nn.MSECriterion(), epochs = 1,
--    data = { input = torch.ones(8, 2), target = torch.ones(8, 1), batchSize = 2 }, log = false,
--    hooks = { onUpdate = function(state) state.trainer:log('steps', state.t) end },
-- }:run()
-- row.steps --> 2.5
function Trainer:log(name, value)
   figures.add(self, name, value)
end

--- End `run` after this step, from a hook.
function Trainer:stop()
   self.state.stop = true
end

--- The network, layer by layer: see `train.summary`.
-- @param[opt] input a batch; by default the first of the data
-- @return an object that prints as a table
function Trainer:summary(input)
   if input == nil then
      local sample = aside(self, function(_, loader)
         source.setEpoch(loader, 1)
         local first = source.begin(loader)()
         source.setEpoch(loader, self.state.epoch + 1)
         return first
      end, self.data)
      input = type(sample) == 'table' and sample.input or nil
   end
   return train.summary(self.model, devices.move(self.place, input))
end

function Trainer:__tostring__()
   return ('train.Trainer(%s, step %d, epoch %d)'):format(torch.type(self.model), self.state.t,
      self.state.epoch)
end

-- Meters of the option `metrics`; copies of those that are the script's objects, where asked for.
function Trainer.__meters(metrics, copied)
   local list = meters.list(metrics, copied)
   list.loss = train.Average()
   return list
end
