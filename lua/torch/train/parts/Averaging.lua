--- Averages of weights while a network trains: optim.EMA or optim.SWA, at the steps that are asked
-- for.
-- @classmod train.Averaging
-- @example
-- local train = require 'torch.train'
-- local x = torch.zeros(1)
-- local average = train.Averaging(x, { kind = 'swa' })
-- for epoch = 1, 3 do
--    x:fill(epoch)
--    average:onEndEpoch { epoch = epoch }
-- end
-- average:swap()
-- x[1] --> 2

local torch = require 'torch'
local optim = require 'optim'
local train = require 'torch.train.module'
local options = require 'torch.options'

local Averaging = torch.class('train.Averaging', train)

local KNOWN = {
   kind = { 'ema', 'swa' }, decay = 'share', warmup = 'boolean', from = 'number', every = 'count',
}

--- @tparam Tensor parameters
-- @param settings 'ema', 'swa', or a table: kind ('ema'); decay (0.999) and warmup (true) of 'ema';
-- from (0): epochs that do not count; every: steps from one update to the next (1 for 'ema'; 'swa'
-- is updated at the end of epochs without)
function Averaging:__init(parameters, settings)
   if type(settings) == 'string' then
      settings = { kind = settings }
   end
   settings = options.check('train.Averaging', settings, KNOWN)
   self.name = 'average'
   self.kind, self.from = settings.kind or 'ema', settings.from or 0
   self.every = settings.every or self.kind == 'ema' and 1 or nil
   self.parameters = parameters
   self.settings = settings
end

-- The average begins with the weights at the first update that counts.
local function update(self)
   if not self.average then
      local s = self.settings
      self.average = self.kind == 'ema' and optim.EMA(self.parameters, s.decay, s.warmup ~= false)
         or optim.SWA(self.parameters)
   end
   self.average:update()
end

--- After a step.
function Averaging:onUpdate(state)
   if self.every and state.epoch >= self.from and state.t % self.every == 0 then
      update(self)
   end
end

--- After an epoch.
function Averaging:onEndEpoch(state)
   if not self.every and state.epoch > self.from then
      update(self)
   end
end

--- Exchange weights and average, where there is one yet; once more to go on.
function Averaging:swap()
   if self.average then
      self.average:swap()
   end
end

--- Leave the average in the network.
function Averaging:finish()
   if self.average then
      self.average:copyTo()
   end
end

--- What `restore` takes.
function Averaging:state()
   return self.average and { average = self.average.average, t = self.average.t } or {}
end

--- Go on from a state.
function Averaging:restore(state)
   self.average = nil
   if state.average then
      update(self)
      self.average.t = state.t
      for i, a in ipairs(state.average) do
         self.average.average[i]:copy(a)
      end
   end
end
