--- Timing: the median of several samples, after a warm-up.
--
-- A case is a function body(n) that does its work n times. n is chosen so that one sample takes
-- long enough for the clock; the figure is seconds per repetition.
local torch = require 'torch'
local clock = require 'torch.clock'

local M = {}

local QUICK = os.getenv 'QUICK'
local SAMPLES = QUICK and 5 or 9
local SAMPLE_SECONDS = QUICK and 0.01 or 0.05

-- Words that the names of the cases to be run contain.
local words = {}
for word in (os.getenv 'ONLY' or ''):gmatch '%S+' do
   words[#words + 1] = word
end

--- Whether a case is asked for.
function M.wanted(name)
   for _, word in ipairs(words) do
      if not name:find(word, 1, true) then
         return false
      end
   end
   return true
end

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

local function print_line(name, figure, goal)
   print(('%s\t%d\t%.6g\t%s'):format(name, torch.getnumthreads(), figure, goal or ''))
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
-- @param name string, the same in the Python file for the same case
-- @param body function(n)
-- @param scale number: work in one repetition, when the figure is per item (images, say)
-- @param goal number: how many times as fast as its peer it should be
function M.case(name, body, scale, goal)
   if M.wanted(name) then
      print_line(name, M.median(body) / (scale or 1), goal)
   end
end

--- Measure several functions by turns, so that what else a machine does is felt by all: the least
-- processor time of a call, on one thread.
-- @param cases list of { name, f, goal }
function M.by_turns(cases)
   local least = {}
   for round = 0, SAMPLES do -- the first one is the warm-up
      for i, case in ipairs(cases) do
         local start = os.clock()
         case[2]()
         local time = os.clock() - start
         least[i] = round > 0 and math.min(least[i] or time, time) or nil
      end
   end
   for i, case in ipairs(cases) do
      print_line(case[1], least[i], case[3])
   end
end

--- Measure what it costs the host to issue work that a device does later.
-- @param name string
-- @param count number of repetitions in a sample: not more than the device's queue takes
-- @param f function, the work
-- @param settle function that waits for the device, outside of the measured time
function M.issued(name, count, f, settle)
   if not M.wanted(name) then
      return
   end
   local body = M.loop(f)
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

--- A case's body that calls f again and again. Each loop is compiled for itself: of one that all
-- cases share, LuaJIT would compile the first use and side exits for the others.
function M.loop(f)
   return loadstring 'local f = ... return function(n) for _ = 1, n do f() end end'(f)
end

--- Elements of the sizes at which operations are measured, by the name that a case shows.
M.sizes = { { '1e1', 10 }, { '1e4', 10000 }, { '1e7', 10000000 } }
--- The same as matrices.
M.shapes = { { '1e1', 2, 5 }, { '1e4', 100, 100 }, { '1e7', 2500, 4000 } }
--- Element types, with the word for them.
M.types = { { 'float', torch.FloatTensor }, { 'double', torch.DoubleTensor } }

--- What is wanted of an operation with a result of its own (fresh) or an existing one.
function M.goal(size, fresh)
   if size == '1e1' then
      return fresh and 3 or 20
   end
   if fresh then
      return size == '1e7' and 1.5 or nil
   end
   return 1
end

--- The same operation with an existing result and with a fresh one.
function M.both(name, size, into, fresh)
   M.case(name .. ', existing', M.loop(into), 1, M.goal(size, false))
   M.case(name .. ', fresh', M.loop(fresh), 1, M.goal(size, true))
end

return M
