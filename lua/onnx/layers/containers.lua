-- Containers: where each module's input comes from, and what becomes of the outputs.
local torch = require 'torch'
local walk = require 'onnx.export.walk'
local containers, refused = walk.containers, walk.refused

containers['nn.Sequential'] = function(_, m, x, export)
   for i, module in ipairs(m.modules) do
      x = export(module, x, i)
   end
   return x
end

containers['nn.Placed'] = containers['nn.Sequential']

-- One branch each, and the list of what they give.
local function branches(m, count, input, export)
   local list = {}
   for i = 1, count do
      list[i] = export(m.modules[i], input(i), i)
   end
   return list
end

containers['nn.ConcatTable'] = function(_, m, x, export)
   return branches(m, #m.modules, function() return x end, export)
end

containers['nn.ParallelTable'] = function(_, m, x, export)
   return branches(m, #m.modules, function(i) return x[i] end, export)
end

containers['nn.MapTable'] = function(_, m, x, export)
   m:resize(#x)
   return branches(m, #x, function(i) return x[i] end, export)
end

local function joined(g, list, dimension)
   local tensors = {}
   for i, value in ipairs(list) do
      tensors[i] = value.tensor
   end
   local dims = tensors[1]:dim()
   local axis = dimension < 0 and dims + dimension or dimension - 1
   return g:value(g:op('Concat', list, { axis = axis }), torch.cat(tensors, axis + 1))
end

containers['nn.Concat'] = function(g, m, x, export)
   return joined(g, branches(m, #m.modules, function() return x end, export), m.dimension)
end

-- Smaller outputs get borders of zeros.
containers['nn.DepthConcat'] = function(g, m, x, export)
   local list = branches(m, #m.modules, function() return x end, export)
   local most = {}
   for _, value in ipairs(list) do
      for d = 1, value.tensor:dim() do
         most[d] = math.max(most[d] or 0, value.tensor:size(d))
      end
   end
   for i, value in ipairs(list) do
      local dims, pads, t = #most, {}, value.tensor
      for d = 1, dims do
         local missing = d == m.dimension and 0 or most[d] - t:size(d)
         pads[d] = math.floor(missing / 2)
         pads[dims + d] = missing - pads[d]
         local sizes = t:size()
         sizes[d] = sizes[d] + missing
         local larger = t.new():resize(sizes):zero()
         larger:narrow(d, pads[d] + 1, t:size(d)):copy(t)
         t = larger
      end
      list[i] = g:value(g:op('Pad', { value, g:integers(pads) }), t)
   end
   return joined(g, list, m.dimension)
end

containers['nn.Parallel'] = function(g, m, x, export)
   local axis = m.inputDimension - 1
   if g.dynamic and axis == 0 then
      g:refuse('it takes the batch apart, whose size may change: give dynamicBatch = false')
   end
   local list = branches(m, x.tensor:size(axis + 1), function(i)
      return g:value(g:squeeze(g:slice(x, axis, i - 1, i), axis), x.tensor:select(axis + 1, i))
   end, export)
   return joined(g, list, m.outputDimension)
end

containers['nn.Bottle'] = function(g, m, x, export)
   local head = x.tensor:dim() - m.nInputDim + 1
   if head == 1 then
      return export(m.modules[1], x, 1)
   end
   local sizes, rows = x.tensor:size():totable(), 1
   for d = 1, head do
      rows = rows * sizes[d]
   end
   local narrow = { rows, unpack(sizes, head + 1) }
   local y = export(m.modules[1], g:value(g:reshape(x, narrow),
      x.tensor:view(torch.LongStorage(narrow))), 1)
   local whole = { unpack(sizes, 1, head) }
   for d = 2, y.tensor:dim() do
      whole[#whole + 1] = y.tensor:size(d)
   end
   return g:value(g:reshape(y, whole), y.tensor:view(torch.LongStorage(whole)))
end

-- Those that hand on what the module inside gives.
for _, class in ipairs { 'Decorator', 'NaN', 'Profile', 'GPU',
   'SpatialContrastiveNormalization' } do
   containers['nn.' .. class] = function(_, m, x, export)
      return export(m.normalizer or m.modules[1], x, 1)
   end
end

-- A type of its own is the file's floats, too.
containers['nn.DontCast'] = function(_, m, x, export)
   return export(m.modules[1]:float(), x, 1)
end

containers['nn.gModule'] = function(_, m, x, export)
   local found = {} -- node's data -> value
   for _, node in ipairs(m.forwardnodes) do
      local data = node.data
      local given
      if node == m.innode then
         given = x
      elseif #data.mapindex == 1 then
         given = found[data.mapindex[1]]
      else
         given = {}
         for i, from in ipairs(data.mapindex) do
            given[i] = found[from]
         end
      end
      if data.selectindex then
         given = given[data.selectindex]
      end
      found[data] = data.module and export(data.module, given,
         data.annotations and data.annotations.name or node.id) or given
   end
   return found[m.outnode.data]
end

refused['nn.Lambda'] = 'a Lua function: onnx.export takes functions of Variables themselves'
refused['nn.SparseLinear'] = 'its input is a list of positions and values, for which '
   .. 'ONNX has no operator'
refused['nn.IndexLinear'] = 'its input is a list of keys and values, for which ONNX '
   .. 'has no operator'
refused['nn.Kmeans'] = 'it is an algorithm of training: its output is a loss'
