--- A schedule of learning rates: what the functions of `optim.schedule` return, and is called with
-- the number of steps or epochs so far. Its fields are its kind and its options.
-- @classmod optim.Schedule
-- @usage config.learningRate = 0.1 * optim.schedule.cosine(90)(epoch - 1)

local torch = require 'torch'
local optim = require 'optim'
local raise = require('torch.errors').raise

local Schedule = torch.class('optim.Schedule', optim)

local M = {
   --- name -> a function of the schedule and n: the factor.
   factors = {},
}

--- @string kind a name of optim.schedule
-- @tab options its options, kept as fields
function Schedule:__init(kind, options)
   self.kind = kind
   for name, value in pairs(options) do
      self[name] = value
   end
end

--- The factor after n steps or epochs.
-- @number n 0 or more; need not be whole
-- @raise "optim.schedule.cosine: n is nil, expected how many steps or epochs were taken"
function Schedule:__call(n)
   if type(n) ~= 'number' or n ~= n then
      raise(('optim.schedule.%s: n is %s, expected how many steps or epochs were taken'):format(
         self.kind, type(n) == 'number' and 'NaN' or torch.type(n)))
   end
   return M.factors[self.kind](self, n)
end

function Schedule:__tostring__()
   local parts = {}
   for name, value in pairs(self) do
      if type(value) == 'number' and name ~= 'n' then
         parts[#parts + 1] = ('%s = %g'):format(name, value)
      end
   end
   table.sort(parts)
   return ('optim.schedule.%s(%s)'):format(self.kind, table.concat(parts, ', '))
end

-- --- options ------------------------------------------------------------------------------------

--- A number that an option is, of at least `least`.
function M.check(kind, what, value, least)
   if type(value) ~= 'number' or value ~= value or (least and value < least) then
      raise(('optim.schedule.%s: %s is %s, expected a number%s'):format(kind, what,
         type(value) == 'number' and tostring(value) or value == nil and 'nil'
            or 'a ' .. torch.type(value),
         least and (' of at least %g'):format(least) or ''))
   end
   return value
end

--- A schedule of numbers, all checked; `length` and `every` are positive.
-- @string kind
-- @string first the option that has no default
-- @param value its value
-- @tab[opt] options the others, by name
function M.made(kind, first, value, options)
   options = options or {}
   options[first] = M.check(kind, first, value, (first == 'length' or first == 'every') and 1e-9)
   for name, number in pairs(options) do
      M.check(kind, name, number)
   end
   return optim.Schedule(kind, options)
end

--- A schedule that another one is made of.
function M.checkSchedule(kind, value)
   if not torch.isTypeOf(value, 'optim.Schedule') then
      raise(('optim.schedule.%s: got a %s, expected a schedule such as optim.schedule.cosine(90)')
         :format(kind, torch.type(value)))
   end
   return value
end

--- The share of its length that a schedule has behind it.
function M.progress(self, n)
   return math.min(math.max(n / self.length, 0), 1)
end

return M
