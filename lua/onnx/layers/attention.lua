-- Attention and what stands around it.
local torch = require 'torch'
local walk = require 'onnx.export.walk'
local L, containers = walk.layers, walk.containers

-- softmax(q k' scale + mask) v of tensors of any number of dimensions.
local function attention(g, m, q, k, v, mask)
   local dims = q.tensor:dim()
   local Tq, Tk, D = q.tensor:size(dims - 1), k.tensor:size(dims - 1), q.tensor:size(dims)
   local order = {}
   for d = 1, dims do
      order[d] = d - 1
   end
   order[dims - 1], order[dims] = order[dims], order[dims - 1]
   local scores = g:op('MatMul', { q, g:transpose(k, unpack(order)) })
   scores = g:op('Mul', { scores, m.scale or 1 / math.sqrt(D) })
   if m.causal then
      local later = torch.FloatTensor(Tq, Tk):zero()
      for i = 1, math.min(Tq, Tk - 1) do
         later[i]:narrow(1, i + 1, Tk - i):fill(-1e30)
      end
      scores = g:op('Add', { scores, later })
   end
   if mask then
      local sizes = mask.tensor:size():totable()
      local name = mask
      if #sizes == 2 then -- of keys
         name = g:unsqueeze(name, 1)
      end
      if dims == 4 and #sizes < 4 then
         name = g:unsqueeze(name, 1)
      end
      local far = g:op('Mul', { g:op('Cast', { name }, { to = 1 }), -1e30 })
      scores = g:op('Add', { scores, far })
   end
   return g:op('MatMul', { g:op('Softmax', { scores }, { axis = -1 }), v })
end

L['nn.ScaledDotProductAttention'] = function(g, m, x)
   return attention(g, m, x[1], x[2], x[3], x.mask)
end

-- Positions of N x T x F by a layer for rows.
local function projected(g, linear, x)
   local y = g:op('MatMul', { x, linear.weight:t():contiguous() })
   return linear.bias and g:op('Add', { y, linear.bias }) or y
end

local rotate

containers['nn.MultiHeadAttention'] = function(g, m, x)
   local single = x.name ~= nil
   local given = single and { x, x, x } or { x[1], x[2] or x[1], x[3] or x[2] or x[1] }
   local heads = {}
   for i = 1, 3 do
      local t = given[i].tensor
      local sizes = { t:size(1), t:size(2), m.heads, m.features / m.heads }
      local split = g:reshape(projected(g, m.modules[i], given[i]), sizes)
      local y = torch.FloatTensor(unpack(sizes)):transpose(2, 3)
      heads[i] = g:value(g:transpose(split, 0, 2, 1, 3), y)
      if m.rotary and i < 3 then
         heads[i] = g:value(rotate(g, m.rotary, heads[i]), y)
      end
   end
   local y = attention(g, m.modules[5], heads[1], heads[2], heads[3], not single and x.mask or nil)
   local size = given[1].tensor:size()
   local joined = g:reshape(g:transpose(y, 0, 2, 1, 3), size)
   local input = {}
   for key, value in pairs(single and {} or x) do
      input[key] = value.tensor
   end
   return g:value(projected(g, m.modules[4], joined),
      m:forward(single and x.tensor or input):clone())
end

function rotate(g, m, x)
   local dims, half = x.tensor:dim(), m.features / 2
   local T = x.tensor:size(dims - 1)
   local rate = torch.range(0, half - 1):mul(-2 * math.log(m.base) / m.features):exp()
   local angle = torch.ger(torch.range(0, T - 1), rate)
   local cosines, sines = torch.cos(angle):float(), torch.sin(angle):float()
   local a, b = g:slice(x, dims - 1, 0, half), g:slice(x, dims - 1, half, 2 * half)
   return g:op('Concat', {
      g:op('Sub', { g:op('Mul', { a, cosines }), g:op('Mul', { b, sines }) }),
      g:op('Add', { g:op('Mul', { b, cosines }), g:op('Mul', { a, sines }) }),
   }, { axis = dims - 1 })
end

L['nn.RotaryEmbedding'] = rotate

L['nn.PositionalEncoding'] = function(g, m, x)
   return g:op('Add', { x, m.places:narrow(1, 1, x.tensor:size(x.tensor:dim() - 1)) })
end

L['nn.LearnedPositions'] = function(g, m, x)
   return g:op('Add', { x, m.weight:narrow(1, 1, x.tensor:size(x.tensor:dim() - 1)) })
end

containers['nn.FeedForward'] = function(g, m, x, export)
   local F, size = m.features, x.tensor:size()
   local rows = g:value(g:reshape(x, { x.tensor:nElement() / F, F }), x.tensor:view(-1, F))
   local y = export(m.modules[1], rows, 1)
   return g:value(g:reshape(y, size), y.tensor:view(size))
end

containers['nn.Residual'] = function(g, m, x, export)
   local first = x.name and x or x[1]
   local inner = first
   if m.normAt and m.inFront then
      inner = export(m.modules[m.normAt], first, m.normAt)
   end
   local given = inner
   if not x.name then
      given = {}
      for key, value in pairs(x) do
         given[key] = value
      end
      given[1] = inner
   end
   local y = export(m.modules[1], given, 1)
   if m.dropoutAt then
      y = export(m.modules[m.dropoutAt], y, m.dropoutAt)
   end
   local sum = g:value(g:op('Add', { first, y }), first.tensor + y.tensor)
   return m.normAt and not m.inFront and export(m.modules[m.normAt], sum, m.normAt) or sum
end

local function stream(_, m, x, export)
   local current = x.name and x or x[1]
   for i, module in ipairs(m.modules) do
      local given = x
      if x.name then
         given = current
      end
      if not x.name then
         given = m:__inputOf(current, x, i)
      elseif m.__inputOf then
         given = current
      end
      current = export(module, given, i)
   end
   return current
end

for _, class in ipairs {
   'Stream', 'TransformerEncoderLayer', 'TransformerDecoderLayer', 'TransformerEncoder',
   'TransformerDecoder',
} do
   containers['nn.' .. class] = stream
end
