--- Timing: the median of several samples, after a warm-up.
--
-- A case is a function body(n) that does its work n times. n is chosen so that one sample takes
-- long enough for the clock; the figure is seconds per repetition.
local torch = require 'torch'
local clock = require 'torch.clock'

local M = {}

local SAMPLES = 9
local SAMPLE_SECONDS = 0.05

local function seconds(body, n)
   local start = clock.now()
   body(n)
   return clock.now() - start
end

-- Repetitions per sample; finding it out is the warm-up, and lets the compiler see the loop.
local function repetitions(body)
   local n = 1
   while true do
      local t = seconds(body, n)
      if t >= SAMPLE_SECONDS then
         return n
      end
      n = t < SAMPLE_SECONDS / 100 and n * 10 or math.ceil(n * 1.2 * SAMPLE_SECONDS / t)
   end
end

-- The median of SAMPLES times sample().
local function median(sample)
   local samples = {}
   for i = 1, SAMPLES do
      collectgarbage()
      samples[i] = sample()
   end
   table.sort(samples)
   return samples[math.ceil(SAMPLES / 2)]
end

local function print_line(name, figure)
   print(('%s\t%d\t%.6g'):format(name, torch.getnumthreads(), figure))
   io.stdout:flush()
end

--- Median of the samples, seconds per repetition.
function M.median(body)
   local n = repetitions(body)
   return median(function()
      return seconds(body, n) / n
   end)
end

--- Measure one case and print it as a line that compare.lua reads.
-- @param name string, the same in bench/pytorch.py for the same case
-- @param body function(n)
-- @param scale number: work in one repetition, when the figure is per item (images, say)
function M.case(name, body, scale)
   print_line(name, M.median(body) / (scale or 1))
end

--- Measure what it costs the host to issue work that a device does later.
-- @param name string
-- @param count number of repetitions in a sample: not more than the device's queue takes
-- @param f function, the work
-- @param settle function that waits for the device, outside of the measured time
function M.issued(name, count, f, settle)
   local function body(n)
      for _ = 1, n do
         f()
      end
   end
   for _ = 1, 20 do -- let the compiler see the loop
      body(count)
      settle()
   end
   print_line(name, median(function()
      local time = seconds(body, count)
      settle()
      return time / count
   end))
end

return M
