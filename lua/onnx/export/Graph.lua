--- The graph that is being written: nodes, constants, and what exporters say most.
--
-- An operand of a node is a value (below), a node's name, a tensor, which becomes a constant, or a
-- number, a constant without dimensions of the type of the first value or tensor beside it; false
-- stands for one that is left out. Axes count from 0, as the files' do.
-- @module onnx.export.Graph
local torch = require 'torch'
local types = require 'onnx.types'

local Graph = {}
Graph.__index = Graph

--- A tensor in the graph: its name, and the tensor that the sample gave there.
local Value = {}
Value.__index = Value

--- @param options opset, dynamic (whether the batch may change), batch (of the sample). `first`
-- becomes the name of the input whose first size that is.
function Graph.new(options)
   return setmetatable({
      opset = options.opset, dynamic = options.dynamic, batch = options.batch, nodes = {},
      constants = {}, names = {}, reserved = {}, scalars = {}, path = {},
   }, Graph)
end

function Graph.value(_, name, tensor)
   return setmetatable({ name = name, tensor = tensor }, Value)
end

function Graph.isValue(x)
   return getmetatable(x) == Value
end

--- Keep a name from nodes and constants, and from what nodes give, which are called after them.
function Graph:reserve(name)
   self.reserved[name] = true
   for _, ending in ipairs { '_out', '_%d+' } do
      self.reserved[name:match('^(.*)' .. ending .. '$') or name] = true
   end
end

--- A name that nothing has yet.
function Graph:fresh(stem)
   local count, name = self.names[stem] or 0
   repeat
      count = count + 1
      name = ('%s_%d'):format(stem, count)
   until not self.reserved[name]
   self.names[stem] = count
   return name
end

-- Exactly the tensor that comes in, in what is left of an error's path.
function Graph:where()
   return #self.path > 0 and 'net.' .. table.concat(self.path, '.') or 'net'
end

--- Raise that what is exported now cannot be.
function Graph:refuse(reason, ...)
   error({ onnx = reason:format(...), where = self:where(), class = self.class }, 0)
end

--- Raise unless the operator set is new enough.
function Graph:need(opset, operator)
   if self.opset < opset then
      self:refuse('%s is an operator of opset %d, this export has %d: give opset = %d', operator,
         opset, self.opset, opset)
   end
end

--- The name of a number without dimensions, of the type that a tensor has in the file: operators
-- take operands of one type.
function Graph:number(value, like)
   local kind = like and types.written(like:type()) or types.FLOAT
   local known = self.scalars[kind .. ' ' .. value]
   if known then
      return known
   end
   local t = torch.FloatTensor { value }
   if kind ~= types.FLOAT then
      t = t:type(types.class(kind))
      if t:double()[1] ~= value then
         self:refuse('a %s and the number %g come together: convert the tensor, x:float()',
            like:type(), value)
      end
   end
   known = self:fresh 'number'
   self.scalars[kind .. ' ' .. value] = known
   table.insert(self.constants, types.encode(known, t, {}))
   return known
end

--- A constant's name. Parameters that are shared are written once.
function Graph:constant(t, stem)
   if type(t) == 'number' then
      return self:number(t)
   end
   local name = self:fresh(stem or 'constant')
   local real = torch.isTensor(t) and t:type() or ''
   if real == 'torch.DoubleTensor' or real == 'torch.HalfTensor'
      or real == 'torch.BFloat16Tensor' then
      t = t:float()
   end
   table.insert(self.constants, types.encode(name, t))
   return name
end

--- A constant list of integers; an empty one has no elements.
function Graph:integers(list)
   if #list == 0 then
      local name = self:fresh 'constant'
      table.insert(self.constants, { name = name, dims = { 0 }, data_type = types.INT64 })
      return name
   end
   return self:constant(torch.LongTensor(list))
end

-- The tensor behind the first operand that is one.
local function first_tensor(operands)
   for _, x in ipairs(operands) do
      if getmetatable(x) == Value then
         return x.tensor
      elseif torch.isTensor(x) then
         return x
      end
   end
end

local function operand(self, x, operands)
   if type(x) == 'number' then
      return self:number(x, first_tensor(operands))
   elseif x == false then
      return ''
   elseif type(x) == 'string' then
      return x
   elseif getmetatable(x) == Value then
      return x.name
   end
   return self:constant(x)
end

local function attribute(name, value)
   local kind = type(value)
   if kind == 'string' then
      return { name = name, type = 3, s = value }
   elseif kind == 'boolean' then
      return { name = name, type = 2, i = value and 1 or 0 }
   elseif kind == 'number' then
      return { name = name, type = 2, i = value }
   elseif value.float then
      return { name = name, type = 1, f = value.float }
   elseif value.floats then
      return { name = name, type = 6, floats = value.floats }
   elseif value.tensor then
      return { name = name, type = 4, t = value.tensor }
   elseif type(value[1]) == 'string' then
      return { name = name, type = 8, strings = value }
   end
   return { name = name, type = 7, ints = value }
end

--- A node.
-- @string kind the operator
-- @tparam table operands
-- @tparam[opt] table attributes numbers are integers, `{ float = x }` is a float, `{ floats = list
-- }` floats, `{ tensor = proto }` a tensor
-- @int[opt] outputs how many, default one
-- @return the names of what comes out
function Graph:op(kind, operands, attributes, outputs)
   local node = { op_type = kind, name = self:fresh(kind), input = {}, output = {}, attribute = {} }
   for i, x in ipairs(operands) do
      node.input[i] = operand(self, x, operands)
   end
   for i = 1, outputs or 1 do
      node.output[i] = outputs and ('%s_%d'):format(node.name, i) or node.name .. '_out'
   end
   local names = {}
   for name in pairs(attributes or {}) do
      names[#names + 1] = name
   end
   table.sort(names)
   for i, name in ipairs(names) do
      node.attribute[i] = attribute(name, attributes[name])
   end
   self.nodes[#self.nodes + 1] = node
   return unpack(node.output)
end

--- Sizes for Reshape: with a batch that may change, the first is whatever is left.
function Graph:reshape(x, sizes)
   sizes = torch.isStorage(sizes) and sizes:totable() or sizes
   local list = { unpack(sizes) }
   if self.dynamic and list[1] and list[1] % self.batch == 0 then
      list[1] = -1
   end
   return self:op('Reshape', { x, self:integers(list) })
end

--- A list of sizes, the first of which is that of `like` where the batch may change.
function Graph:sizes(sizes, like)
   if not (self.dynamic and sizes[1] == self.batch and like) then
      return self:integers(sizes)
   end
   local batch = self:op('Slice', { self:op('Shape', { like }), self:integers { 0 },
      self:integers { 1 } })
   local rest = { unpack(sizes, 2) }
   return #rest > 0 and self:op('Concat', { batch, self:integers(rest) }, { axis = 0 }) or batch
end

--- Repeat x over sizes, as far as it has 1 there.
function Graph:expand(x, sizes, like)
   return self:op('Expand', { x, self:sizes(sizes, like) })
end

function Graph:transpose(x, ...)
   return self:op('Transpose', { x }, { perm = { ... } })
end

function Graph:slice(x, axis, first, last, step)
   return self:op('Slice', { x, self:integers { first }, self:integers { last },
      self:integers { axis }, step and self:integers { step } or nil })
end

function Graph:unsqueeze(x, ...)
   return self:op('Unsqueeze', { x, self:integers { ... } })
end

function Graph:squeeze(x, ...)
   return self:op('Squeeze', { x, self:integers { ... } })
end

--- Until opset 17 only ReduceSum has its axes as an operand.
function Graph:reduce(kind, x, axes, keep)
   local attributes = { keepdims = keep and 1 or 0 }
   if kind == 'ReduceSum' or self.opset >= 18 then
      return self:op(kind, { x, self:integers(axes) }, attributes)
   end
   attributes.axes = axes
   return self:op(kind, { x }, attributes)
end

--- f on a batch: a single sample becomes a batch of one.
-- @int dims of a batch
function Graph:batched(x, dims, f)
   if x.tensor:dim() >= dims then
      return f(x)
   end
   local y = f(self:unsqueeze(x, 0))
   return self:squeeze(y, 0)
end

return Graph
