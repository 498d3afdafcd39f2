--- What operators have in common: sizes that stretch, axes, lists of integers, a limit of memory.
--
-- A number without dimensions is a tensor of one element here; whether it is one is known of the
-- graph alone (`ranks`).
-- @module onnx.operators.tools
local torch = require 'torch'
local types = require 'onnx.types'

local M = {}

--- Elements that may still be made; nil: as many as wanted. What a file computes of constants while
-- it is read is counted, so that a small one cannot ask for much.
M.budget = nil

--- Take a number of elements off the budget.
function M.spend(count)
   if M.budget then
      M.budget = M.budget - count
      if M.budget < 0 then
         error('constants of this file would make more elements than a file of its size may', 0)
      end
   end
end

-- What a call of LuaJIT bears.
local MOST_OPERANDS = 4096

--- What an operator gives. Where `c.bits` says how many bits its whole numbers have, which lie in
-- wider ones with a sign, those beyond them are taken off.
-- @func f the operator
-- @tab c attributes
-- @tab given operands, with gaps
-- @int count how many there are
function M.call(f, c, given, count)
   if count > MOST_OPERANDS then
      error(('it has %d operands, and up to %d are read'):format(count, MOST_OPERANDS), 0)
   end
   local result = f(c, unpack(given, 1, count))
   return c.bits and torch.bitand(result, 2 ^ c.bits - 1) or result
end

--- What whole numbers of up to 16 bits can be.
M.RANGES = { Byte = { 0, 255 }, Char = { -128, 127 }, Short = { -32768, 32767 } }

function M.sizes(x)
   return x:size():totable()
end

function M.product(list, first, last)
   local n = 1
   for i = first or 1, last or #list do
      n = n * list[i]
   end
   return n
end

--- A size list as a tensor's; a list without entries is that of one element.
function M.storage(list)
   return torch.LongStorage(#list > 0 and list or { 1 })
end

function M.view(x, list)
   return x:contiguous():view(M.storage(list))
end

--- The numbers of a tensor of integers, or of an attribute.
function M.list(x)
   if x == nil then
      return nil
   end
   return torch.isTensor(x) and x:contiguous():view(-1):totable() or x
end

-- The largest of 64 bits that Lua has a number for: the next one is beyond them.
local LARGEST = 2 ^ 63 - 1024

--- A list of whole numbers as a tensor. "To the end" is the largest of 64 bits in files.
function M.integers(list)
   local result = {}
   for i, n in ipairs(list) do
      result[i] = math.min(n, LARGEST)
   end
   return torch.LongTensor(result)
end

--- One number.
function M.number(x)
   if not torch.isTensor(x) then
      return x
   end
   local n = x:contiguous():view(-1):totable()[1]
   return types.is_real(x) and n or math.min(n, LARGEST)
end

--- A dimension from 1 of an axis from 0 or, negative, from behind.
function M.dim(x, axis)
   local dims = type(x) == 'number' and x or x:dim()
   local d = axis < 0 and dims + axis + 1 or axis + 1
   if d < 1 or d > dims then
      error(('axis %g of a tensor of %d dimensions'):format(axis, dims), 0)
   end
   return d
end

local function text(list)
   return table.concat(list, 'x')
end

--- Sizes that several tensors stretch to.
function M.common(...)
   local lists, dims = {}, 0
   for i = 1, select('#', ...) do
      lists[i] = M.sizes((select(i, ...)))
      dims = math.max(dims, #lists[i])
   end
   local sizes = {}
   for d = 1, dims do
      sizes[d] = 1
      for _, list in ipairs(lists) do
         local n = list[d - dims + #list] or 1
         if n ~= 1 and sizes[d] ~= 1 and n ~= sizes[d] then
            error(('sizes %s and %s do not stretch to each other'):format(text(lists[1]),
               text(list)), 0)
         end
         sizes[d] = n ~= 1 and n or sizes[d]
      end
   end
   return sizes
end

--- x stretched over sizes.
function M.expand(x, sizes)
   local own = M.sizes(x)
   if #own == #sizes and text(own) == text(sizes) then
      return x
   end
   M.spend(M.product(sizes))
   while #own < #sizes do
      table.insert(own, 1, 1)
   end
   return M.view(x, own):expand(torch.LongStorage(sizes)):contiguous()
end

--- The class of a device's tensors for one of the host's, if x lies on a device.
function M.beside(class, x)
   if x:type():find 'Cuda' then
      class = class:gsub('^torch%.(%a-%d*)Tensor$', function(kind)
         return ('torch.Cuda%sTensor'):format(kind == 'Float' and '' or kind)
      end)
   end
   return class
end

-- Constants that are no parameters lie on the host.
local function on_device(x, device)
   return device and not x:type():find 'Cuda' and x:type(M.beside(x:type(), device)) or x
end

--- A list's tensors on the device that one of them lies on.
function M.together(list)
   local device
   for _, x in ipairs(list) do
      device = x:type():find 'Cuda' and x or device
   end
   for i, x in ipairs(list) do
      list[i] = on_device(x, device)
   end
   return list
end

--- All tensors stretched over each other.
function M.stretched(...)
   local sizes = M.common(...)
   local list = M.together { ... }
   for i, x in ipairs(list) do
      list[i] = M.expand(x, sizes)
   end
   return unpack(list)
end

--- x at positions from 0 along a dimension; negative ones count from behind.
function M.at(x, d, positions)
   local n = x:size(d)
   local list = {}
   for i, at in ipairs(positions) do
      list[i] = at < 0 and at + n + 1 or at + 1
      if list[i] < 1 or list[i] > n or list[i] % 1 ~= 0 then
         error(('position %g of %d'):format(at, n), 0)
      end
   end
   M.spend(x:nElement() / n * #list)
   local where = torch.LongTensor(list)
   return x:index(d, where:type(M.beside('torch.LongTensor', x)))
end

--- The nearest whole numbers, of two the even one.
function M.to_even(x)
   local middle = torch.eq(torch.abs(x - torch.floor(x)), 0.5)
   return torch.where(middle, torch.round(x / 2) * 2, torch.round(x))
end

--- A function of reals for whole numbers, too: `back` makes these of what it gives, where a cast
-- would not do. Of a list the first one is of x's type.
-- @func f function(c, x, ...)
-- @func[opt] back function(c, y, x)
function M.on_reals(f, back)
   back = back or function(_, y, x)
      return y:typeAs(x)
   end
   return function(c, x, ...)
      if types.is_real(x) then
         return f(c, x, ...)
      end
      local y = f(c, x:type(M.beside('torch.DoubleTensor', x)), ...)
      return torch.isTensor(y) and back(c, y, x) or { back(c, y[1], x), unpack(y, 2) }
   end
end

--- A list of axes as a set of dimensions; without a list all of them.
function M.dims(x, axes)
   local set = {}
   for d = 1, x:dim() do
      set[d] = axes == nil or #axes == 0
   end
   for _, axis in ipairs(axes or {}) do
      set[M.dim(x, axis)] = true
   end
   return set
end

return M
