-- Operators that move, cut, join and repeat elements.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local sizes_of, view, dim, list = tools.sizes, tools.view, tools.dim, tools.list
local M = {}

function M.Shape(c, x)
   local sizes = c.ranks[1] == 0 and {} or sizes_of(x)
   local first, last = c.start or 0, c['end'] or #sizes
   first, last = first < 0 and #sizes + first or first, last < 0 and #sizes + last or last
   local part = { unpack(sizes, math.max(first, 0) + 1, math.min(last, #sizes)) }
   return torch.LongTensor(part):type(tools.beside('torch.LongTensor', x))
end

function M.Size(_, x)
   return torch.LongTensor { x:nElement() }
end

function M.Reshape(c, x, shape)
   local sizes, own = { unpack(list(shape or {})) }, sizes_of(x)
   for i, n in ipairs(sizes) do
      if n == 0 and c.allowzero ~= 1 then
         sizes[i] = own[i] or error('a size of 0 where the input has no dimension', 0)
      end
   end
   return view(x, sizes)
end

function M.Flatten(c, x)
   local sizes = sizes_of(x)
   local axis = c.axis or 1
   axis = axis < 0 and #sizes + axis or axis
   local rows = tools.product(sizes, 1, axis)
   return view(x, { rows, x:nElement() / rows })
end

function M.Transpose(c, x)
   local order = {}
   for d = 1, x:dim() do
      order[d] = c.perm and (c.perm[d] or -1) + 1 or x:dim() - d + 1
   end
   return x:permute(unpack(order)):contiguous()
end

function M.Unsqueeze(c, x, axes)
   axes = list(axes) or c.axes or {}
   local sizes = c.ranks[1] == 0 and {} or sizes_of(x)
   local dims, set, at, result = #sizes + #axes, {}, 0, {}
   for _, axis in ipairs(axes) do
      set[dim(dims, axis)] = true
   end
   for d = 1, dims do
      if not set[d] then
         at = at + 1
      end
      result[d] = set[d] and 1 or sizes[at] or error('an axis comes twice', 0)
   end
   return view(x, result)
end

function M.Squeeze(c, x, axes)
   axes = list(axes) or c.axes
   local set, result = {}, {}
   for _, axis in ipairs(axes or {}) do
      set[dim(x, axis)] = true
   end
   for d, n in ipairs(sizes_of(x)) do
      if not (axes and set[d] or not axes and n == 1) then
         result[#result + 1] = n
      elseif n ~= 1 then
         error(('a dimension of size %d is no single one'):format(n), 0)
      end
   end
   return view(x, result)
end

-- Parts without elements add nothing.
function M.Concat(c, ...)
   local all = {}
   for i = 1, select('#', ...) do
      local part = select(i, ...)
      if part and part:nElement() > 0 then
         all[#all + 1] = part
         tools.spend(part:nElement())
      end
   end
   return torch.cat(tools.together(all), dim(all[1], c.axis))
end

function M.Slice(c, x, starts, ends, axes, steps)
   starts, ends = list(starts) or c.starts or {}, list(ends) or c.ends
   axes, steps = list(axes) or c.axes, list(steps) or {}
   for i, first in ipairs(starts) do
      local d, step = dim(x, axes and axes[i] or i - 1), steps[i] or 1
      local n, last = x:size(d), ends[i]
      first, last = first < 0 and first + n or first, last < 0 and last + n or last
      if step == 1 then
         first, last = math.min(math.max(first, 0), n), math.min(math.max(last, 0), n)
         if last <= first and x:dim() == 1 then -- part of a list of sizes
            return x.new()
         elseif last <= first then
            error(('a slice from %g to %g of %d has no elements'):format(first, last, n), 0)
         end
         x = x:narrow(d, first + 1, last - first)
      else
         local low, high = step > 0 and 0 or -1, step > 0 and n or n - 1
         first = math.min(math.max(first, math.max(low, 0)), high)
         last = math.min(math.max(last, low), high)
         local places = {}
         for at = first, last - (step > 0 and 1 or -1), step do
            places[#places + 1] = at
         end
         if #places == 0 then
            error(('a slice from %g to %g of %d has no elements'):format(first, last, n), 0)
         end
         x = tools.at(x, d, places)
      end
   end
   return x:contiguous()
end

function M.Split(c, x, split)
   local d = dim(x, c.axis or 0)
   local sizes, n, result, first = list(split) or c.split, x:size(d), {}, 1
   for i = 1, c.outputs do
      local size = sizes and sizes[i] or math.min(math.ceil(n / c.outputs), n - first + 1)
      result[i] = x:narrow(d, first, size):contiguous()
      first = first + size
   end
   return result
end

function M.Gather(c, x, indices)
   local d = dim(x, c.axis or 0)
   local places = list(indices:long())
   local r = tools.at(x, d, places)
   local own, result = sizes_of(x), {}
   for k = 1, d - 1 do
      result[k] = own[k]
   end
   for _, n in ipairs(c.ranks[2] == 0 and {} or sizes_of(indices)) do
      result[#result + 1] = n
   end
   for k = d + 1, #own do
      result[#result + 1] = own[k]
   end
   return view(r, result)
end

function M.GatherElements(c, x, indices)
   local d = dim(x, c.axis or 0)
   local n = x:size(d)
   indices = indices + torch.lt(indices, 0):typeAs(indices) * n + 1
   for k = 1, x:dim() do -- which may be fewer along the others
      x = k == d and x or x:narrow(k, 1, indices:size(k))
   end
   return torch.gather(x, d, indices)
end

function M.Expand(_, x, shape)
   local wanted = list(shape) or {}
   local sizes, own = {}, sizes_of(x)
   local dims = math.max(#wanted, #own)
   for d = 1, dims do
      local a, b = own[d - dims + #own] or 1, wanted[d - dims + #wanted] or 1
      if a ~= b and a ~= 1 and b ~= 1 then
         error(('a size of %d does not stretch to %d'):format(a, b), 0)
      end
      sizes[d] = a == 1 and b or a
   end
   return tools.expand(x, sizes)
end

function M.Tile(_, x, repeats)
   local times = list(repeats) or {}
   tools.spend(x:nElement() * tools.product(times))
   return x:repeatTensor(tools.storage(times))
end

function M.ConstantOfShape(c, shape)
   local sizes = list(shape) or {}
   for _, n in ipairs(sizes) do
      if n < 1 then
         error(('a tensor with a size of %g'):format(n), 0)
      end
   end
   tools.spend(tools.product(sizes))
   local value = c.value or torch.FloatTensor { 0 }
   return value.new():resize(tools.storage(sizes)):fill(tools.number(value))
end

function M.Range(_, first, limit, step)
   local a, b, by = tools.number(first), tools.number(limit), tools.number(step)
   local count = math.ceil((b - a) / by)
   if count < 1 or count ~= count then
      error(('a range from %g to %g by %g has no elements'):format(a, b, by), 0)
   end
   tools.spend(count)
   return torch.range(0, count - 1):mul(by):add(a):typeAs(first)
end

function M.Trilu(c, x, k)
   local by = k and tools.number(k) or 0
   local mask = torch.ones(x:size(x:dim() - 1), x:size(x:dim()))
   mask = (c.upper == 0 and torch.tril or torch.triu)(mask, by):type(tools.beside(
      'torch.ByteTensor', x))
   local zero = x.new():resize(x:size()):zero() -- what goes may be infinite
   return torch.where(tools.expand(mask, sizes_of(x)), x:contiguous(), zero)
end

function M.OneHot(c, indices, depth, values)
   local n, own = tools.number(depth), sizes_of(indices)
   tools.spend(indices:nElement() * n)
   local pair = list(values)
   local places = list(indices:long())
   local r = values.new(#places, n):fill(pair[1])
   for i, at in ipairs(places) do
      at = at < 0 and at + n or at
      if at >= 0 and at < n then
         r[i][at + 1] = pair[2]
      end
   end
   own = c.ranks[1] == 0 and {} or own
   local last = #own + 1
   own[last] = n
   r = view(r, own)
   local d = dim(last, c.axis or -1)
   local order = {}
   for k = 1, last do
      order[k] = k < d and k or k == d and last or k - 1
   end
   return r:permute(unpack(order)):contiguous()
end

function M.Compress(c, x, condition)
   local places = {}
   for i, on in ipairs(list(condition)) do
      places[#places + 1] = on ~= 0 and i - 1 or nil
   end
   if not c.axis then
      return tools.at(view(x, { x:nElement() }), 1, places)
   end
   return tools.at(x, dim(x, c.axis), places)
end

function M.DepthToSpace(c, x)
   local N, C, H, W = unpack(sizes_of(x))
   local r = c.blocksize
   if c.mode == 'CRD' then
      x = view(x, { N, C / (r * r), r, r, H, W }):permute(1, 2, 5, 3, 6, 4)
   else
      x = view(x, { N, r, r, C / (r * r), H, W }):permute(1, 4, 5, 2, 6, 3)
   end
   return view(x, { N, C / (r * r), H * r, W * r })
end

function M.SpaceToDepth(c, x)
   local N, C, H, W = unpack(sizes_of(x))
   local r = c.blocksize
   x = view(x, { N, C, H / r, r, W / r, r }):permute(1, 4, 6, 2, 3, 5)
   return view(x, { N, C * r * r, H / r, W / r })
end

-- Integers of an attribute are Lua's numbers: exact up to 2^53, and beyond them only "to the end".
local function check_exact(integers)
   for _, n in ipairs(integers) do
      if math.abs(n) > 2 ^ 53 and math.abs(n) < 2 ^ 63 then
         error(('of an attribute %.0f is not read exactly: write it as a tensor'):format(n), 0)
      end
   end
   return integers
end

function M.Constant(c)
   local value = c.value
   if value then
      return value
   elseif c.value_ints or c.value_int then
      return tools.integers(check_exact(c.value_ints or { c.value_int }))
   elseif c.value_floats or c.value_float then
      return torch.FloatTensor(c.value_floats or { c.value_float })
   end
   error('a constant of no type that there is a tensor for', 0)
end

return M
