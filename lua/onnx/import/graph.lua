--- Graphs of a file as lists of steps.
-- @module onnx.import.graph
local torch = require 'torch'
local onnx = require 'onnx'
local bodies = require 'onnx.import.bodies'
local branches = require 'onnx.import.branches'
local bytes = require 'onnx.import.bytes'
local Constants = require 'onnx.import.constants'
local kinds = require 'onnx.import.kinds'
local layers = require 'onnx.import.layers'
local loops = require 'onnx.import.loops'
local models = require 'onnx.import.model'
local Node = require 'onnx.import.Node'
local operators = require 'onnx.operators'
local ranks = require 'onnx.import.ranks'
local sizes = require 'onnx.import.sizes'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'

local M = {}

-- Operators with graphs within them.
local WITHIN = { If = branches, Loop = loops.Loop, Scan = loops.Scan }

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
      for _, name in ipairs(wanted and bodies.free(nodes[i]) or {}) do
         needed[name] = true
      end
      nodes[i].wanted = wanted
   end
   return needed
end

-- What the graph begins with: constants and inputs. In `known` may be what graphs around it know.
local function beginning(graph, constants, known)
   local inputs = {}
   for _, proto in ipairs(graph.initializer or {}) do
      local tensor, dims = constants:decode(proto)
      known[proto.name or ''] = { constant = true, tensor = tensor, rank = #dims,
         type = proto.data_type }
   end
   for _, info in ipairs(graph.input or {}) do
      local name = info.name or ''
      if not known[name] then -- older files list constants, too
         known[name] = { rank = models.rank(info), sizes = sizes.declared(info),
            type = kinds.declared(info) }
         inputs[#inputs + 1] = name
      elseif not known[name].constant then
         error(("the graph has two inputs '%s'"):format(name), 0)
      end
   end
   return inputs
end

local function attributes_of(n, own_ranks)
   local attributes = { ranks = {}, outputs = n.outputs, opset = n.opset }
   for name, value in pairs(n.a) do
      attributes[name] = value
   end
   for i = 1, n.count do
      attributes.ranks[i] = n.ranks[i] or false
   end
   attributes.ranks.value, attributes.bits = own_ranks.value, kinds.bits(n)
   return attributes
end

local function rank_of(n, own_ranks)
   local kind = n.kind
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

-- What an operator gives whose operands are all constants. A matrix that is transposed is known as
-- such: who reads it and who reads the matrix learn one parameter.
local function computed(n, attributes)
   local x, order = n:constant(1), n.a.perm or { 1, 0 }
   if n.kind == 'Transpose' and x and x:dim() == 2 and order[1] == 1 and order[2] == 0 then
      return n.constants:transposed(x)
   end
   local given = {}
   for i = 1, n.count do
      given[i] = n:constant(i)
   end
   local ok, result = pcall(tools.call, operators[n.kind], attributes, given, n.count)
   if not ok then
      n:fail('its operands are constants, and it cannot be computed: %s', reason(result))
   end
   return result
end

-- An operator whose operands are all constants is computed at once.
local function fold(n, attributes, rank, known)
   local result = computed(n, attributes)
   local list = torch.isTensor(result) and { result } or result
   for k, i in ipairs(n.given) do
      local found = type(list) == 'table' and list[k]
      if not torch.isTensor(found) then
         n:fail 'its operands are constants, and it gives no elements'
      end
      n.constants:count(found)
      known[n.node.output[i]] = { constant = true, tensor = found:nElement() > 0 and found or nil,
         rank = rank or found:dim(), type = kinds.output(n, i) }
   end
end

-- The layer of an operator, and the names of what it takes.
local function layer_of(n, attributes)
   local kind = n.kind
   local make = kinds.is_for_layers(n) and layers[kind]
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

-- What an operator becomes: constants, another name, or a step.
local function read_node(n, known, steps, declared, own_ranks)
   local node = n.node
   local attributes, rank, others = attributes_of(n, own_ranks), rank_of(n, own_ranks)
   if all_constant(n) and operators[n.kind] then
      fold(n, attributes, rank, known)
      known[node.output[1]].codes = bytes.codes(n)
   elseif n.kind == 'Identity' and #node.output == 1 then
      known[node.output[1]] = { rank = rank, sizes = sizes.output(n),
         type = known[n.names[1]].type, as = known[n.names[1]].as or n.names[1] }
   else
      local module, names = layer_of(n, attributes)
      for k, name in ipairs(names) do
         names[k] = known[name].as or name
      end
      local outputs = {}
      for k, i in ipairs(n.given) do
         outputs[k] = node.output[i]
      end
      steps[#steps + 1] = { module = module, inputs = names, outputs = outputs,
         name = node.name ~= '' and node.name or nil,
         kind = n.kind, numbers = bytes.numbers(n), equal = sizes.equal(n),
         codes = n:isConstant(2) and bytes.by_outputs(n, known[n.names[2]].codes) or nil }
      for i, name in ipairs(node.output) do
         known[name] = { rank = i > 1 and others or rank,
            sizes = i == 1 and sizes.output(n) or declared[name],
            type = kinds.output(n, i) }
      end
   end
end

local function read_nodes(context, graph, known, inputs)
   local steps = {}
   local needed, declared = needed_names(graph), declared_sizes(graph)
   for _, node in ipairs(graph.node or {}) do
      if node.wanted then
         models.check_domain(context.model, node, operators)
         local a, own_ranks, own_types = models.attributes(node, context.constants)
         local n = Node.new(node, known, a, own_types, context, needed)
         for _, name in ipairs(node.output) do
            if name ~= '' and rawget(known, name) then
               n:fail("its output '%s' is given twice", name)
            end
         end
         local inner = WITHIN[n.kind]
         if inner then
            inner(n, { known = known, steps = steps, inputs = inputs, read = M.read_within,
               context = context, constant = M.constant_module, outputs = M.read_outputs })
         else
            read_node(n, known, steps, declared, own_ranks)
         end
      end
   end
   return steps
end

--- A module that gives a constant whatever it takes; reals are parameters.
function M.constant_module(context, tensor)
   local constants = context.constants
   local operand = types.is_real(tensor)
      and { weight = tensor, gradient = constants:gradient(tensor) } or constants:plain(tensor)
   return onnx.Operator('Identity', { ranks = {}, outputs = 1 }, { operand })
end

-- One that is a constant comes of the first input, as it were.
local function read_outputs(context, graph, known, steps, inputs)
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
         steps[#steps + 1] = { module = M.constant_module(context, found.tensor),
            inputs = { inputs[1] }, outputs = { name } }
      end
      outputs[i] = found.as or name
   end
   return outputs
end

--- The steps of the model's graph, names of its inputs, and of its outputs.
-- @tab context model, opset, external
function M.read(context)
   local graph, known = context.model.graph, {}
   context.constants = Constants.new(context.external)
   local inputs = beginning(graph, context.constants, known)
   if #inputs == 0 then
      error('the graph has no inputs: a net of constants alone is not read', 0)
   end
   local steps = read_nodes(context, graph, known, inputs)
   local outputs = read_outputs(context, graph, known, steps, inputs)
   context.constants:tie()
   return steps, inputs, outputs
end

--- What a graph within a node comes to.
-- @tab context
-- @tab graph
-- @tab known what it begins with: its formal inputs, no constants, and the values around it
-- @tab inputs names of all that is no constant
-- @return steps; name -> what is known of the values
function M.read_within(context, graph, known, inputs)
   beginning({ initializer = graph.initializer }, context.constants, known)
   return read_nodes(context, graph, known, inputs), known
end

M.read_outputs = read_outputs

return M
