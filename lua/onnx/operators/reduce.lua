-- Reductions, and what is normalised by them.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local M = {}

-- Sizes with 1 in the dimensions of a set, and without these.
local function reduced(x, set, keep)
   local sizes = {}
   for d = 1, #set do
      if not set[d] then
         sizes[#sizes + 1] = x:size(d)
      elseif keep then
         sizes[#sizes + 1] = 1
      end
   end
   return sizes
end

local function reduces_nothing(c, axes)
   return (axes == nil or #axes == 0) and c.noop_with_empty_axes == 1
end

local function over(f)
   return function(c, x, axes)
      axes = tools.list(axes) or c.axes
      if reduces_nothing(c, axes) then
         return x
      end
      local set, y = tools.dims(x, axes), x
      local sizes = reduced(x, set, c.keepdims ~= 0)
      for d = 1, x:dim() do
         if set[d] then
            y = f(y, d)
         end
      end
      return tools.view(y, sizes)
   end
end

local function sum(x, d)
   return x:sum(d)
end

local function extremum(name)
   return function(x, d)
      return (torch[name](x, d))
   end
end

M.ReduceSum, M.ReduceMax, M.ReduceMin = over(sum), over(extremum 'max'), over(extremum 'min')
M.ReduceMean = tools.on_reals(over(function(x, d)
   return x:mean(d)
end))
M.ReduceProd = over(function(x, d)
   return x:prod(d)
end)

function M.ReduceSumSquare(c, x, axes)
   return M.ReduceSum(c, torch.cmul(x, x), axes)
end

function M.ReduceL1(c, x, axes)
   return M.ReduceSum(c, torch.abs(x), axes)
end

M.ReduceL2 = tools.on_reals(function(c, x, axes)
   return torch.sqrt(M.ReduceSumSquare(c, x, axes))
end)

M.ReduceLogSum = tools.on_reals(function(c, x, axes)
   return torch.log(M.ReduceSum(c, x, axes))
end)

-- Less the largest of each sum, so that nothing overflows; less 0 where that is infinite.
M.ReduceLogSumExp = tools.on_reals(function(c, x, axes)
   if reduces_nothing(c, tools.list(axes) or c.axes) then
      return x
   end
   local kept = setmetatable({ keepdims = 1 }, { __index = c })
   local top = M.ReduceMax(kept, x, axes):detach()
   top = torch.where(torch.ne(torch.abs(top), math.huge), top, top.new():resizeAs(top):zero())
   local sums = M.ReduceSum(kept, torch.exp(x - tools.expand(top, tools.sizes(x))), axes)
   axes = tools.list(axes) or c.axes
   return tools.view(torch.log(sums) + top, reduced(x, tools.dims(x, axes), c.keepdims ~= 0))
end)

local function places(name)
   return function(c, x)
      if c.select_last_index == 1 then
         error('the last of several positions is not read', 0)
      end
      local d = tools.dim(x, c.axis or 0)
      local _, at = torch[name](x, d)
      local sizes = x:size():totable()
      sizes[d] = 1
      if c.keepdims == 0 then
         table.remove(sizes, d)
      end
      return tools.view(at - 1, sizes)
   end
end

M.ArgMax, M.ArgMin = places 'max', places 'min'

function M.TopK(c, x, k)
   local d = tools.dim(x, c.axis or -1)
   local values, at = torch.topk(x, tools.number(k) or c.k, d, c.largest ~= 0, true)
   return { values, at - 1 }
end

local function backwards(x, d)
   local order = {}
   for i = x:size(d) - 1, 0, -1 do
      order[#order + 1] = i
   end
   return tools.at(x, d, order)
end

function M.CumSum(c, x, axis)
   local d = tools.dim(x, tools.number(axis))
   local given = c.reverse == 1 and backwards(x, d) or x
   local y = torch.cumsum(given, d)
   if c.exclusive == 1 then -- the sums before each; to take the element off again would cancel
      local first = y:narrow(d, 1, 1):detach():clone():zero()
      y = y:size(d) == 1 and first or torch.cat(first, y:narrow(d, 1, y:size(d) - 1), d)
   end
   return c.reverse == 1 and backwards(y, d) or y
end

function M.LpNormalization(c, x)
   local d = tools.dim(x, c.axis or -1)
   local norm = c.p == 1 and torch.abs(x):sum(d) or torch.sqrt(torch.cmul(x, x):sum(d))
   local zero = torch.eq(norm, 0):typeAs(x) -- 0 stays what it is
   return torch.cdiv(x, (norm + zero):expandAs(x))
end

function M.RMSNormalization(c, x, scale)
   local d, sizes = tools.dim(x, c.axis or -1), tools.sizes(x)
   local rows = tools.view(x, { tools.product(sizes, 1, d - 1), tools.product(sizes, d) })
   local mean = torch.cmul(rows, rows):mean(2) + (c.epsilon or 1e-5)
   local y = tools.view(torch.cdiv(rows, torch.sqrt(mean):expandAs(rows)), sizes)
   return torch.cmul(y, tools.expand(scale, sizes))
end

-- f(x, d) along an axis. With the meaning of opsets before 13 all from the axis on is one row.
local function classes(f)
   return function(c, x)
      if (c.opset or 13) >= 13 then
         return f(x, tools.dim(x, c.axis or -1))
      end
      local sizes = tools.sizes(x)
      local rows = tools.product(sizes, 1, tools.dim(x, c.axis or 1) - 1)
      return tools.view(f(tools.view(x, { rows, x:nElement() / rows }), 2), sizes)
   end
end

M.Hardmax = classes(function(x, d)
   local _, at = torch.max(x, d)
   return x.new():resize(x:size()):zero():scatter(d, at, 1)
end)

M.LogSoftmax = classes(function(x, d)
   local shifted = x - (torch.max(x, d)):expandAs(x)
   return shifted - torch.log(torch.exp(shifted):sum(d)):expandAs(x)
end)

M.Softmax = classes(function(x, d)
   local y = torch.exp(x - (torch.max(x, d)):expandAs(x))
   return torch.cdiv(y, y:sum(d):expandAs(y))
end)

-- Rows of mean 0 and variance 1.
local function standard(rows, eps)
   local centred = rows - rows:mean(2):expandAs(rows)
   local variance = torch.cmul(centred, centred):mean(2) + eps
   return torch.cdiv(centred, torch.sqrt(variance):expandAs(rows))
end

local function affine(y, scale, bias)
   y = scale and torch.cmul(y, tools.expand(scale, tools.sizes(y))) or y
   return bias and y + tools.expand(bias, tools.sizes(y)) or y
end

function M.LayerNormalization(c, x, scale, bias)
   local d, sizes = tools.dim(x, c.axis or -1), tools.sizes(x)
   local rows = tools.product(sizes, 1, d - 1)
   local y = standard(tools.view(x, { rows, x:nElement() / rows }), c.epsilon or 1e-5)
   return affine(tools.view(y, sizes), scale, bias)
end

local function of_planes(t, x)
   local sizes = { t:nElement() }
   for d = 3, x:dim() do
      sizes[d - 1] = 1
   end
   return tools.view(t, sizes)
end

function M.InstanceNormalization(c, x, scale, bias)
   local sizes = tools.sizes(x)
   local rows = sizes[1] * sizes[2]
   local y = standard(tools.view(x, { rows, x:nElement() / rows }), c.epsilon or 1e-5)
   return affine(tools.view(y, sizes), of_planes(scale, x), of_planes(bias, x))
end

-- Since opset 21 the scale has an element for each plane, before for each group.
function M.GroupNormalization(c, x, scale, bias)
   local sizes = tools.sizes(x)
   local rows = sizes[1] * c.num_groups
   local y = tools.view(standard(tools.view(x, { rows, x:nElement() / rows }),
      c.epsilon or 1e-5), sizes)
   if scale:nElement() ~= sizes[2] then
      local each = sizes[2] / c.num_groups
      scale = tools.view(tools.expand(tools.view(scale, { c.num_groups, 1 }), { c.num_groups,
         each }),
         { sizes[2] })
      bias = tools.view(tools.expand(tools.view(bias, { c.num_groups, 1 }), { c.num_groups, each }),
         { sizes[2] })
   end
   return affine(y, of_planes(scale, x), of_planes(bias, x))
end

function M.BatchNormalization(c, x, scale, bias, mean, variance)
   if c.training_mode == 1 then
      error('it is in training mode', 0)
   end
   local sizes = tools.sizes(x)
   local function spread(t)
      return tools.expand(of_planes(t, x), sizes)
   end
   local y = torch.cdiv(x - spread(mean), torch.sqrt(spread(variance) + (c.epsilon or 1e-5)))
   return torch.cmul(y, spread(scale)) + spread(bias)
end

function M.LRN(c, x)
   local before = math.floor((c.size - 1) / 2)
   local n, sum_ = x:size(2), nil
   local squares = torch.cmul(x, x)
   for offset = math.max(-before, -n), math.min(math.ceil((c.size - 1) / 2), n) do
      local first, last = math.max(1 + offset, 1), math.min(n + offset, n)
      if first <= last then
         local part = squares:narrow(2, first, last - first + 1)
         local sizes = part:size()
         if last - first + 1 < n then
            sizes[2] = n - (last - first + 1)
            local rest = x.new():resize(sizes):zero()
            part = torch.cat(offset > 0 and { part, rest } or { rest, part }, 2)
         end
         sum_ = sum_ and sum_ + part or part
      end
   end
   return torch.cdiv(x, torch.pow(sum_ * ((c.alpha or 1e-4) / c.size) + (c.bias or 1),
      c.beta or 0.75))
end

local function globally(f)
   return function(_, x)
      local sizes = tools.sizes(x)
      local y = f(tools.view(x, { sizes[1] * sizes[2], x:nElement() / (sizes[1] * sizes[2]) }))
      for d = 3, #sizes do
         sizes[d] = 1
      end
      return tools.view(y, sizes)
   end
end

M.GlobalAveragePool = globally(function(rows)
   return rows:mean(2)
end)
M.GlobalMaxPool = globally(function(rows)
   return (torch.max(rows, 2))
end)

return M
