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
   local list = tools.list(pads) or c.pads or {}
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
      local first, last = math.max(-before, 0), n - math.max(-after, 0)
      if last > first then -- negative borders first: others are of what is left
         x = x:narrow(d, first + 1, last - first)
         before, after, n = math.max(before, 0), math.max(after, 0), last - first
      end
      if mode ~= 'constant' then
         local places = {}
         for at = -before, n + after - 1 do
            places[#places + 1] = OUTSIDE[mode](at, n)
         end
         x = before == 0 and after == 0 and x or tools.at(x, d, places)
      elseif last <= first then -- nothing of x is left
         x = filled(x, d, before + after + n, fill)
      else
         local parts = { before > 0 and filled(x, d, before, fill) or nil }
         parts[#parts + 1] = x
         parts[#parts + 1] = after > 0 and filled(x, d, after, fill) or nil
         x = #parts > 1 and torch.cat(parts, d) or x
      end
   end
   return x:contiguous()
end

-- Where element i of m lies among n, by the scheme's name; scale is m / n, as far as the file
-- tells, first and last are the ends of a region, as parts of n.
local SCHEMES = {
   half_pixel = function(i, scale)
      return (i + 0.5) / scale - 0.5
   end,
   half_pixel_symmetric = function(i, scale, m, n)
      return (i + 0.5) / scale - 0.5 + n / 2 * (1 - m / (n * scale))
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
   tf_crop_and_resize = function(i, _, m, n, first, last)
      return m > 1 and first * (n - 1) + i * (last - first) * (n - 1) / (m - 1)
         or (first + last) * (n - 1) / 2
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
   simple = function(v, scale) -- that of opset 10, as onnxruntime has it
      return scale < 1 and math.ceil(v) or math.floor(v)
   end,
}

-- What an element at a distance counts. Cubic: Keys, IEEE Trans. ASSP 29 (1981), equation 4.
local KERNELS = {
   linear = function(s)
      return math.max(1 - math.abs(s), 0)
   end,
   cubic = function(s, a)
      s = math.abs(s)
      if s < 1 then
         return ((a + 2) * s - (a + 3)) * s * s + 1
      end
      return s < 2 and ((a * s - 5 * a) * s + 8 * a) * s - 4 * a or 0
   end,
}
local REACH = { linear = 1, cubic = 2 }

-- The first of the elements that a place lies among, and the share of each.
local function neighbours(v, c, n, scale)
   local mode = c.mode or 'nearest'
   if mode == 'nearest' then
      return ROUND[c.nearest_mode or 'round_prefer_floor'](v, scale), { 1 }
   end
   -- Against aliases a window is as wide as it would be in the smaller image.
   local narrow = c.antialias == 1 and math.min(scale, 1) or 1
   local inside = c.exclude_outside == 1
   local reach, a = REACH[mode] / narrow, c.cubic_coeff_a or -0.75
   local first, shares, all = math.floor(v - reach) + 1, {}, 0
   for k = first, math.ceil(v + reach) - 1 do
      local share = KERNELS[mode]((k - v) * narrow, a)
      share = inside and (k < 0 or k > n - 1) and 0 or share
      shares[#shares + 1] = share
      all = all + share
   end
   for k, share in ipairs(shares) do
      shares[k] = all ~= 0 and share / all or share
   end
   return first, shares
end

-- A tensor of sizes 1 but along d, stretched over x.
local function along_only(list, x, d)
   local sizes = {}
   for k = 1, x:dim() do
      sizes[k] = k == d and #list or 1
   end
   return torch.DoubleTensor(list):typeAs(x):view(unpack(sizes)):expandAs(x)
end

local function along(c, x, d, m, scale, region)
   local n = x:size(d)
   local name = c.coordinate_transformation_mode or 'half_pixel'
   local scheme = SCHEMES[name] or error(("there is no mode '%s'"):format(name), 0)
   local rows, widest, outside = {}, 0, {}
   for i = 0, m - 1 do
      local v = scheme(i, scale, m, n, region[1], region[2])
      outside[i + 1] = name == 'tf_crop_and_resize' and (v < 0 or v > n - 1) and 1 or 0
      local first, shares = neighbours(math.min(math.max(v, -n), 2 * n), c, n, scale)
      rows[i + 1] = { first, shares }
      widest = math.max(widest, #shares)
   end
   tools.spend(x:nElement() / n * m * (widest - 1))
   local y
   for k = 1, widest do
      local places, weights = {}, {}
      for i, row in ipairs(rows) do
         places[i] = math.min(math.max(row[1] + k - 1, 0), n - 1)
         weights[i] = row[2][k] or 0
      end
      local part = tools.at(x, d, places)
      part = widest > 1 and torch.cmul(part, along_only(weights, part, d)) or part
      y = y and y + part or part
   end
   if name == 'tf_crop_and_resize' then
      local mask = along_only(outside, y, d)
      local value = y.new():resize(y:size()):fill(c.extrapolation_value or 0)
      y = torch.where(torch.ne(mask, 0), value, y)
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

local function resize(c, x, roi, scales, wanted)
   if not KERNELS[c.mode] and (c.mode or 'nearest') ~= 'nearest' then
      error('only the modes nearest, linear and cubic are read', 0)
   end
   local ends = tools.list(roi) or {}
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
      local region = { ends[i] or 0, ends[#given + i] or 1 }
      if m ~= n or region[1] ~= 0 or region[2] ~= 1
         or scale ~= 1 and c.coordinate_transformation_mode ~= 'align_corners' then
         tools.spend(x:nElement() / n * m)
         x = along(c, x, d, m, scale, region)
      end
   end
   return x
end

-- Whole numbers are those below what the reals are, in size; against aliases the nearest ones. As
-- floats, so that nothing just misses one.
local resize_reals = tools.on_reals(resize, function(c, y, x)
   y = y:type(tools.beside('torch.FloatTensor', y))
   y = c.antialias == 1 and torch.floor(y + 0.5) or y
   local range = tools.RANGES[(x:type():match '(%a+)Tensor$':gsub('^Cuda', ''))]
   return (range and torch.clamp(y, range[1], range[2]) or y):typeAs(x)
end)

-- What opset 10 and, as Upsample, those before it have: scales alone, asymmetric.
local function by_scales(c, x, scales)
   return M.Resize({ mode = c.mode, coordinate_transformation_mode = 'asymmetric',
      nearest_mode = 'simple' }, x, nil, scales or c.scales)
end
M.Upsample = by_scales

function M.Resize(c, x, ...)
   if (c.opset or 11) < 11 then
      return by_scales(c, x, ...)
   end
   return ((c.mode or 'nearest') == 'nearest' and resize or resize_reals)(c, x, ...)
end

return M
