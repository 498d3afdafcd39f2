-- Convolutions and pools as operators, for what no layer of nn does: borders that the input's size
-- decides or that differ from side to side, weights that are computed, places of maxima, powers.
local ffi = require 'ffi'
local torch = require 'torch'
local ops = require 'nn.base.ops'
local border = require 'onnx.operators.border'
local tools = require 'onnx.operators.tools'

local sizes_of, view = tools.sizes, tools.view
local M = {}

local function numbers(list, count, default)
   local result = {}
   for d = 1, count do
      result[d] = list and list[d] or default
      if result[d] < 1 then
         error('a step or gap is below 1', 0)
      end
   end
   return result
end

-- What fills a border where the size of the result is to be that of the input / step.
local function same(sizes, w, d)
   local out = math.ceil(sizes[d] / w.strides[d])
   local all = math.max((out - 1) * w.strides[d] + w.span[d] - sizes[d], 0)
   local less = math.floor(all / 2)
   return less, all - less
end

-- The window of a node over x: kernel, strides, dilations, borders before and after, and how far a
-- window reaches (span), a number for each dimension.
local function window_of(c, x, kernel)
   local dims, sizes = #kernel, { unpack(sizes_of(x), 3) }
   if dims < 1 or dims ~= #sizes then
      error(('a window of %d dimensions over an input of %d'):format(dims, x:dim()), 0)
   end
   local w = { dims = dims, kernel = kernel, strides = numbers(c.strides, dims, 1),
      dilations = numbers(c.dilations, dims, 1), before = {}, after = {}, span = {}, sizes = sizes }
   local auto, pads = c.auto_pad or 'NOTSET', c.pads or {}
   for d = 1, dims do
      w.span[d] = (kernel[d] - 1) * w.dilations[d] + 1
      w.before[d], w.after[d] = 0, 0
      if auto == 'NOTSET' then
         w.before[d], w.after[d] = pads[d] or 0, pads[dims + d] or 0
      elseif auto ~= 'VALID' then
         local less, more = same(sizes, w, d)
         w.before[d], w.after[d] = less, more
         if auto == 'SAME_LOWER' then
            w.before[d], w.after[d] = more, less
         end
      end
   end
   return w
end

local function pads_of(before, after)
   local list = { 0, 0, unpack(before) }
   list[#list + 1], list[#list + 2] = 0, 0
   for _, n in ipairs(after) do
      list[#list + 1] = n
   end
   return list
end

-- x with borders before and after its places; negative ones take away.
local function bordered(x, before, after, value)
   return border.Pad({}, x, pads_of(before, after), value)
end

-- Who asks, for errors of operations.
local function asking()
   return setmetatable({}, torch.getmetatable 'onnx.Operator')
end

local function int64(list)
   return ffi.new('int64_t[3]', list)
end

-- --- convolutions --------------------------------------------------------------------------------

local function count_of(list)
   return tools.product(list)
end

local function check_planes(x, W, groups, of)
   if groups < 1 or W:dim() ~= x:dim() or W:dim() < 3 or W:dim() > 5 or W:size(1) % groups ~= 0
      or x:size(2) ~= of then
      error(('weights of %s and %d groups for an input of %s'):format(
         table.concat(sizes_of(W), 'x'), groups, table.concat(sizes_of(x), 'x')), 0)
   end
end

-- Places of a result; raises where a window does not fit.
local function places(w)
   local list = {}
   for d = 1, w.dims do
      list[d] = math.floor((w.sizes[d] + w.before[d] + w.after[d] - w.span[d]) / w.strides[d]) + 1
      if list[d] < 1 then
         error(('a window of %d does not fit into %d'):format(w.span[d],
            w.sizes[d] + w.before[d] + w.after[d]), 0)
      end
   end
   return list
end

function M.Conv(c, x, W, B)
   local groups = c.group or 1
   check_planes(x, W, groups, W:size(2) * groups)
   local w = window_of(c, x, { unpack(sizes_of(W), 3) })
   tools.spend(x:size(1) * W:size(1) * count_of(places(w)))
   x = bordered(x, w.before, w.after)
   return ops.conv(asking(), x.new(), x:contiguous(), W:contiguous(), B and B:contiguous(), w.dims,
      int64(w.strides), int64 { 0, 0, 0 }, int64(w.dilations), groups)
end

-- The way back of a convolution: what it gives without borders is cut to what is wanted.
function M.ConvTranspose(c, x, W, B)
   local groups = c.group or 1
   check_planes(x, W, groups, W:size(1))
   local dims, lower = x:dim() - 2, c.auto_pad ~= 'SAME_UPPER'
   local strides, dilations = numbers(c.strides, dims, 1), numbers(c.dilations, dims, 1)
   local more, pads, auto = c.output_padding or {}, c.pads or {}, c.auto_pad or 'NOTSET'
   local sizes, full, before, after = sizes_of(x), {}, {}, {}
   for d = 1, dims do
      local n = sizes[d + 2]
      full[d] = (n - 1) * strides[d] + (W:size(d + 2) - 1) * dilations[d] + 1
      local wanted = c.output_shape and c.output_shape[#c.output_shape - dims + d]
         or auto:find '^SAME' and n * strides[d]
      if wanted then
         local all = math.max(full[d] + (more[d] or 0) - wanted, 0) -- what is more lies behind
         local less = math.floor(all / 2)
         before[d] = lower and all - less or less
         after[d] = full[d] - before[d] - wanted
      else
         before[d] = pads[d] or 0
         after[d] = (pads[dims + d] or 0) - (more[d] or 0)
      end
      before[d], after[d] = -before[d], -after[d] -- as borders, which may be of zeros, too
   end
   tools.spend(sizes[1] * W:size(2) * groups * count_of(full))
   local like = x.new():resize(tools.storage { sizes[1], W:size(2) * groups, unpack(full) })
   local y = ops.conv_backward_input(asking(), x.new(), x:contiguous(), like, W:contiguous(), dims,
      int64(strides), int64 { 0, 0, 0 }, int64(dilations), groups)
   y = bordered(y, before, after)
   if B then
      local shape = { 1, B:nElement() }
      for d = 1, dims do
         shape[d + 2] = 1
      end
      y = y + tools.expand(view(B, shape), sizes_of(y))
   end
   return y
end

-- --- pools ---------------------------------------------------------------------------------------

-- How many windows there are, and the border behind that the last of them reaches: with ceil_mode
-- one may go beyond the borders, but begins before the border behind.
local function rounded(c, w)
   local count, reach = {}, {}
   for d = 1, w.dims do
      local free = w.sizes[d] + w.before[d] + w.after[d] - w.span[d]
      if free < 0 and c.ceil_mode ~= 1 then
         error(('a window of %d does not fit into %d'):format(w.span[d], free + w.span[d]), 0)
      end
      count[d] = math.floor(free / w.strides[d]) + 1
      if c.ceil_mode == 1 then
         count[d] = math.ceil(free / w.strides[d]) + 1
         if (count[d] - 1) * w.strides[d] >= w.sizes[d] + w.before[d] then
            count[d] = count[d] - 1
         end
      end
      reach[d] = (count[d] - 1) * w.strides[d] + w.span[d] - w.sizes[d] - w.before[d]
   end
   return count, reach
end

-- f(r, part) over the parts of x, one for each place in a window: part has the element of each
-- window there. x has its borders already.
local function over_windows(w, count, x, f)
   local r
   local function walk(d, part)
      if d > w.dims then
         r = f(r, part)
         return
      end
      for k = 0, w.kernel[d] - 1 do
         local at = {}
         for i = 1, count[d] do
            at[i] = k * w.dilations[d] + (i - 1) * w.strides[d]
         end
         walk(d + 1, tools.at(part, d + 2, at))
      end
   end
   walk(1, x)
   return r
end

local function add(r, part)
   return r and r + part or part
end

local function pooled(c, x, value, f)
   local w = window_of(c, x, c.kernel_shape or error('it has no kernel_shape', 0))
   local count, reach = rounded(c, w)
   return over_windows(w, count, bordered(x, w.before, reach, value), f), w, count, reach
end

-- Where each element of x lies in it, from 0, as the file counts: row by row, or column by column.
local function positions(c, x)
   local at = torch.range(0, x:nElement() - 1)
   if c.storage_order ~= 1 then
      return view(at, sizes_of(x))
   end
   local order = { 1, 2 }
   for d = 3, x:dim() do
      order[d] = x:dim() + 3 - d
   end
   local turned = {}
   for d, from in ipairs(order) do
      turned[d] = x:size(from)
   end
   return view(at, turned):permute(unpack(order)):contiguous()
end

M.MaxPool = tools.on_reals(function(c, x)
   if c.outputs == 1 then
      return (pooled(c, x, -math.huge, function(r, part)
         return r and torch.cmax(r, part) or part
      end))
   end
   local places_of = positions(c, x):type(tools.beside('torch.DoubleTensor', x))
   local best, at
   local w = window_of(c, x, c.kernel_shape)
   local count, reach = rounded(c, w)
   local values = {}
   over_windows(w, count, bordered(x, w.before, reach, -math.huge), function(_, part)
      values[#values + 1] = part
   end)
   local k = 0
   over_windows(w, count, bordered(places_of, w.before, reach, 0), function(_, part)
      k = k + 1
      if k == 1 then
         best, at = values[1], part
      else
         local more = torch.gt(values[k], best)
         best, at = torch.cmax(best, values[k]), torch.where(more, part, at)
      end
   end)
   return { best, at:type(tools.beside('torch.LongTensor', x)) }
end)

function M.AveragePool(c, x)
   local sums, w, count, reach = pooled(c, x, 0, add)
   local ones = x.new():resize(tools.storage { 1, 1, unpack(w.sizes) }):fill(1)
   if c.count_include_pad == 1 then -- but not what lies beyond the borders
      ones = bordered(ones, w.before, w.after, 1)
      local beyond, none = {}, {}
      for d = 1, w.dims do
         beyond[d], none[d] = reach[d] - w.after[d], 0
      end
      ones = bordered(ones, none, beyond)
   else
      ones = bordered(ones, w.before, reach)
   end
   return torch.cdiv(sums, tools.expand(over_windows(w, count, ones, add), sizes_of(sums)))
end

function M.LpPool(c, x)
   local p = c.p or 2
   return torch.pow((pooled(c, torch.pow(torch.abs(x), p), 0, add)), 1 / p)
end

function M.GlobalLpPool(c, x)
   local p, sizes = c.p or 2, sizes_of(x)
   local planes = sizes[1] * sizes[2]
   local powers = torch.pow(torch.abs(x), p)
   local y = torch.pow(view(powers, { planes, x:nElement() / planes }):sum(2), 1 / p)
   for d = 3, #sizes do
      sizes[d] = 1
   end
   return view(y, sizes)
end

--- The way back of MaxPool: x at the places of the maxima, 0 elsewhere.
function M.MaxUnpool(c, x, at, shape)
   local kernel = c.kernel_shape or error('it has no kernel_shape', 0)
   local dims, pads, sizes = #kernel, c.pads or {}, sizes_of(x)
   local strides, own = numbers(c.strides, dims, 1), { sizes[1], sizes[2] }
   for d = 1, dims do
      own[d + 2] = ((sizes[d + 2] or 1) - 1) * strides[d] + kernel[d] - (pads[d] or 0)
         - (pads[dims + d] or 0)
   end
   local wanted = tools.list(shape) or own
   local function planes_of(list)
      return { list[1] * list[2], tools.product(list) / (list[1] * list[2]) }
   end
   tools.spend(tools.product(wanted) + tools.product(own))
   at = at:type(tools.beside('torch.LongTensor', x))
   local each = tools.product(own)
   if at:min() < 0 or at:max() >= each then
      error(('a position is outside of %d elements'):format(each), 0)
   end
   -- Places are those in a tensor of the size that the pool had.
   local y = x.new():resize(each):zero():indexCopy(1, view(at, { at:nElement() }) + 1,
      view(x, { x:nElement() }))
   y = view(y, own)
   local before, after = {}, {}
   for d = 1, dims do
      before[d], after[d] = 0, wanted[d + 2] - own[d + 2]
   end
   if planes_of(own)[1] ~= planes_of(wanted)[1] then
      error('output_shape has other planes', 0)
   end
   return shape and bordered(y, before, after) or y
end

return M
