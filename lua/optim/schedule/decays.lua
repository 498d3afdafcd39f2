--- Schedules that fall, once or by and by.
-- @module optim.schedule.decays

local torch = require 'torch'
local base = require 'optim.schedule.base'
local raise = require('torch.errors').raise

local factors = base.factors
local M = {}

--- f(n) = factor.
-- @number[opt=1] factor
-- @example optim.schedule.constant(0.1)(7) --> 0.1
function M.constant(factor)
   return base.made('constant', 'factor', factor or 1)
end
function factors.constant(self)
   return self.factor
end

--- f(n) = gamma^floor(n / every).
-- @number every how many steps or epochs a rate lasts
-- @number[opt=0.1] gamma
-- @example
-- optim.schedule.step(30)(59) --> 0.1
function M.step(every, gamma)
   return base.made('step', 'every', every, { gamma = gamma or 0.1 })
end
function factors.step(self, n)
   return self.gamma ^ math.floor(n / self.every)
end

--- f(n) = gamma^k, k being how many of the milestones n has reached.
-- @tab milestones list of numbers
-- @number[opt=0.1] gamma
-- @example
-- optim.schedule.multistep({ 30, 60 }, 0.5)(60) --> 0.25
function M.multistep(milestones, gamma)
   if type(milestones) ~= 'table' then
      raise(('optim.schedule.multistep: milestones is a %s, expected a list such as { 30, 60 }')
         :format(torch.type(milestones)))
   end
   for i = 1, math.max(#milestones, 1) do
      base.check('multistep', 'milestone ' .. i, milestones[i])
   end
   local schedule = base.made('multistep', 'gamma', gamma or 0.1)
   schedule.milestones = milestones
   return schedule
end
function factors.multistep(self, n)
   local reached = 0
   for _, milestone in ipairs(self.milestones) do
      reached = n >= milestone and reached + 1 or reached
   end
   return self.gamma ^ reached
end

--- f(n) = gamma^n.
-- @number gamma
-- @example optim.schedule.exponential(0.5)(3) --> 0.125
function M.exponential(gamma)
   return base.made('exponential', 'gamma', gamma)
end
function factors.exponential(self, n)
   return self.gamma ^ n
end

--- f(n) = first + (last - first) min(n / length, 1).
-- @number length
-- @number[opt=1] first
-- @number[opt=0] last
-- @example optim.schedule.linear(10)(5) --> 0.5
function M.linear(length, first, last)
   return base.made('linear', 'length', length, { first = first or 1, last = last or 0 })
end
function factors.linear(self, n)
   return self.first + (self.last - self.first) * base.progress(self, n)
end

--- f(n) = last + (1 - last) (1 - min(n / length, 1))^power.
-- @number length
-- @number[opt=1] power
-- @number[opt=0] last
-- @example optim.schedule.polynomial(10, 2)(5) --> 0.25
function M.polynomial(length, power, last)
   return base.made('polynomial', 'length', length, { power = power or 1, last = last or 0 })
end
function factors.polynomial(self, n)
   return self.last + (1 - self.last) * (1 - base.progress(self, n)) ^ self.power
end

return M
