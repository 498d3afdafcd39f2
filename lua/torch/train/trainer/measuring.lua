--- Loss and metrics: over the batches of an epoch, or of other data.
-- @module torch.train.trainer.measuring

local trace = require 'torch.errors.trace'
local source = require 'torch.train.data.source'
local compute = require 'torch.train.trainer.compute'
local modes = require 'torch.train.trainer.modes'
local figures = require 'torch.train.trainer.figures'
local options = require 'torch.options'
local workers = require 'torch.train.trainer.workers'

local M = {}

-- What a batch leaves in the state.
local OWN = { 'training', 'batch', 'sample', 'output', 'loss' }

local function measure(self, loader, meters)
   local state = self.state
   M.reset(meters)
   source.setEpoch(loader, 1)
   for sample in workers.read(self, loader, source.begin, loader) do
      state.batch = state.batch + 1
      local count, loss = compute.loss(self, sample)
      if count > 0 then
         meters.loss:add(loss, count)
         M.add(meters, state)
      end
   end
   if state.batch == 0 then
      options.fail 'train.Trainer: evaluate: the data have no batches, so there is no loss'
   end
end

--- Loss and metrics of the network in evaluation; everything is as it was afterwards.
-- @return table of values by name
function M.evaluate(self, loader, meters)
   local state = self.state
   local before, own, row = {}, self.figures, self.row
   for _, name in ipairs(OWN) do
      before[name] = state[name]
   end
   state.training, state.batch = false, 0
   self.figures, self.row = {}, nil
   local reading = self.reading
   self.reading = loader
   local back = modes.evaluate(state.network)
   local told
   trace.finally(function()
      for _, name in ipairs(OWN) do
         state[name] = before[name]
      end
      back()
      told = self.figures
      self.figures, self.row = own, row
      self.reading = reading
   end, measure, self, loader, meters)
   return M.report(self, meters, told)
end

--- Tell meters of a batch: of numbers, not of what they were computed from.
function M.add(meters, state)
   if #meters > 0 then
      local output = compute.detached(state.output)
      for _, entry in ipairs(meters) do
         entry[2]:add(output, state.sample.target)
      end
   end
end

--- What meters show.
function M.values(meters)
   local values = { loss = meters.loss:value() }
   for _, entry in ipairs(meters) do
      values[entry[1]] = entry[2]:value()
   end
   return values
end

--- What meters and figures show, over all processes.
function M.report(self, meters, told)
   local merged, means = workers.merged(self, meters, told)
   return figures.into(M.values(merged), means)
end

--- Begin to measure anew.
function M.reset(meters)
   meters.loss:reset()
   for _, entry in ipairs(meters) do
      entry[2]:reset()
   end
end

return M
