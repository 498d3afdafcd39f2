--- Reading an ONNX model as a net.
-- @module onnx.import
local ffi = require 'ffi'
local nn = require 'nn'
local torch = require 'torch'
local errors = require 'torch.errors'
local onnx = require 'onnx'
local assemble = require 'onnx.import.assemble'
local bytes = require 'onnx.import.bytes'
local files = require 'onnx.import.file'
local layers = require 'onnx.import.layers'
local models = require 'onnx.import.model'
local Node = require 'onnx.import.Node'
local operators = require 'onnx.operators'
local protobuf = require 'onnx.protobuf'
local ranks = require 'onnx.import.ranks'
local sizes = require 'onnx.import.sizes'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'
require 'onnx.import.recurrent'

local M = {}

-- Elements that constants may be computed into: so many for each byte of the file, and some more.
local ELEMENTS_PER_BYTE, ELEMENTS = 4, 4096

-- Names that a graph's outputs depend on.
local function needed_names(graph)
   local needed = {}
   for _, info in ipairs(graph.output) do
      needed[info.name or ''] = true
   end
   local nodes = graph.node or {}
   for i = #nodes, 1, -1 do
      local wanted = false
      for _, name in ipairs(nodes[i].output or {}) do
         wanted = wanted or name ~= '' and needed[name]
      end
      for _, name in ipairs(wanted and nodes[i].input or {}) do
         needed[name] = true
      end
      nodes[i].wanted = wanted
   end
   return needed
end

-- What the graph begins with: constants and inputs.
local function beginning(graph, external)
   local known, inputs = {}, {}
   for _, proto in ipairs(graph.initializer or {}) do
      local tensor, dims = types.decode(proto, external)
      known[proto.name or ''] = { constant = true, tensor = tensor, rank = #dims }
   end
   for _, info in ipairs(graph.input or {}) do
      local name = info.name or ''
      if not known[name] then -- older files list constants, too
         known[name] = { rank = models.rank(info), sizes = sizes.declared(info) }
         inputs[#inputs + 1] = name
      elseif not known[name].constant then
         error(("the graph has two inputs '%s'"):format(name), 0)
      end
   end
   if #inputs == 0 then
      error('the graph has no inputs: a net of constants alone is not read', 0)
   end
   return known, inputs
end

local function attributes_of(n, own_ranks)
   local attributes = { ranks = {}, outputs = n.outputs, opset = n.opset }
   for name, value in pairs(n.a) do
      attributes[name] = value
   end
   for i = 1, n.count do
      attributes.ranks[i] = n.ranks[i] or false
   end
   attributes.ranks.value = own_ranks.value
   return attributes
end

local function rank_of(n, own_ranks)
   local kind = n.node.op_type
   if kind == 'Constant' then
      local scalar = n.a.value_int or n.a.value_float
      return own_ranks.value or scalar and 0 or 1
   end
   if ranks[kind] then
      return ranks[kind](n)
   end
end

-- A message without the place in the sources, and in one line; of a mistake of Lua's own, which
-- operands that no operator has lead to, nothing.
local function reason(message)
   local text = tostring(message):match '^[^\n]*':gsub('^.-%.lua:%d+: ', '')
   if text:find 'attempt to' or text:find 'bad argument' or text:find 'expected arguments' then
      return 'they are not what it takes'
   end
   return text
end

-- An operator whose operands are all constants is computed at once.
local function fold(n, attributes, rank, known)
   local given = {}
   for i = 1, n.count do
      given[i] = n:constant(i)
   end
   local f = operators[n.node.op_type]
   local ok, result = pcall(f, attributes, unpack(given, 1, n.count))
   if not ok then
      n:fail('its operands are constants, and it cannot be computed: %s', reason(result))
   end
   local list = torch.isTensor(result) and { result } or result
   for i, name in ipairs(n.node.output) do
      if type(list) ~= 'table' or not torch.isTensor(list[i]) then
         n:fail 'its operands are constants, and it gives no elements'
      end
      tools.spend(list[i]:nElement())
      known[name] = { constant = true, tensor = list[i]:nElement() > 0 and list[i] or nil,
         rank = rank or list[i]:dim() }
   end
end

-- The layer of an operator, and the names of what it takes.
local function layer_of(n, attributes)
   local kind = n.node.op_type
   local make = layers[kind]
   local module, inputs = nil, { 1 }
   if make and n:has(1) and not n:isConstant(1) then
      local ok, made, taken = pcall(make, n)
      if not ok and type(made) == 'table' then
         error(made, 0)
      elseif not ok then
         n:fail('no layer can be made of it: %s', reason(made))
      end
      module, inputs = made, taken or inputs
   end
   if module then
      local names = {}
      for k, i in ipairs(inputs) do
         names[k] = n.names[i]
      end
      return module, names
   elseif not operators[kind] then
      n:fail(make and 'it is read only with a first operand that is no constant'
         or 'there is no such operator here (opset %d): onnx.operators takes one', n.opset)
   end
   local operands, names, place = {}, {}, {}
   for i = 1, n.count do
      local name = n.names[i]
      if not n:has(i) or n:isConstant(i) and not n:constant(i) then
         operands[i] = false
      elseif n:isConstant(i) then
         operands[i] = n:operand(i)
      else
         if not place[name] then
            names[#names + 1] = name
            place[name] = #names
         end
         operands[i] = place[name]
      end
   end
   return onnx.Operator(kind, attributes, operands), names
end

local function all_constant(n)
   for i = 1, n.count do
      if n:has(i) and not n:isConstant(i) then
         return false
      end
   end
   return true
end

-- name -> the sizes that the file says a value has.
local function declared_sizes(graph)
   local declared = {}
   for _, info in ipairs(graph.value_info or {}) do
      declared[info.name or ''] = sizes.declared(info)
   end
   return declared
end

local function read_nodes(model, known, external, opset)
   local graph, steps = model.graph, {}
   local needed, declared = needed_names(graph), declared_sizes(graph)
   for _, node in ipairs(graph.node or {}) do
      if node.wanted then
         models.check_domain(model, node)
         local a, own_ranks = models.attributes(node, external)
         local n = Node.new(node, known, a, opset, needed)
         local attributes, rank, others = attributes_of(n, own_ranks), rank_of(n, own_ranks)
         for _, name in ipairs(node.output) do
            if name ~= '' and known[name] then
               n:fail("its output '%s' is given twice", name)
            end
         end
         if all_constant(n) and operators[node.op_type] then
            fold(n, attributes, rank, known)
            known[node.output[1]].codes = bytes.codes(n)
         elseif node.op_type == 'Identity' and #node.output == 1 then
            known[node.output[1]] = { rank = rank, sizes = sizes.output(n),
               as = known[n.names[1]].as or n.names[1] }
         else
            local module, names = layer_of(n, attributes)
            for k, name in ipairs(names) do
               names[k] = known[name].as or name
            end
            steps[#steps + 1] = { module = module, inputs = names,
               outputs = { unpack(node.output, 1, n.outputs) },
               read = needed, name = node.name ~= '' and node.name or nil,
               kind = node.op_type, numbers = bytes.numbers(n), equal = sizes.equal(n),
               codes = n:isConstant(2) and bytes.by_outputs(n, known[n.names[2]].codes) or nil }
            for i, name in ipairs(node.output) do
               known[name] = { rank = i > 1 and others or rank,
                  sizes = i == 1 and sizes.output(n) or declared[name] }
            end
         end
      end
   end
   return steps
end

-- One that is a constant comes of the first input, as it were.
local function read_outputs(graph, known, steps, inputs)
   local outputs = {}
   for i, info in ipairs(graph.output) do
      local name = info.name or ''
      local found = known[name]
      if not found then
         error(("no node gives the output '%s' of the graph"):format(name), 0)
      elseif found.constant then
         if not found.tensor then
            error(("the output '%s' of the graph is a constant without elements"):format(name), 0)
         end
         steps[#steps + 1] = { module = nn.Constant(found.tensor), inputs = { inputs[1] },
            outputs = { name } }
      end
      outputs[i] = found.as or name
   end
   return outputs
end

local function metadata(model)
   local entries = {}
   for _, entry in ipairs(model.metadata_props or {}) do
      entries[entry.key or ''] = entry.value
   end
   return entries
end

--- A net of a file's bytes.
-- @string text the bytes
-- @string path for data beside it
-- @bool joined whether layers on bytes come of QuantizeLinear and DequantizeLinear
function M.read(text, path, joined)
   local model = protobuf.decode(ffi.cast('const char *', text), #text)
   models.check(model)
   local opset, external = models.opset(model), files.external(path)
   local known, inputs = beginning(model.graph, external)
   local steps = read_nodes(model, known, external, opset)
   local outputs = read_outputs(model.graph, known, steps, inputs)
   steps = joined and bytes.join(steps, outputs) or steps
   local net = assemble.net(steps, inputs, outputs)
   local names = {}
   for i, info in ipairs(model.graph.output) do
      names[i] = info.name
   end
   return net:float(), { inputs = inputs, outputs = names, metadata = metadata(model),
      opset = opset,
      producer = model.producer_name }
end

-- Names come from the file.
local function printable(text)
   text = text:gsub('[%c\127-\255]', '?')
   return #text > 400 and text:sub(1, 400) .. '...' or text
end

--- A net of a file; errors name it.
-- @string path
-- @bool joined as `read` takes it
function M.load(path, joined)
   local function fail(why)
      errors.raise(("onnx.import: '%s': %s"):format(path,
         printable(type(why) == 'table' and why.onnx
         or tostring(why))))
   end
   local ok, text = pcall(files.read, path)
   if not ok then
      errors.raise('onnx.import: ' .. tostring(text))
   end
   tools.budget = ELEMENTS + ELEMENTS_PER_BYTE * #text
   local read, net, about = pcall(M.read, text, path, joined)
   tools.budget = nil
   if not read then
      fail(net)
   end
   return net, about
end

return M
