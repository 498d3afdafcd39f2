--- Which range of a value's numbers 8 bits should cover, found out from samples of them.
--
--    range        from the least to the largest
--    average      the batches' least and largest, averaged with a weight of 0.9 for what was before
--    percentile   all but a share of the numbers at either end
--    entropy      the range that loses the least information (Kullback and Leibler's divergence)
--                 Source: Migacz, 8-bit inference with TensorRT, GTC 2017.
--
-- @module nn.quantization.observers

local torch = require 'torch'

local M = {}

local BINS = 2048

--- The kinds of observers.
M.kinds = { 'range', 'average', 'percentile', 'entropy' }

--- Extremes of all that is seen.
-- @treturn table { see = function(self, x, its least, its largest), low, high }
function M.extremes()
   return {
      see = function(self, _, low, high)
         self.low = math.min(self.low or low, low)
         self.high = math.max(self.high or high, high)
      end,
   }
end

--- Extremes of batches, averaged.
-- @number[opt=0.9] momentum the weight of what was before
function M.averages(momentum)
   momentum = momentum or 0.9
   return {
      see = function(self, _, low, high)
         self.low = self.low and momentum * self.low + (1 - momentum) * low or low
         self.high = self.high and momentum * self.high + (1 - momentum) * high or high
      end,
   }
end

--- How often numbers of a known range come.
-- @number low
-- @number high
function M.histogram(low, high)
   return {
      low = low, high = high, counts = torch.DoubleTensor(BINS):zero(),
      see = function(self, x)
         if self.low < self.high then
            self.counts:add(x:double():histc(BINS, self.low, self.high))
         end
      end,
   }
end

--- The range that leaves out a share of the numbers at either end.
-- @tparam table histogram
-- @number share of the numbers that are inside, such as 0.9999
-- @treturn number low
-- @treturn number high
function M.percentile(histogram, share)
   local counts, total = histogram.counts, histogram.counts:sum()
   local outside = total * (1 - share) / 2
   local width = (histogram.high - histogram.low) / BINS
   local first, last, left, right = 1, BINS, 0, 0
   while first < last and left + counts[first] <= outside do
      left, first = left + counts[first], first + 1
   end
   while last > first and right + counts[last] <= outside do
      right, last = right + counts[last], last - 1
   end
   return histogram.low + (first - 1) * width, histogram.low + last * width
end

-- The divergence of the first n bins, those beyond in the last of them, from themselves in
-- `levels`.
local function divergence(counts, n, levels, beyond)
   local total, kl = beyond, 0
   for i = 1, n do
      total = total + counts[i]
   end
   for level = 1, levels do
      local from, to = math.floor((level - 1) * n / levels) + 1, math.floor(level * n / levels)
      local sum, filled = 0, 0
      for i = from, to do
         sum = sum + counts[i]
         filled = filled + (counts[i] > 0 and 1 or 0)
      end
      for i = from, to do
         local p = counts[i] + (i == n and beyond or 0)
         if p > 0 then
            local q = counts[i] > 0 and sum / filled or 1e-4
            kl = kl + p * math.log(p / q)
         end
      end
   end
   -- With P = p / total and Q = q / (total - beyond).
   return kl / total - math.log(total / math.max(total - beyond, 1))
end

-- The histogram of magnitudes, as a table.
local function magnitudes(histogram)
   local most = math.max(-histogram.low, histogram.high)
   local width, folded = (histogram.high - histogram.low) / BINS, {}
   for i = 1, BINS do
      folded[i] = 0
   end
   for i = 1, BINS do
      local centre = math.abs(histogram.low + (i - 0.5) * width)
      local bin = math.min(math.floor(centre / most * BINS) + 1, BINS)
      folded[bin] = folded[bin] + histogram.counts[i]
   end
   folded[1] = folded[2] -- the many zeros of rectifiers are exact in any range
   return folded, most
end

--- The range, as wide to both sides of 0, that loses the least information.
-- @tparam table histogram
-- @treturn number low
-- @treturn number high
function M.entropy(histogram)
   local low, high = histogram.low, histogram.high
   if low >= high then
      return low, high
   end
   local counts, most = magnitudes(histogram)
   local levels = low < 0 and 128 or 256
   local beyond, best, threshold = 0, math.huge, most
   for n = BINS, levels, -1 do
      if n % 16 == 0 then
         local kl = divergence(counts, n, levels, beyond)
         if kl < best then
            best, threshold = kl, n * most / BINS
         end
      end
      beyond = beyond + counts[n]
   end
   return math.max(low, -threshold), math.min(high, threshold)
end

return M
