--- Gradient accumulation: several small batches count as one large one.
-- @module optim.accumulate

local torch = require 'torch'
local raise = require('torch.errors').raise
local step = require 'optim.step'
local like = require('torch.ffi').like

--- An opfunc that calls another one several times, and returns the means of loss and gradient.
--
-- (f, g) = sum over i = 1 ... count of opfunc(x, i), / count. opfunc takes the next batch each time
-- and zeroes its gradient, as ever; what it returns may be one tensor every time.
-- @param opfunc function: x, i -> loss, gradient
-- @number count how many batches make a step
-- @return function: x -> loss, gradient, for any optimiser that asks once a step
-- @raise "accumulate: count is 0, expected a whole number of at least 1"
-- @example
-- local function batch(x, i) return i, torch.Tensor { 2 * i } end
-- local loss, gradient = optim.accumulate(batch, 3)(torch.zeros(1))
-- loss --> 2
-- gradient[1] --> 4
local function accumulate(opfunc, count)
   step.callable('accumulate', 'opfunc', opfunc, 'a function that returns loss, gradient')
   if type(count) ~= 'number' or count < 1 or count % 1 ~= 0 then
      raise(('accumulate: count is %s, expected a whole number of at least 1'):format(
         type(count) == 'number' and tostring(count) or 'a ' .. torch.type(count)))
   end
   local sum
   return function(x)
      local loss, g = step.evaluate('accumulate', function(p) return opfunc(p, 1) end, x)
      sum = sum and torch.type(sum) == torch.type(g) and sum or like(g)
      sum:resizeAs(g):copy(g)
      for i = 2, count do
         local more
         more, g = step.evaluate('accumulate', function(p) return opfunc(p, i) end, x)
         loss = loss + more
         sum:add(g)
      end
      return loss / count, sum:div(count)
   end
end

return accumulate
