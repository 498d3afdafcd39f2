-- Sizes, parts, orders of dimensions.
local torch = require 'torch'
local dimension = require 'nn.base.dimension'
local L = require('onnx.export.walk').layers

-- What changes sizes alone: the sample says to what.
for _, class in ipairs { 'Reshape', 'View', 'Collapse', 'Squeeze' } do
   L['nn.' .. class] = function(g, _, x, y)
      return g:reshape(x, y:size())
   end
end

-- Of a batch whose first dimension could go, only those that are meant.
L['nn.Squeeze'] = function(g, _, x, y)
   return g:reshape(x, y:size())
end

L['nn.Unsqueeze'] = function(g, m, x)
   return g:unsqueeze(x, dimension.of(m, x.tensor, m.pos, m.numInputDims, 1) - 1)
end

L['nn.Select'] = function(g, m, x)
   local axis = dimension.of(m, x.tensor, m.dimension) - 1
   local size = x.tensor:size(axis + 1)
   local at = m.index < 0 and size + m.index or m.index - 1
   return g:squeeze(g:slice(x, axis, at, at + 1), axis)
end

L['nn.Narrow'] = function(g, m, x, y)
   local d = dimension.of(m, x.tensor, m.dimension)
   local first = m.index < 0 and 1 or m.index
   if g.dynamic and d == 1 then
      g:refuse('it cuts the batch, whose size may change: give dynamicBatch = false')
   end
   return g:slice(x, d - 1, first - 1, first - 1 + y:size(d))
end

L['nn.Index'] = function(g, m, x)
   local axis = m.dimension < 0 and x[1].tensor:dim() + m.dimension or m.dimension - 1
   return g:op('Gather', { x[1], g:op('Sub', { x[2], torch.LongTensor { 1 } }) }, { axis = axis })
end

L['nn.MaskedSelect'] = function(g, _, x)
   local mask = g:op('Cast', { x[2] }, { to = 9 })
   return g:op('Compress', { g:op('Reshape', { x[1], g:integers { -1 } }),
      g:op('Reshape', { mask, g:integers { -1 } }) }, { axis = 0 })
end

L['nn.Transpose'] = function(g, m, x)
   local dims = x.tensor:dim()
   local order = {}
   for d = 1, dims do
      order[d] = d - 1
   end
   local offset = m.numInputDims and dims == m.numInputDims + 1 and 1 or 0
   for _, pair in ipairs(m.permutations) do
      local a, b = pair[1] + offset, pair[2] + offset
      order[a], order[b] = order[b], order[a]
   end
   return g:transpose(x, unpack(order))
end

L['nn.Replicate'] = function(g, m, x, y)
   local axis = dimension.of(m, x.tensor, m.dim, m.ndim, 1) - 1
   local sizes = {}
   for d = 1, y:dim() do
      sizes[d] = d == axis + 1 and m.nfeatures or 1
   end
   return g:op('Expand', { g:unsqueeze(x, axis), g:integers(sizes) })
end

L['nn.Padding'] = function(g, m, x)
   local d = dimension.of(m, x.tensor, m.dim, m.nInputDim)
   local size, count = x.tensor:size(d), math.abs(m.pad)
   local before = m.pad > 0 and size - m.index + 1 or m.index - 1
   local dims = x.tensor:dim()
   local pads = {}
   for i = 1, 2 * dims do
      pads[i] = 0
   end
   if before == 0 then
      pads[d] = count
      return g:op('Pad', { x, g:integers(pads), m.value })
   end
   pads[dims + d] = count
   if before == size then
      return g:op('Pad', { x, g:integers(pads), m.value })
   end
   local front = g:op('Pad', { g:slice(x, d - 1, 0, before), g:integers(pads), m.value })
   return g:op('Concat', { front, g:slice(x, d - 1, before, size) }, { axis = d - 1 })
end

-- Which letters make the dimensions of what comes out: f takes those that nobody else does, t none.
local function letters_of(from, to)
   local rest, letters = to == '' and from or from:gsub('[' .. to .. ']', ''), ''
   for letter in to:gmatch '.' do
      letters = letters .. (from:find(letter, 1, true) and letter or letter == 'f' and rest or '')
   end
   return letters, rest
end

L['nn.Convert'] = function(g, m, x, y)
   local from, to, dims = m.inputShape, m.outputShape, x.tensor:dim()
   if not from then
      return g:op('Identity', { x })
   end
   if dims < #from then
      from, to = from:gsub('b', ''), to:gsub('b', '')
   end
   local letters, rest = letters_of(from, to)
   local dropped = #letters < #from
   if dropped then
      letters = letters .. rest
   end
   local order = {}
   for letter in letters:gmatch '.' do
      order[#order + 1] = from:find(letter, 1, true) - 1
   end
   local name = g:transpose(x, unpack(order))
   if not dropped and y:dim() == #order then
      return name
   elseif g.dynamic and not to:find '^b' then
      g:refuse('its batch, whose size may change, is not in front: give dynamicBatch = false')
   end
   return g:reshape(dropped and g:slice(name, dims - 1, 0, 1) or name, y:size())
end
