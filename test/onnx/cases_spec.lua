-- Operators that are read give what other runtimes give: test/onnx/cases.lua.
local torch = require 'torch'
local onnx = require 'onnx'
local cases = require 'test.onnx.cases'
local protobuf = require 'onnx.protobuf'
local types = require 'onnx.types'
local shell = require 'test.support.shell'

local ffi = require 'ffi'

local FLOAT = types.FLOAT

local function tensor_of(part)
   local t = torch.DoubleTensor(part.values):type(types.class(part.kind))
   return #part.dims > 0 and t:view(torch.LongStorage(part.dims)) or t
end

local function info(name, part)
   local dims = {}
   for d, size in ipairs(part.dims) do
      dims[d] = { dim_value = size }
   end
   return { name = name,
      type = { tensor_type = { elem_type = part.kind, shape = { dim = dims } } } }
end

-- A file of the one node, its first operand an input or, with all the others, a constant.
local function write(path, case, folded)
   local names, constants = { 'x' }, {}
   for i, part in ipairs(case.constants) do
      names[i + 1] = part and 'c' .. i or ''
      if part then
         constants[#constants + 1] = types.encode('c' .. i, tensor_of(part), part.dims)
      end
   end
   local nodes = { { op_type = case.operator, name = 'node', domain = '', input = names,
      output = case.outputs or { 'y' }, attribute = case.attributes } }
   local input = info('x', case.x)
   if folded then
      input = { name = 'any', type = {} }
      constants[#constants + 1] = types.encode('x', tensor_of(case.x), case.x.dims)
   end
   local data, size = protobuf.encode { ir_version = 8,
      opset_import = { { domain = '', version = case.opset } },
      graph = { name = 'g', node = nodes, initializer = constants, input = { input },
         output = { info('y', case.y) } } }
   local file = assert(io.open(path, 'wb'))
   file:write(ffi.string(data, size))
   file:close()
end

-- Equal as far as floats are; infinities to themselves.
local function same(case, y)
   local wanted = tensor_of(case.y)
   assert.equal(wanted:type(), y:type())
   if #case.y.dims > 0 then
      assert.same(case.y.dims, y:size():totable())
   end
   local found = y:contiguous():view(-1):totable()
   assert.equal(#case.y.values, #found)
   for i, value in ipairs(case.y.values) do
      local near = found[i] == value or math.abs(found[i] - value) <= 1e-5 * math.max(1,
         math.abs(value)) and math.abs(value) < math.huge
      assert.is_true(near,
         ('element %d is %g, %s gives %g'):format(i, found[i], case.source, value))
   end
end

describe('An operator that is read gives what others give:', function()
   for _, case in ipairs(cases) do
      it(case.name, function()
         shell.with_folder(function(folder)
            write(folder .. '/x.onnx', case)
            local net = onnx.import(folder .. '/x.onnx')
            net:evaluate()
            same(case, net:forward(tensor_of(case.x)))
            if require('onnx.operators')[case.operator] and case.x.kind == FLOAT
               and case.y.kind == FLOAT then
               write(folder .. '/x.onnx', case, true)
               same(case, onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor { 0 }))
            end
         end)
      end)
   end
end)
