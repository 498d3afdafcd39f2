--- The loop: epochs, steps, evaluation.
-- @module torch.train.trainer.loop

local source = require 'torch.train.data.source'
local random = require 'torch.train.checkpoint.random'
local compute = require 'torch.train.trainer.compute'
local options = require 'torch.train.options'

local M = {}

local INFINITE = math.huge

local function zero_gradients(self)
   if self.partly then -- what is frozen has gradients outside of the flat vector
      self.state.network:zeroGradParameters()
   else
      self.state.gradients:zero()
   end
end

local function note(self, count)
   local state = self.state
   self.meters.loss:add(state.loss, count)
   for _, entry in ipairs(self.meters) do
      entry[2]:add(state.output, state.sample.target)
   end
end

-- The mean gradient and loss of `accumulate` batches, or of those that are left.
local function whole_gradient(self, following, sample)
   local state, wanted, sum, done = self.state, self.accumulate, 0, 0
   zero_gradients(self)
   repeat
      state.batch = state.batch + 1
      compute.gradient(self, compute.sample(self, sample))
      local count = compute.count(state.sample)
      state.samples = state.samples + count
      note(self, count)
      sum, done = sum + state.loss, done + 1
      sample = done < wanted and following() or nil
   until sample == nil
   if done > 1 then
      state.gradients:div(done)
      state.loss = sum / done
   end
end

-- Whether the gradient can be used. What a scaled loss makes infinite is no failure.
local function usable(self)
   local state, scaler = self.state, self.scaler
   if scaler then
      local fine = scaler:unscale(state.gradients)
      scaler:update(fine)
      if not fine and scaler.scale < scaler.least then
         options.fail('train.Trainer: the gradients of step %d (epoch %d, batch %d) are not '
            .. 'finite at any '
            .. "scale of the loss; precision = 'bfloat16' has the range of float", state.t + 1,
            state.epoch + 1, state.batch)
      end
      return fine
   end
   local loss = state.loss
   if loss == loss and loss < INFINITE and loss > -INFINITE or self.notFinite == 'ignore' then
      return true
   elseif self.notFinite == 'error' then
      options.fail("train.Trainer: the loss is %s at step %d (epoch %d, batch %d); the parameters "
         .. "are "
         .. "those before the step. A smaller learningRate or clip may help; notFinite = 'skip' "
         .. "goes "
         .. 'on without such batches', loss ~= loss and 'NaN' or tostring(loss), state.t + 1,
         state.epoch + 1, state.batch)
   end
   return false
end

-- Optimisers ask for loss and gradient, most of them once, at the parameters where they are known
-- already; the others get them computed on this batch.
local function feval_of(self)
   local state = self.state
   local parameters = state.parameters
   local store = parameters.store
   return function(asked)
      local version = store and store.version[0]
      if version == self.known then
         return state.loss, state.gradients
      elseif self.accumulate > 1 or self.scaler then
         options.fail("train.Trainer: %s cannot be used with this optimizer, which asks for the "
            .. "loss more "
            .. 'than once a step', self.accumulate > 1 and 'accumulate' or "precision = 'half'")
      end
      zero_gradients(self)
      compute.gradient(self, state.sample)
      self.engine:call('onGradients', state)
      self.known = version
      return state.loss, state.gradients, asked
   end
end

local function step(self, following, sample)
   local state = self.state
   whole_gradient(self, following, sample)
   if usable(self) then
      self.engine:call('onGradients', state)
      self.known = state.parameters.store and state.parameters.store.version[0]
      self.feval = self.feval or feval_of(self)
      self.optimizer(self.feval, state.parameters, self.config, self.optimState)
      self.known = nil
      state.t = state.t + 1
      self.engine:call('onUpdate', state)
   else
      state.skipped = state.skipped + 1
   end
end

local function finished(self)
   local state = self.state
   return state.stop or self.steps and state.t >= self.steps
      or self.epochs and state.epoch >= self.epochs
end

-- The iteration function of the epoch, from where it stands.
local function start(self)
   local state, loader = self.state, self.data
   local resumed, following = self.resumed, self.following
   self.resumed, self.following = nil, nil
   if resumed and state.batch > 0 then
      source.setEpoch(loader, state.epoch + 1)
      if not resumed.loader then
         random.set(self.epochRandom) -- the order was drawn with it
      end
      following = source.rest(loader, resumed.loader, state.batch)
      random.set(resumed.random)
      return following
   elseif following and state.batch > 0 then
      return following
   end
   state.batch, state.samples, state.skipped = 0, 0, 0
   source.setEpoch(loader, state.epoch + 1)
   self.epochRandom = random.get()
   self.engine:call('onStartEpoch', state)
   return loader()
end

--- One epoch, or what is left of it. Gives false where the training ended within it.
function M.epoch(self)
   local state, following = self.state, start(self)
   state.network:training()
   local length = source.size(self.data)
   while true do
      if finished(self) and state.batch > 0 and state.batch ~= length then
         self.following = following -- for a run that goes on
         return false
      end
      local sample = following()
      if sample == nil then
         break
      end
      step(self, following, sample)
   end
   if state.batch == 0 then
      options.fail('train.Trainer: epoch %d has no batches: is the loader at its end, or an '
         .. 'iteration '
         .. 'function in place of a function that returns one?', state.epoch + 1)
   elseif state.skipped > 0 and state.t == 0 then
      options.fail('train.Trainer: no batch of epoch %d gave a finite loss', state.epoch + 1)
   end
   state.epoch = state.epoch + 1
   return true
end

--- Loss and metrics of the network in evaluation.
-- @return table of values by name
function M.evaluate(self, loader, meters)
   local state = self.state
   local before = { sample = state.sample, loss = state.loss, output = state.output,
      batch = state.batch, training = state.training }
   local function back()
      for name, value in pairs(before) do
         state[name] = value
      end
      state.network:training()
   end
   state.training, state.batch = false, 0
   state.network:evaluate()
   meters.loss:reset()
   for _, entry in ipairs(meters) do
      entry[2]:reset()
   end
   source.setEpoch(loader, 1)
   local ok, message = xpcall(function()
      for sample in loader() do
         state.batch = state.batch + 1
         compute.loss(self, compute.sample(self, sample))
         meters.loss:add(state.loss, compute.count(state.sample))
         for _, entry in ipairs(meters) do
            entry[2]:add(state.output, state.sample.target)
         end
      end
   end, function(m) return m end)
   back()
   if not ok then
      error(message, 0)
   end
   return M.values(meters)
end

--- What meters show.
function M.values(meters, prefix)
   prefix = prefix or ''
   local values = { [prefix .. 'loss'] = meters.loss:value() }
   for _, entry in ipairs(meters) do
      values[prefix .. entry[1]] = entry[2]:value()
   end
   return values
end

M.finished = finished

return M
