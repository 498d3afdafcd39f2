--- What a checkpoint of a Trainer holds, and how a Trainer goes on from one.
-- @module torch.train.trainer.saving

local torch = require 'torch'
local nested = require 'nn.nested'
local source = require 'torch.train.data.source'
local random = require 'torch.train.checkpoint.random'
local restore = require 'torch.train.checkpoint.restore'
local options = require 'torch.train.options'

local M = {}

local COUNTS = { 'epoch', 'batch', 'samples', 'skipped', 't', 'reported' }

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

--- Everything that the training goes on with.
function M.checkpoint(self)
   local state = self.state
   local meters = { loss = fields(self.meters.loss) }
   for i, entry in ipairs(self.meters) do
      meters[i] = fields(entry[2])
   end
   local counts = {}
   for _, name in ipairs(COUNTS) do
      counts[name] = state[name]
   end
   if self.precision then
      self.precision:release()
   end
   self.model:clearState()
   return {
      trainer = 1, -- the version of this table
      model = self.model,
      optimizer = self.optimState, config = plain(self.config), given = plain(self.options),
      schedule = schedule_of(self),
      counts = counts, meters = meters, history = self.history,
      random = random.get(), epochRandom = self.epochRandom,
      loader = source.state(self.data), parts = parts_of(self),
   }
end

--- Go on from a checkpoint.
-- @string path where it is from, for messages
-- @raise where it is of another architecture or type
function M.go_on(self, path, saved)
   if type(saved) ~= 'table' or saved.trainer ~= 1 then
      options.fail("train.Trainer: '%s' is no checkpoint of a Trainer", path)
   end
   restore.check(path, self.model, saved.model)
   restore.into(self.model, saved.model)
   if self.state.network ~= self.model then
      self.state.network.needsSync = true -- replicas take over the parameters
   end
   local like = self.state.parameters
   self.optimState = restore.beside(saved.optimizer, like)
   for key, value in pairs(saved.config) do
      if self.options[key] == saved.given[key] then -- not given anew, so what training made of it
         self.config[key] = value
      end
   end
   if saved.schedule and self.schedule then
      restore.into(self.schedule, saved.schedule)
   end
   restore.into(self.meters.loss, saved.meters.loss)
   for i, entry in ipairs(self.meters) do
      restore.into(entry[2], saved.meters[i] or {})
   end
   for _, name in ipairs(COUNTS) do
      self.state[name] = saved.counts[name]
   end
   self.history, self.epochRandom = saved.history, saved.epochRandom
   for _, part in ipairs(self.parts) do
      local state = part.name and saved.parts[part.name]
      if state and part.restore then
         part:restore(nested.is_table(state) and restore.beside(state, like) or state)
      end
   end
   self.resumed = { loader = saved.loader, random = saved.random }
   random.set(saved.random)
end

return M
