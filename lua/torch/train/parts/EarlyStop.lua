--- Whether a value still gets better.
-- @classmod train.EarlyStop
-- @example
-- local train = require 'torch.train'
-- local stop = train.EarlyStop { patience = 1 }
-- stop:observe(2), stop:observe(2.5), stop:observe(2) --> false, false, true

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'

local EarlyStop = torch.class('train.EarlyStop', train)

local KNOWN = { patience = 'natural', mode = { 'min', 'max' }, threshold = 'number' }

--- 'min' for what is named a loss or an error, 'max' for others.
-- @example require('torch.train').EarlyStop.modeOf 'validation.loss' --> 'min'
function EarlyStop.modeOf(name)
   local plain = name:lower()
   return (plain:find 'loss' or plain:find 'error' or plain:find 'perplexity') and 'min' or 'max'
end

--- @tab settings patience (3): values in a row that may be no better; mode ('min', or 'max' for
-- what should rise); threshold (0): by how much a better one differs at least
function EarlyStop:__init(settings)
   settings = options.check('train.EarlyStop', settings or {}, KNOWN)
   self.patience, self.mode = settings.patience or 3, settings.mode or 'min'
   self.threshold = settings.threshold or 0
   self.waited = 0
end

--- Tell it a value; NaN is no better.
-- @number value
-- @return whether to stop: more than `patience` values were no better than the best
function EarlyStop:observe(value)
   local best = self.best
   local gain = best and (self.mode == 'min' and best - value or value - best)
   if value == value and (not best or gain > self.threshold) then
      self.best, self.waited = value, 0
   else
      self.waited = self.waited + 1
   end
   return self.waited > self.patience
end

--- What `restore` takes.
function EarlyStop:state()
   return { best = self.best, waited = self.waited }
end

--- Go on from a state.
function EarlyStop:restore(state)
   self.best, self.waited = state.best, state.waited
end
