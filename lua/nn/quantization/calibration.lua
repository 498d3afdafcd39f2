--- The numbers of a net's values, from samples that run through it.
-- @module nn.quantization.calibration

local torch = require 'torch'
local dataflow = require 'nn.dataflow'
local numbers = require 'nn.quantization.numbers'
local observers = require 'nn.quantization.observers'
local raise = require('torch.errors').raise

local M = {}

--- A function that goes through the samples each time it is called: over one batch, a list of them,
-- or what a function's iterator gives.
-- @param data
-- @treturn function for use in `for x in batches() do`
function M.batches(data)
   if torch.isTensor(data) then
      data = { data }
   end
   if type(data) == 'function' then
      return data
   elseif type(data) ~= 'table' or #data == 0 then
      raise(('nn.quantize: data is %s, expected a batch, a list of batches, or a function that '
         .. 'returns an iterator over them'):format(data == nil and 'nil' or 'a '
         .. torch.type(data)))
   end
   return function()
      local i = 0
      return function()
         i = i + 1
         return data[i]
      end
   end
end

-- What a value is, in words: 'the output of nn.Linear (2.1)'.
local function name_of(value, paths)
   if not value.producer then
      return "the net's input"
   end
   local module = value.producer.module
   local path = module.name or paths and paths[module]
   return ('the output of %s%s'):format(torch.typename(module),
      path and (' (%s)'):format(path) or '')
end
M.name_of = name_of

-- A NaN is no number of a range, and a later batch would hide it. Values come in the order of
-- computation, so the first one is where it came from.
local function extremes_of(value, count, paths)
   local low, high = value.x:min(), value.x:max()
   if low ~= low or high ~= high then
      raise(('nn.quantize: batch %d: %s has NaN, expected numbers: look at the batch, or at the '
         .. 'parameters of that layer'):format(count, name_of(value, paths)))
   end
   return low, high
end

-- Runs all samples; observer(value) is what looks at a value's tensors.
local function run(flow, batches, paths, observer)
   local count = 0
   for x in batches() do
      count = count + 1
      dataflow.run(flow, x, function(value)
         if value.x and torch.isTensor(value.x) and value.x:nElement() > 0 then
            local low, high = extremes_of(value, count, paths)
            value.observer = value.observer or observer(value)
            value.observer:see(value.x, low, high)
         end
      end)
   end
   if count == 0 then
      raise 'nn.quantize: data has no batch'
   end
end

local function for_values(flow, f)
   f(flow.input)
   for _, step in ipairs(flow) do
      f(step.output)
   end
end

local function is_finite(low, high)
   return low > -math.huge and high < math.huge -- and both are numbers
end

-- Extremes first, then the histograms between them, where these are finite.
local function by_histogram(flow, batches, paths, range_of)
   run(flow, batches, paths, observers.extremes)
   for_values(flow, function(value)
      value.extremes, value.observer = value.observer, nil
   end)
   run(flow, batches, paths, function(value)
      local low, high = value.extremes.low, value.extremes.high
      return is_finite(low, high) and observers.histogram(low, high) or value.extremes
   end)
   for_values(flow, function(value)
      local seen = value.observer
      if seen and seen == value.extremes then
         value.low, value.high = seen.low, seen.high
      elseif seen then
         value.low, value.high = range_of(seen)
      end
   end)
end

local function has_fakes(flow)
   for _, step in ipairs(flow) do
      if torch.typename(step.module) == 'nn.FakeQuantize' then
         return true
      end
   end
   return false
end

--- Give each value of a flow its numbers, { scale, zero }; none where there are no data, but layers
-- that know them.
-- @tparam table flow
-- @param data as nn.quantize takes it
-- @string kind of observers
-- @number percentile
-- @tab[opt] paths module -> where it is in the user's net
-- @treturn ?table the first value whose numbers are not finite, which has none
-- @raise "nn.quantize: batch 2: the output of nn.Linear (2.1) has NaN, expected numbers: …"
function M.measure(flow, data, kind, percentile, paths)
   if data == nil and has_fakes(flow) then
      return
   end
   local batches = M.batches(data)
   if kind == 'percentile' then
      by_histogram(flow, batches, paths, function(histogram)
         return observers.percentile(histogram, percentile)
      end)
   elseif kind == 'entropy' then
      by_histogram(flow, batches, paths, observers.entropy)
   else
      run(flow, batches, paths, function()
         return kind == 'average' and observers.averages() or observers.extremes()
      end)
      for_values(flow, function(value)
         if value.observer then
            value.low, value.high = value.observer.low, value.observer.high
         end
      end)
   end
   local endless
   for_values(flow, function(value)
      if value.low and is_finite(value.low, value.high) then
         value.numbers = numbers.of_range(value.low, value.high)
      elseif value.low then
         endless = endless or value
      end
      value.x, value.observer, value.extremes = nil, nil, nil
   end)
   return endless
end

return M
