-- Tables of tensors: element-wise, joined, taken apart.
local dimension = require 'nn.base.dimension'
local walk = require 'onnx.export.walk'
local Graph = require 'onnx.export.Graph'
local L, containers = walk.layers, walk.containers

for class, operator in pairs { CSubTable = 'Sub', CDivTable = 'Div' } do
   L['nn.' .. class] = function(g, _, x)
      return g:op(operator, x)
   end
end

for class, operator in pairs { CAddTable = 'Add', CMulTable = 'Mul' } do
   L['nn.' .. class] = function(g, _, x)
      if #x == 1 then
         return g:op('Identity', x)
      end
      local sum = x[1]
      for i = 2, #x do
         sum = g:op(operator, { sum, x[i] })
      end
      return sum
   end
end

for class, operator in pairs { CMaxTable = 'Max', CMinTable = 'Min' } do
   L['nn.' .. class] = function(g, _, x)
      return g:op(operator, x)
   end
end

L['nn.CAddTensorTable'] = function(g, _, x)
   local list = {}
   for i, value in ipairs(x[2]) do
      list[i] = g:op('Add', { x[1], value })
   end
   return list
end

L['nn.JoinTable'] = function(g, m, x)
   return g:op('Concat', x, { axis = dimension.of(m, x[1].tensor, m.dimension, m.nInputDims) - 1 })
end

L['nn.SplitTable'] = function(g, m, x, y)
   local axis = dimension.of(m, x.tensor, m.dimension, m.nInputDims) - 1
   if g.dynamic and axis == 0 then
      g:refuse('it takes the batch apart, whose size may change: give dynamicBatch = false')
   end
   local list = {}
   for i = 1, #y do
      list[i] = g:squeeze(g:slice(x, axis, i - 1, i), axis)
   end
   return list
end

-- Containers of values: the same tensors in another nest.
containers['nn.SelectTable'] = function(_, m, x)
   local index = m.index
   return x[type(index) == 'number' and index < 0 and #x + index + 1 or index]
end

containers['nn.NarrowTable'] = function(_, m, x)
   local list = {}
   for i = 1, m.length do
      list[i] = x[m.offset + i - 1]
   end
   return list
end

containers['nn.FlattenTable'] = function(_, _, x)
   local list = {}
   local function collect(value)
      if Graph.isValue(value) then
         list[#list + 1] = value
         return
      end
      for _, inner in ipairs(value) do
         collect(inner)
      end
   end
   collect(x)
   return list
end

containers['nn.ZipTable'] = function(_, _, x)
   local list = {}
   for i = 1, #x[1] do
      list[i] = {}
      for k = 1, #x do
         list[i][k] = x[k][i]
      end
   end
   return list
end

containers['nn.ZipTableOneToMany'] = function(_, _, x)
   local list = {}
   for i, value in ipairs(x[2]) do
      list[i] = { x[1], value }
   end
   return list
end

-- Of two batches of vectors, or two vectors, whose result has one element.
local function along(x)
   return x[1].tensor:dim() - 1
end

local function measured(g, x, y, name)
   return x[1].tensor:dim() == 1 and g:op('Reshape', { name, g:integers { 1 } })
      or g:reshape(name, y:size())
end

L['nn.DotProduct'] = function(g, _, x, y)
   return measured(g, x, y, g:reduce('ReduceSum', g:op('Mul', { x[1], x[2] }), { along(x) }, false))
end

L['nn.PairwiseDistance'] = function(g, m, x, y)
   local d = g:op('Sub', { x[1], x[2] })
   local sum
   if m.norm == 1 then
      sum = g:reduce('ReduceL1', d, { along(x) }, false)
   elseif m.norm == 2 then
      sum = g:reduce('ReduceL2', d, { along(x) }, false)
   else
      sum = g:op('Pow', { g:reduce('ReduceSum', g:op('Pow', { g:op('Abs', { d }), m.norm }),
         { along(x) }, false), 1 / m.norm })
   end
   return measured(g, x, y, sum)
end

L['nn.ScalePlanes'] = function(g, _, x)
   local dims = x[2].tensor:dim()
   return g:op('Mul', { x[1], g:unsqueeze(x[2], dims, dims + 1) })
end


L['nn.CosineDistance'] = function(g, _, x, y)
   local function square(a)
      return g:op('Add', { g:reduce('ReduceSumSquare', a, { along(x) }, false), 1e-12 })
   end
   local product = g:reduce('ReduceSum', g:op('Mul', { x[1], x[2] }), { along(x) }, false)
   local norms = g:op('Sqrt', { g:op('Mul', { square(x[1]), square(x[2]) }) })
   return measured(g, x, y, g:op('Div', { product, norms }))
end

-- Expert i of a tensor keeps its dimension, with size 1, until they are added up.
local function expert(g, x, i, dim)
   if not Graph.isValue(x) then
      return x[i], x[i].tensor:dim()
   end
   return g:slice(x, dim - 1, i - 1, i), x.tensor:dim()
end

L['nn.MixtureTable'] = function(g, m, x, y)
   local gater = x[1].tensor
   local last = gater:dim() - 1
   local dim, sum = m.dim or gater:dim(), nil
   for i = 1, gater:size(last + 1) do
      local one, dims = expert(g, x[2], i, dim)
      local weight = g:slice(x[1], last, i - 1, i)
      local sizes = {}
      for d = 1, dims do
         sizes[d] = d == 1 and last == 1 and gater:size(1) or 1
      end
      local part = g:op('Mul', { one, last == 1 and g:reshape(weight, sizes)
         or g:op('Reshape', { weight, g:integers(sizes) }) })
      sum = sum and g:op('Add', { sum, part }) or part
   end
   return Graph.isValue(x[2]) and g:reshape(sum, y:size()) or sum
end
