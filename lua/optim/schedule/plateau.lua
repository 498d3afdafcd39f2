--- The schedule that waits for a loss.
-- @module optim.schedule.plateau

local optim = require 'optim'
local base = require 'optim.schedule.base'
local raise = require('torch.errors').raise
local read = require('torch.options').read

local factors = base.factors
local M = {}

local OPTIONS = {
   gamma = { 'number', 0.1 }, patience = { 'number', 10 }, threshold = { 'number', 1e-4 },
   cooldown = { 'number', 0 }, least = { 'number', 0 }, mode = { { 'min', 'max' }, 'min' },
}

--- Less whenever a loss has stopped falling: the factor is what `observe` has made of it.
--
-- A loss counts as lower below (1 - threshold) of the lowest so far. After more than `patience`
-- that are not, the factor becomes max(least, factor gamma), and `cooldown` losses are not counted.
-- @tab[opt] options gamma (0.1), patience (10), threshold (1e-4), cooldown (0), least (0), mode
-- ('min', or 'max' for what should rise)
-- @raise "optim.schedule.plateau: there is no option 'patients'; near: patience"
-- @usage
-- local plateau = optim.schedule.plateau { patience = 3 }
-- optim.schedule.attach(config, plateau)
-- plateau:observe(validationLoss) -- after each epoch
-- @example
-- local f = optim.schedule.plateau { patience = 0 }
-- f:observe(1)
-- f:observe(1) --> 0.1
function M.plateau(options)
   local given = read('optim.schedule.plateau', options, OPTIONS)
   local schedule = base.made('plateau', 'gamma', given.gamma, {
      patience = given.patience, threshold = given.threshold, cooldown = given.cooldown,
      least = given.least, factor = 1, waited = 0, cooling = 0,
   })
   schedule.mode = given.mode
   return schedule
end
function factors.plateau(self)
   return self.factor
end

--- Tell a plateau the loss of an epoch.
-- @number loss
-- @return the factor from now on
function optim.Schedule:observe(loss)
   if self.kind ~= 'plateau' then
      raise(('optim.schedule.%s: only a plateau observes losses'):format(self.kind))
   end
   base.check('plateau', 'loss', tonumber(loss))
   local best = self.best
   local better = not best or (self.mode == 'min' and loss < best * (1 - self.threshold))
      or (self.mode == 'max' and loss > best * (1 + self.threshold))
   if better then
      self.best, self.waited = loss, 0
   else
      self.waited = self.waited + 1
   end
   if self.cooling > 0 then
      self.cooling, self.waited = self.cooling - 1, 0
   end
   if self.waited > self.patience then
      self.factor = math.max(self.least, self.factor * self.gamma)
      self.cooling, self.waited = self.cooldown, 0
   end
   return self.factor
end

return M
