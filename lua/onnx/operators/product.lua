-- Products of matrices.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local M = {}

local function with(list, ...)
   local r = { unpack(list) }
   for i = 1, select('#', ...) do
      r[#r + 1] = select(i, ...)
   end
   return r
end

-- A batch of matrices by one matrix is a product of its rows.
local function by_matrix(a, b)
   local sizes = tools.sizes(a)
   tools.spend(a:nElement() / sizes[#sizes] * b:size(2))
   local rows = tools.view(a, { a:nElement() / sizes[#sizes], sizes[#sizes] })
   local y = torch.mm(rows, b)
   sizes[#sizes] = b:size(2)
   return tools.view(y, sizes)
end

function M.MatMul(_, a, b)
   local vector_a, vector_b = a:dim() == 1, b:dim() == 1
   a = vector_a and tools.view(a, { 1, a:nElement() }) or a
   b = vector_b and tools.view(b, { b:nElement(), 1 }) or b
   local sa, sb = tools.sizes(a), tools.sizes(b)
   if sa[#sa] ~= sb[#sb - 1] then
      error(('no product of %s and %s'):format(table.concat(sa, 'x'), table.concat(sb, 'x')), 0)
   end
   local n, k, m = sa[#sa - 1], sa[#sa], sb[#sb]
   local y
   if b:dim() == 2 then
      y = by_matrix(a, b)
   else
      local head_a, head_b = { unpack(sa, 1, #sa - 2) }, { unpack(sb, 1, #sb - 2) }
      local common = tools.common(torch.FloatTensor():resize(tools.storage(head_a)),
         torch.FloatTensor():resize(tools.storage(head_b)))
      local count = tools.product(common)
      tools.spend(count * n * m)
      a = tools.view(tools.expand(a, with(common, n, k)), { count, n, k })
      b = tools.view(tools.expand(b, with(common, k, m)), { count, k, m })
      y = tools.view(torch.bmm(a, b), with(common, n, m))
   end
   if vector_a or vector_b then
      local sizes = tools.sizes(y)
      if vector_b then
         table.remove(sizes)
      end
      if vector_a then
         table.remove(sizes, vector_b and #sizes or #sizes - 1)
      end
      y = tools.view(y, sizes)
   end
   return y
end

function M.Gemm(c, a, b, bias)
   a, b = c.transA == 1 and a:t() or a, c.transB == 1 and b:t() or b
   tools.spend(a:size(1) * b:size(2))
   local y = torch.mm(a, b)
   if c.alpha and c.alpha ~= 1 then
      y = y * c.alpha
   end
   if bias then
      bias = tools.expand(bias, tools.sizes(y))
      y = y + (c.beta and c.beta ~= 1 and bias * c.beta or bias)
   end
   return y
end

-- Elements that an Einsum makes at most: of several products in a row, those of all labels.
local function most(equation, operands)
   local left, right = equation:gsub('%s', ''):match '^(.-)%->(.*)$'
   left = left or equation:gsub('%s', '')
   local size_of, times, all, k = {}, {}, '', 0
   for term in (left .. ','):gmatch '(.-),' do
      k = k + 1
      local sizes = operands[k] and tools.sizes(operands[k]) or {}
      local labels = term:gsub('%.%.%.', ('.'):rep(#sizes - #term + 3)) -- each dot a dimension
      local dots = 0
      for i = 1, #labels do
         local label = labels:sub(i, i)
         if label == '.' then
            dots = dots + 1
            label = -dots
         end
         size_of[label] = math.max(size_of[label] or 1, sizes[i] or 1)
         times[label] = (times[label] or 0) + 1
      end
      all = all .. labels
   end
   local count = 1
   for label, size in pairs(size_of) do
      local stays = type(label) == 'number' or #operands > 2
      if right then
         stays = stays or right:find(label, 1, true)
      else
         stays = stays or times[label] == 1
      end
      count = stays and count * size or count
   end
   return count
end

function M.Einsum(c, x, ...)
   tools.spend(most(c.equation, { x, ... }))
   local y = torch.einsum(c.equation, x, ...)
   return torch.isTensor(y) and y or x.new(1):fill(y)
end

return M
