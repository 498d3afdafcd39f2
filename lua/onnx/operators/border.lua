-- Borders, and images of other sizes.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local M = {}

-- Where each element comes from that is outside of 0 to n - 1.
local OUTSIDE = {
   edge = function(i, n)
      return math.min(math.max(i, 0), n - 1)
   end,
   reflect = function(i, n)
      local period = math.max(2 * (n - 1), 1)
      i = i % period
      return i < n and i or period - i
   end,
   wrap = function(i, n)
      return i % n
   end,
}

local function filled(x, d, count, value)
   local sizes = x:size()
   sizes[d] = count
   return x.new():resize(sizes):fill(value)
end

function M.Pad(c, x, pads, value, axes)
   local list = tools.list(pads) or c.pads
   local fill = value and tools.number(value) or c.value or 0
   axes = tools.list(axes)
   local count = #list / 2
   local mode = c.mode or 'constant'
   if mode ~= 'constant' and not OUTSIDE[mode] then
      error(("there is no mode '%s'"):format(mode), 0)
   end
   for i = 1, count do
      local d = tools.dim(x, axes and axes[i] or i - 1)
      local before, after, n = list[i], list[count + i], x:size(d)
      if before + after + n < 1 then
         error(('borders of %g and %g leave nothing of %d'):format(before, after, n), 0)
      end
      tools.spend(x:nElement() / n * (n + before + after))
      if mode ~= 'constant' then
         local places = {}
         for at = -before, n + after - 1 do
            places[#places + 1] = OUTSIDE[mode](at, n)
         end
         x = before == 0 and after == 0 and x or tools.at(x, d, places)
      else
         local first, last = math.max(-before, 0), n - math.max(-after, 0)
         local parts = { x:narrow(d, first + 1, last - first) }
         if before > 0 then
            table.insert(parts, 1, filled(x, d, before, fill))
         end
         if after > 0 then
            table.insert(parts, filled(x, d, after, fill))
         end
         x = #parts > 1 and torch.cat(parts, d) or parts[1]:contiguous()
      end
   end
   return x
end

-- Where element i of m lies among n, by the scheme's name; scale is m / n.
local SCHEMES = {
   half_pixel = function(i, scale)
      return (i + 0.5) / scale - 0.5
   end,
   pytorch_half_pixel = function(i, scale, m)
      return m > 1 and (i + 0.5) / scale - 0.5 or 0
   end,
   align_corners = function(i, _, m, n)
      return m > 1 and i * (n - 1) / (m - 1) or 0
   end,
   asymmetric = function(i, scale)
      return i / scale
   end,
}

local ROUND = {
   round_prefer_floor = function(v)
      return math.ceil(v - 0.5)
   end,
   round_prefer_ceil = function(v)
      return math.floor(v + 0.5)
   end,
   floor = math.floor, ceil = math.ceil,
}

local function along(c, x, d, m, scale)
   local n = x:size(d)
   local name = c.coordinate_transformation_mode or 'half_pixel'
   local scheme = SCHEMES[name] or error(("there is no mode '%s'"):format(name), 0)
   local round = ROUND[c.nearest_mode or 'round_prefer_floor']
   local low, high, weights = {}, {}, {}
   for i = 0, m - 1 do
      local v = scheme(i, scale, m, n)
      if c.mode == 'linear' then
         v = math.min(math.max(v, 0), n - 1)
         low[i + 1], high[i + 1] = math.floor(v), math.min(math.floor(v) + 1, n - 1)
         weights[i + 1] = v - math.floor(v)
      else
         low[i + 1] = math.min(math.max(round(v), 0), n - 1)
      end
   end
   local y = tools.at(x, d, low)
   if c.mode ~= 'linear' then
      return y
   end
   local sizes = {}
   for k = 1, x:dim() do
      sizes[k] = k == d and m or 1
   end
   local w = torch.DoubleTensor(weights):typeAs(x):view(unpack(sizes)):expandAs(y)
   return y + torch.cmul(tools.at(x, d, high) - y, w)
end

-- The one scale of all dimensions by which an image is no larger, or no smaller, than the sizes
-- wanted; nil where each has its own.
local function aspect(policy, x, sizes, axes)
   if policy == 'stretch' then
      return nil
   elseif policy ~= 'not_larger' and policy ~= 'not_smaller' then
      error(("there is no keep_aspect_ratio_policy '%s'"):format(policy), 0)
   end
   local scale
   for i, m in ipairs(sizes) do
      local own = m / x:size(tools.dim(x, axes and axes[i] or i - 1))
      scale = scale and math[policy == 'not_larger' and 'min' or 'max'](scale, own) or own
   end
   return scale
end

function M.Resize(c, x, _, scales, wanted)
   if c.mode == 'cubic' or c.antialias == 1 or c.exclude_outside == 1 then
      error('only the modes nearest and linear, without antialias, are read', 0)
   end
   local factors, sizes = tools.list(scales), tools.list(wanted)
   local given, axes = sizes or factors, c.axes
   if not given then
      error('it has neither scales nor sizes', 0)
   elseif #given ~= (axes and #axes or x:dim()) then
      error(('%d scales or sizes for %d dimensions'):format(#given, axes and #axes or x:dim()), 0)
   end
   local common = sizes and aspect(c.keep_aspect_ratio_policy or 'stretch', x, sizes, axes)
   for i = 1, #given do
      local d = tools.dim(x, axes and axes[i] or i - 1)
      local n = x:size(d)
      local m = common and math.floor(n * common + 0.5) or sizes and sizes[i]
         or math.floor(n * factors[i])
      local scale = common or sizes and m / n or factors[i]
      if m < 1 then
         error(('%d elements would become %g'):format(n, m), 0)
      end
      if m ~= n or scale ~= 1 and c.coordinate_transformation_mode ~= 'align_corners' then
         tools.spend(x:nElement() / n * m)
         x = along(c, x, d, m, scale)
      end
   end
   return x
end

-- An older operator: scales alone, asymmetric.
function M.Upsample(c, x, scales)
   return M.Resize({ mode = c.mode, coordinate_transformation_mode = 'asymmetric',
      nearest_mode = 'floor' }, x, nil, scales or c.scales)
end

return M
