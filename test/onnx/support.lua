--- Nests of tensors for the specs of onnx.
local ffi = require 'ffi'
local torch = require 'torch'
local protobuf = require 'onnx.protobuf'
local types = require 'onnx.types'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local M = {}

--- Reals as floats, the rest as it is.
function M.float(nest)
   if torch.isTensor(nest) then
      return nest:type() == 'torch.DoubleTensor' and nest:float() or nest:clone()
   end
   local result = {}
   for key, value in pairs(nest) do
      result[key] = M.float(value)
   end
   return result
end

--- A nest's tensors in the order of a file's inputs and outputs: numbers first, then names.
function M.flat(nest, list)
   list = list or {}
   if torch.isTensor(nest) then
      list[#list + 1] = nest
      return list
   end
   local keys = {}
   for key in pairs(nest) do
      keys[#keys + 1] = key
   end
   table.sort(keys, function(a, b)
      return type(a) == type(b) and a < b or type(a) ~= type(b) and type(a) == 'number'
   end)
   for _, key in ipairs(keys) do
      M.flat(nest[key], list)
   end
   return list
end

--- Each tensor twice, one behind the other: a batch of twice the size.
function M.doubled(nest)
   if torch.isTensor(nest) then
      return torch.cat({ nest, nest }, 1)
   end
   local result = {}
   for key, value in pairs(nest) do
      result[key] = M.doubled(value)
   end
   return result
end

local ALIKE, TRUTH = {}, {}
for name in ('Add Sub Mul Div Max Min Clip Less Greater LessOrEqual GreaterOrEqual Equal')
   :gmatch '%a+' do
   ALIKE[name] = true
end
for name in ('Less Greater LessOrEqual GreaterOrEqual Equal'):gmatch '%a+' do
   TRUTH[name] = true
end

--- The first node of a file whose operands should be of one type and are not, as a text; nil if all
-- are. Of nodes that are not listed the output counts as the first operand's type.
function M.mixed(path)
   local text = shell.read(path)
   local model = protobuf.decode(ffi.cast('const char *', text), #text)
   local kind = {}
   for _, info in ipairs(model.graph.input) do
      kind[info.name] = info.type.tensor_type.elem_type
   end
   for _, constant in ipairs(model.graph.initializer or {}) do
      kind[constant.name] = constant.data_type
   end
   for _, node in ipairs(model.graph.node) do
      local own = kind[node.input[1]]
      for _, name in ipairs(ALIKE[node.op_type] and node.input or {}) do
         if name ~= '' and kind[name] ~= own then
            return ('%s of types %d and %d'):format(node.op_type, own, kind[name])
         end
      end
      own = node.op_type == 'Cast' and node.attribute[1].i or TRUTH[node.op_type] and types.BOOL
         or own
      for _, name in ipairs(node.output) do
         kind[name] = own
      end
   end
end

--- Write a file.
function M.store(path, text)
   local file = assert(io.open(path, 'wb'))
   file:write(text)
   file:close()
end

--- A value of floats as a file lists its inputs and outputs; sizes are numbers, names or {} for
-- neither.
function M.value(name, ...)
   local dims = {}
   for i, size in ipairs { ... } do
      dims[i] = type(size) == 'table' and size
         or { [type(size) == 'string' and 'dim_param' or 'dim_value'] = size }
   end
   return { name = name, type = { tensor_type = { elem_type = 1, shape = { dim = dims } } } }
end

--- The text of a model of nodes from x to y, 2 x 3, with changes.
function M.model(nodes, changes)
   local m = { ir_version = 8, opset_import = { { domain = '', version = 17 } },
      graph = { name = 'g', node = nodes, input = { M.value('x', 2, 3) },
         output = { M.value('y', 2, 3) } } }
   for key, change in pairs(changes or {}) do
      if key == 'opset_import' or key == 'functions' then
         m[key] = change
      else
         m.graph[key] = change
      end
   end
   local data, size = protobuf.encode(m)
   return ffi.string(data, size)
end

--- A node with one output.
function M.node(kind, inputs, output, attributes, domain)
   return { op_type = kind, name = kind:lower(), input = inputs, output = { output },
      attribute = attributes or {}, domain = domain or '' }
end

--- A node that chooses by `M.ON` between nodes that give 'a' and nodes that give 'b', as 'y'.
function M.choice(yes, no)
   local function branch(name, nodes, output)
      return { name = name, type = 5,
         g = { name = 'inner', node = nodes, output = { M.value(output, 2, 3) } } }
   end
   return M.node('If', { 'on' }, 'y',
      { branch('then_branch', yes, 'a'), branch('else_branch', no, 'b') })
end

--- The input of a truth.
M.ON = { name = 'on', type = { tensor_type = { elem_type = 9, shape = {} } } }

--- A constant of floats of these sizes, one or two: 1/8, 2/8 and so on.
function M.floats(name, ...)
   local list = {}
   for i = 1, (select(1, ...)) * (select(2, ...) or 1) do
      list[i] = i / 8
   end
   return { name = name, dims = { ... }, data_type = 1, float_data = list }
end

--- The net of a file's text.
function M.import(text)
   local net
   shell.with_folder(function(folder)
      M.store(folder .. '/x.onnx', text)
      net = require('onnx').import(folder .. '/x.onnx')
   end)
   return net
end

--- Assert that a file's text is refused with a message that begins so.
function M.refused(message, text)
   shell.with_folder(function(folder)
      local path = folder .. '/x.onnx'
      M.store(path, text)
      raises(("onnx.import: '%s': %s"):format(path, message), require('onnx').import, path)
   end)
end

return M
