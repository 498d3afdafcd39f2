--- Histograms of tensors: counts by bins.
-- @module gnuplot.hist
local torch = require 'torch'
local program = require 'gnuplot.program'

local fail = program.fail

local M = {}

local Histogram = {}
Histogram.__index = Histogram

-- A bar of stars for each bin.
function Histogram:__tostring()
   local lines, most = {}, 1
   for _, bin in ipairs(self) do
      most = math.max(most, bin.nb)
   end
   for i, bin in ipairs(self) do
      lines[i] = ('%10.4g %8d %s'):format(bin.val, bin.nb, ('*'):rep(math.floor(
         50 * bin.nb / most + 0.5)))
   end
   return table.concat(lines, '\n')
end

local function number(operation, name, x)
   if x ~= nil and (type(x) ~= 'number' or x ~= x) then
      fail('%s: %s is %s; expected a number', operation, name,
         type(x) == 'number' and 'nan' or 'a ' .. torch.type(x))
   end
   return x
end

--- Count elements by bins.
-- @return table: for each bin { val = its middle, nb = how many }; min, max, binwidth; x and hist,
-- the same as tensors; raw, the tensor
function M.count(operation, t, bins, min, max)
   if not torch.isTensor(t) or t:nElement() == 0 then
      fail('%s: expected a tensor with elements, got %s', operation,
         torch.isTensor(t) and 'an empty one' or t == nil and 'nil' or 'a ' .. torch.type(t))
   end
   local x = t:double():contiguous():view(-1)
   bins = number(operation, 'the number of bins', bins)
      or math.max(1, math.floor(math.sqrt(x:nElement() / 10) + 0.5))
   if bins < 1 or bins ~= math.floor(bins) or bins > 2 ^ 24 then
      fail('%s: %s bins; expected a whole number from 1 on', operation, tostring(bins))
   end
   min, max = number(operation, 'min', min) or x:min(), number(operation, 'max', max) or x:max()
   if min - min ~= 0 or max - max ~= 0 then
      fail('%s: the tensor has elements that are no finite numbers; give min and max', operation)
   elseif max < min then
      fail('%s: max %g is less than min %g', operation, max, min)
   elseif max == min then
      min, max = min - 0.5, max + 0.5
   end
   local width = (max - min) / bins
   local counts = torch.DoubleTensor(bins):zero()
   local data, into = x:data(), counts:data()
   for i = 0, x:nElement() - 1 do
      local value = data[i]
      if value >= min and value <= max then
         local bin = math.min(math.floor((value - min) / width), bins - 1)
         into[bin] = into[bin] + 1
      end
   end
   local h = setmetatable({ min = min, max = max, binwidth = width, hist = counts, raw = t },
      Histogram)
   h.x = torch.DoubleTensor(bins)
   for i = 1, bins do
      h.x[i] = min + (i - 0.5) * width
      h[i] = { val = h.x[i], nb = counts[i] }
   end
   return h
end

return M
