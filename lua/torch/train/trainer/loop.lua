--- The loop: epochs and steps.
-- @module torch.train.trainer.loop

local torch = require 'torch'
local source = require 'torch.train.data.source'
local random = require 'torch.generators'
local compute = require 'torch.train.trainer.compute'
local measuring = require 'torch.train.trainer.measuring'
local modes = require 'torch.train.trainer.modes'
local options = require 'torch.options'
local saving = require 'torch.train.trainer.saving'
local vectors = require 'torch.train.trainer.vectors'
local workers = require 'torch.train.trainer.workers'

local M = {}

local function finite(x)
   return x == x and x < math.huge and x > -math.huge
end

local function zero_gradients(self)
   if self.partly then -- what is frozen has gradients outside of the flat vector
      self.state.network:zeroGradParameters()
   else
      vectors.each(function(g) g:zero() end, self.state.gradients)
   end
end

local function nothing() end

-- The epoch's next batch. That there was none is kept: a loader that has seen its end stands at the
-- beginning of the next epoch, while the step that this ended is still to be taken, or saved.
local function next_batch(self)
   local sample = self.following()
   if sample == nil then
      self.state.ended, self.following = true, nothing
   end
   return sample
end

local function note(self, counts)
   local state = self.state
   if self.notFinite == 'skip' and not finite(state.loss) then
      return -- or the mean of the epoch would be NaN
   end
   self.meters.loss:add(state.loss * counts.whole, counts.rows)
   measuring.add(self.meters, state)
end

-- In deterministic mode gradients of batches are added up as those of processes are: each is made
-- from zeros.
local function apart(self, f, sample, last)
   local deterministic = self.workers and self.workers.settings.deterministic
   if not deterministic or self.accumulate == 1 or workers.divide(self)
      or not torch.isTensor(self.state.gradients) then
      return f(self, sample, last)
   end
   local gradients = self.state.gradients
   local before = gradients:clone()
   zero_gradients(self)
   local count, counts = f(self, sample, last)
   gradients:copy(before:add(gradients))
   return count, counts
end

-- The mean gradient and loss of `accumulate` batches, or of those that are left: over their
-- samples, where the loss of a batch is a mean, and over all processes.
local function whole_gradient(self, sample)
   local state, wanted, sum, total, done = self.state, self.accumulate, 0, 0, 0
   local several, parts = workers.divide(self), 0
   zero_gradients(self)
   self.unit = nil
   repeat
      state.batch = state.batch + 1
      local count, counts = apart(self, compute.gradient, sample, done + 1 == wanted)
      state.samples = state.samples + count
      if counts.rows > 0 then
         note(self, counts)
         sum = sum + counts.share * state.loss
      end
      parts = parts + counts.divisor
      total, done = total + counts.weight, done + 1
      sample = done < wanted and next_batch(self) or nil
   until sample == nil
   if several then
      if done < wanted then
         workers.sum(self)
      end
      sum, parts = workers.add(self, sum, parts)
   end
   if done > 1 then
      vectors.each(function(g) g:div(total) end, state.gradients)
   end
   if done > 1 or several then
      state.loss = sum / parts
   end
end

-- Whether the gradient can be used; where not, whether that is a failure: what a scaled loss makes
-- infinite is none.
local function usable(self)
   local state, scaler = self.state, self.scaler
   if scaler and (finite(state.loss) or self.notFinite == 'ignore') then
      local fine = workers.over_stages(self, scaler:unscale(state.gradients) and 0 or 1) == 0
      scaler:update(fine)
      if not fine and scaler.scale < scaler.least then
         options.fail('train.Trainer: the gradients of step %d (epoch %d, batch %d) are not '
            .. "finite at any scale of the loss; precision = 'bfloat16' has the range of float",
            state.t + 1, state.epoch + 1, state.batch)
      end
      return fine, false
   elseif self.notFinite == 'ignore' then
      return true
   end
   local loss, total = state.loss, workers.over_stages(self, vectors.sum(state.gradients))
   -- A sum has an infinite or NaN element's trace, and does not overflow where a norm does.
   if finite(loss) and finite(total) then
      return true
   elseif self.notFinite == 'error' then
      local what = finite(loss) and 'a gradient is infinite or NaN' or ('the loss is %s'):format(
         loss ~= loss and 'NaN' or tostring(loss))
      options.fail('train.Trainer: %s at step %d (epoch %d, batch %d); the parameters '
         .. 'are those before the step. A smaller learningRate or clip may help; '
         .. "notFinite = 'skip' goes on without such batches", what, state.t + 1, state.epoch + 1,
         state.batch)
   end
   return false, true
end

-- Optimisers ask for loss and gradient, most of them once, at the parameters where they are known
-- already; the others get them computed on this batch.
local function feval_of(self)
   local state = self.state
   local parameters = state.parameters
   return function()
      local version = vectors.version(parameters)
      if version == self.known then
         return state.loss, state.gradients
      elseif self.accumulate > 1 or self.scaler then
         options.fail('train.Trainer: %s cannot be used with this optimizer, which asks for the '
            .. 'loss more than once a step', self.accumulate > 1 and 'accumulate'
            or "precision = 'half'")
      end
      zero_gradients(self)
      local _, counts = compute.gradient(self, self.batch, true)
      if workers.divide(self) then
         local sum, parts = workers.add(self, counts.rows > 0 and counts.share * state.loss or 0,
            counts.divisor)
         state.loss = sum / parts
      end
      self.engine:call('onGradients', state)
      self.known = version
      return state.loss, state.gradients
   end
end

local function step(self, sample)
   local state = self.state
   self.batch = sample
   whole_gradient(self, sample)
   local fine, failed = usable(self)
   if fine then
      self.engine:call('onGradients', state)
      self.known = vectors.version(state.parameters)
      self.feval = self.feval or feval_of(self)
      self.optimizer(self.feval, state.parameters, self.config, self.optimState)
      self.known = nil
      state.t = state.t + 1
      self.engine:call('onUpdate', state)
   else
      state.skipped = state.skipped + 1
      state.failed = state.failed + (failed and 1 or 0)
   end
   workers.agree(self)
   saving.flush(self)
end

local function finished(self)
   local state = self.state
   return state.stop or self.steps and state.t >= self.steps
      or self.epochs and state.epoch >= self.epochs
end

-- Make `self.following` the iteration function of the epoch, from where it stands.
local function start(self)
   local state, loader = self.state, self.data
   local resumed = self.resumed
   self.resumed = nil
   if resumed and state.batch > 0 then
      source.setEpoch(loader, state.epoch + 1)
      random.set(self.epochRandom) -- the order may have been drawn with it
      if state.ended then
         source.restoreBetween(loader, resumed.loader)
         self.following = nothing
      else
         self.following = workers.read(self, loader, source.rest, loader, resumed.loader,
            state.batch)
      end
      random.set(resumed.random)
      return
   elseif self.following and state.batch > 0 then
      return
   elseif resumed then
      source.restoreBetween(loader, resumed.loader)
      random.set(resumed.random) -- whatever onStart drew
   end
   state.batch, state.samples, state.skipped, state.failed = 0, 0, 0, 0
   state.ended = nil
   source.setEpoch(loader, state.epoch + 1)
   self.engine:call('onStartEpoch', state)
   self.epochRandom = random.get()
   self.following = workers.read(self, loader, source.begin, loader)
end

--- One epoch, or what is left of it. Gives false where the training ended within it.
function M.epoch(self)
   local state = self.state
   start(self)
   modes.training(state.network)
   local length = source.size(self.data)
   while true do
      if finished(self) and state.batch > 0 and state.batch ~= length then
         return false -- and a run that goes on finds `following`
      end
      local sample = next_batch(self)
      if sample == nil then
         break
      end
      step(self, sample)
   end
   if state.batch == 0 then
      options.fail('train.Trainer: epoch %d has no batches: is the loader at its end, or an '
         .. 'iteration function in place of a function that returns one?', state.epoch + 1)
   elseif state.failed >= math.ceil(state.batch / self.accumulate) then
      options.fail('train.Trainer: no batch of epoch %d gave a finite loss and gradient',
         state.epoch + 1)
   end
   state.epoch, self.following = state.epoch + 1, nil
   source.setEpoch(self.data, state.epoch + 1) -- where a checkpoint from here goes on
   return true
end

M.finished = finished

return M
