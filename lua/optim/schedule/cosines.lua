--- Schedules made of cosines.
-- @module optim.schedule.cosines

local base = require 'optim.schedule.base'

local factors = base.factors
local M = {}

-- Half a cosine from `first` to `last`, at a share of the way.
local function half_cosine(first, last, share)
   return last + (first - last) * (1 + math.cos(math.pi * share)) / 2
end

--- f(n) = last + (1 - last) (1 + cos(pi min(n / length, 1))) / 2.
-- Source: Loshchilov and Hutter, "SGDR", ICLR 2017 (arXiv:1608.03983), equation 5.
-- @number length
-- @number[opt=0] last the factor from `length` on
-- @example
-- math.abs(optim.schedule.cosine(90)(45) - 0.5) < 1e-12 --> true
function M.cosine(length, last)
   return base.made('cosine', 'length', length, { last = last or 0 })
end
function factors.cosine(self, n)
   return half_cosine(1, self.last, base.progress(self, n))
end

--- A cosine that begins again after `length`, and each time lasts `grow` times as long.
-- Source: Loshchilov and Hutter, "SGDR", ICLR 2017 (arXiv:1608.03983), section 3.
-- @number length of the first run
-- @number[opt=1] grow at least 1
-- @number[opt=0] last the factor before each start
-- @example
-- optim.schedule.cosineRestarts(10, 2)(30) --> 1
function M.cosineRestarts(length, grow, last)
   base.check('cosineRestarts', 'grow', grow or 1, 1)
   return base.made('cosineRestarts', 'length', length, { grow = grow or 1, last = last or 0 })
end
function factors.cosineRestarts(self, n)
   local length, grow = self.length, self.grow
   if grow == 1 then
      return half_cosine(1, self.last, n % length / length)
   end
   while n >= length do
      n = n - length
      length = length * grow
   end
   return half_cosine(1, self.last, n / length)
end

--- One cycle: half a cosine from `first` up to 1, another down to `last`.
--
-- With p = peak length - 1, f rises from n = 0 to n = p, and falls from there to n = length - 1.
-- Source: Smith and Topin, "Super-convergence", 2018 (arXiv:1708.07120).
-- @number length steps altogether
-- @number[opt=0.3] peak the share of them that rises
-- @number[opt=0.04] first
-- @number[opt=4e-6] last
-- @example
-- local f = optim.schedule.oneCycle(100, 0.3)
-- f(0), f(29) --> 0.04, 1
function M.oneCycle(length, peak, first, last)
   return base.made('oneCycle', 'length', length, { peak = peak or 0.3, first = first or 1 / 25,
      last = last or 1 / 25e4 })
end
function factors.oneCycle(self, n)
   local top, finish = self.peak * self.length - 1, self.length - 1
   if n <= top then
      return half_cosine(self.first, 1, n / top)
   end
   return half_cosine(1, self.last, math.min((n - top) / (finish - top), 1))
end

return M
