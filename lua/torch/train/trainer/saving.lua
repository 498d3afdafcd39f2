--- What a checkpoint of a Trainer holds, and how a Trainer goes on from one.
-- @module torch.train.trainer.saving

local torch = require 'torch'
local nested = require 'nn.nested'
local source = require 'torch.train.data.source'
local environment = require 'distributed.environment'
local random = require 'torch.generators'
local restore = require 'torch.train.checkpoint.restore'
local figures = require 'torch.train.trainer.figures'
local measuring = require 'torch.train.trainer.measuring'
local memory = require 'torch.train.trainer.memory'
local options = require 'torch.options'
local workers = require 'torch.train.trainer.workers'
local staged = require 'torch.train.trainer.staged'
local stages = require 'torch.train.trainer.stages'
local train = require 'torch.train.module'
local vectors = require 'torch.train.trainer.vectors'

local M = {}

local COUNTS = { 'epoch', 'batch', 'samples', 'skipped', 'failed', 't', 'reported',
   'ended' }

-- The fields of an object but for functions and what holds some.
local function fields(object)
   local copy = {}
   for key, value in pairs(object) do
      if type(value) ~= 'function' then
         copy[key] = value
      end
   end
   return copy
end

local function plain(config)
   local copy = {}
   for key, value in pairs(config) do
      local kind = type(value)
      if kind == 'number' or kind == 'boolean' or kind == 'string' then
         copy[key] = value
      end
   end
   return copy
end

-- Schedules that remember (a plateau) are objects; a script's functions are its own affair.
local function schedule_of(self)
   return torch.isTypeOf(self.schedule, 'optim.Schedule') and fields(self.schedule) or nil
end

local function parts_of(self)
   local states = {}
   for _, part in ipairs(self.parts) do
      if part.name and part.state and part.restore then
         states[part.name] = part:state()
      end
   end
   return states
end

-- The averaged parameters by name, as views of the average that `parts` has: it is in a file once.
local function averaged(self)
   local average = self.average and self.average.average
   if not average then
      return nil
   end
   local views = {}
   for i, flat in ipairs(vectors.list(self.state.parameters)) do
      local vector = average.average[i]
      for _, entry in ipairs(train.tensors(self.model)) do
         local t = entry.tensor
         if entry.gradient and not train.isFrozen(entry) and vectors.hold(flat, t) then
            local offset = vector:storageOffset() + t:storageOffset() - flat:storageOffset()
            views[entry.name] = vector.new(vector:storage(), offset, t:size(), t:stride())
         end
      end
   end
   return views
end

-- Handles of their own for what clearing a network would empty.
local function handles(nest)
   return nested.map(function(x)
      return torch.isTensor(x) and not x:isVariable() and x.new():set(x) or x
   end, nest)
end

-- Everything that the training goes on with.
local function checkpoint(self)
   local state = self.state
   workers.settle(self)
   local merged, told = workers.merged(self, self.meters, self.figures)
   local meters = { loss = fields(merged.loss) }
   for i, entry in ipairs(merged) do
      meters[i] = fields(entry[2])
   end
   local counts = {}
   for _, name in ipairs(COUNTS) do
      counts[name] = state[name]
   end
   if self.precision then
      self.precision:release()
   end
   state.output = handles(state.output)
   local recall = memory.keep(self.model)
   self.model:clearState()
   recall() -- what layers remember is no buffer
   local resumed = self.resumed or {} -- and not begun yet
   local generators = resumed.random or random.get()
   local apart = not torch.isTensor(state.parameters) -- on several devices
   staged.collect(self)
   local saved = {
      trainer = 1, -- the version of this table
      run = environment.run(), -- a start of the same run goes on from here
      model = apart and stages.saved_model(self) or self.model,
      vectors = stages.sizes(state.parameters),
      optimizerName = self.optimizerName,
      optimizer = workers.whole_state(self, apart and stages.saved_state(self.optimState)
         or self.optimState),
      config = plain(self.config), given = plain(self.options),
      schedule = schedule_of(self),
      counts = counts, meters = meters, history = self.history,
      random = generators, randoms = workers.gather(self, generators),
      epochRandom = self.epochRandom,
      loader = resumed.loader or source.state(self.data), parts = parts_of(self),
      averaged = staged.joined(self, averaged(self)), figures = figures.saved(told),
   }
   saved.stages = staged.of_all(self, saved)
   return saved
end

--- Write a checkpoint: now, or within a step or an epoch when that is complete.
-- @bool latest among the latest ones
-- @bool best as the best
-- @return its path, where it is written now
function M.save(self, latest, best)
   local wanted = self.wanted or {}
   self.wanted = wanted
   wanted.latest, wanted.best = wanted.latest or latest, wanted.best or best
   return not self.within and M.flush(self) or nil
end

--- Write what was asked for.
function M.flush(self)
   local wanted = self.wanted
   if not wanted then
      return nil
   end
   self.wanted = nil
   if wanted.latest then
      self.savedAt = M.place(self)
   end
   local saved = checkpoint(self) -- in which all processes take part
   if not workers.first(self) then
      return nil
   elseif wanted.latest then
      return self.checkpoints:save(saved, self.state.t, wanted.best)
   end
   return self.checkpoints:saveBest(saved)
end

--- Which moment of the training it is.
function M.place(self)
   return ('%d %d'):format(self.state.t, self.state.epoch)
end

-- What a training has made since, and the file does not know of.
local function forget(self)
   self.following, self.wanted, self.savedAt = nil, nil, nil
   self.model:apply(function(module)
      if type(module.forget) == 'function' then
         module:forget()
      elseif module.rememberStates then
         module:resetStates()
      end
   end)
   for key, value in pairs(self.config) do
      if type(value) == 'number' and self.options[key] == nil and key ~= 'scheduleEvery' then
         self.config[key] = nil
      end
   end
end

-- An object of numbers and tensors as it was saved, without what it has got since.
local function replace(own, saved)
   for key, value in pairs(own) do
      if saved[key] == nil and type(value) ~= 'function' then
         own[key] = nil
      end
   end
   return restore.into(own, saved)
end

local PARTS = { 'optimizer', 'config', 'given', 'counts', 'meters', 'history', 'random', 'parts' }

local function is_complete(saved)
   for _, name in ipairs(PARTS) do
      if type(saved[name]) ~= 'table' then
         return false
      end
   end
   for _, name in ipairs { 'epoch', 'batch', 't' } do
      local count = saved.counts[name]
      if type(count) ~= 'number' or count < 0 or count % 1 ~= 0 then
         return false
      end
   end
   return type(saved.meters.loss) == 'table' and torch.type(saved.random.cpu) == 'torch.ByteTensor'
end

--- Go on from a checkpoint.
-- @string path where it is from, for messages
-- @raise where it is of another architecture or type
function M.go_on(self, path, saved)
   if type(saved) ~= 'table' or saved.trainer ~= 1 or not is_complete(saved) then
      options.fail("train.Trainer: '%s' is no checkpoint of a Trainer", path)
   end
   restore.check(path, self.model, saved.model)
   local theirs_is = saved.optimizerName
   if theirs_is and self.optimizerName and theirs_is ~= self.optimizerName then
      options.fail("train.Trainer: '%s' has what optim.%s remembers, and the optimizer is %s, "
         .. 'which remembers other things; another folder begins anew (train.Checkpoints { folder '
         .. '= ... }:model() is the network alone)', path, theirs_is, self.optimizerName)
   end
   local theirs = staged.part(path, self, saved)
   stages.check(path, theirs.vectors, self.state.parameters)
   forget(self)
   restore.into(self.model, saved.model)
   if torch.isTypeOf(self.state.network, 'nn.DataParallelTable') then
      self.state.network.needsSync = true -- replicas take over the parameters
   end
   local like = vectors.first(self.state.parameters)
   local own = workers.own_state(self, theirs.optimizer)
   self.optimState = torch.isTensor(self.state.parameters) and restore.beside(own, like)
      or stages.restored(own, self.optimizer, self.state.parameters)
   for key, value in pairs(saved.config) do
      if self.options[key] == saved.given[key] then -- not given anew, so what training made of it
         self.config[key] = value
      end
   end
   if saved.schedule and self.schedule then
      replace(self.schedule, saved.schedule)
   end
   restore.into(self.meters.loss, saved.meters.loss)
   for i, entry in ipairs(self.meters) do
      if saved.meters[i] then
         replace(entry[2], saved.meters[i])
      end
   end
   self.figures = figures.restored(saved.figures)
   if workers.divide(self) and not workers.first(self) then -- the first counts for all until here
      measuring.reset(self.meters)
      self.figures = {}
   end
   for _, name in ipairs(COUNTS) do
      self.state[name] = saved.counts[name]
   end
   self.history, self.epochRandom = saved.history, saved.epochRandom
   for _, part in ipairs(self.parts) do
      local state = part.name and theirs.parts[part.name]
      if state and part.restore then
         part:restore(nested.is_table(state) and restore.beside(state, like) or state)
      end
   end
   self.resumed = { loader = saved.loader, random = workers.random_of(self, saved) }
   random.set(self.resumed.random)
end

return M
