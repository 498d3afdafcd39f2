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

-- The first of the elements that a place lies among, and the share of each; what is outside is as
-- the border. Cubic: Keys, IEEE Trans. ASSP 29 (1981), equation 4.
local NEIGHBOURS = {
   nearest = function(v, c)
      return ROUND[c.nearest_mode or 'round_prefer_floor'](v), { 1 }
   end,
   linear = function(v)
      local share = v - math.floor(v)
      return math.floor(v), { 1 - share, share }
   end,
   cubic = function(v, c)
      local a, t = c.cubic_coeff_a or -0.75, v - math.floor(v)
      local function near(s)
         return ((a + 2) * s - (a + 3)) * s * s + 1
      end
      local function far(s)
         return ((a * s - 5 * a) * s + 8 * a) * s - 4 * a
      end
      return math.floor(v) - 1, { far(t + 1), near(t), near(1 - t), far(2 - t) }
   end,
}

local function along(c, x, d, m, scale)
   local n = x:size(d)
   local name = c.coordinate_transformation_mode or 'half_pixel'
   local scheme = SCHEMES[name] or error(("there is no mode '%s'"):format(name), 0)
   local mode = c.mode or 'nearest'
   local neighbours = assert(NEIGHBOURS[mode])
   local places, weights = {}, {}
   for i = 0, m - 1 do
      local first, shares = neighbours(scheme(i, scale, m, n), c)
      for k, share in ipairs(shares) do
         places[k], weights[k] = places[k] or {}, weights[k] or {}
         places[k][i + 1] = math.min(math.max(first + k - 1, 0), n - 1)
         weights[k][i + 1] = share
      end
   end
   if mode == 'nearest' then
      return tools.at(x, d, places[1])
   end
   local sizes, y = {}, nil
   for k = 1, x:dim() do
      sizes[k] = k == d and m or 1
   end
   for k = 1, #places do
      local part = tools.at(x, d, places[k])
      local w = torch.DoubleTensor(weights[k]):typeAs(x):view(unpack(sizes)):expandAs(part)
      y = y and y + torch.cmul(part, w) or torch.cmul(part, w)
   end
   return y
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
   if c.antialias == 1 or c.exclude_outside == 1 or not NEIGHBOURS[c.mode or 'nearest'] then
      error('only the modes nearest, linear and cubic are read, without antialias and with what is '
         .. 'outside', 0)
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
