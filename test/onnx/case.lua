--- A case of test/onnx/cases.lua as a file, and what its net gives against what is wanted.
local assert = require 'luassert'
local ffi = require 'ffi'
local torch = require 'torch'
local protobuf = require 'onnx.protobuf'
local types = require 'onnx.types'

local M = {}

--- A tensor of a case.
function M.tensor(part)
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

-- The names of all outputs, '' for one that is left out; and of those that are not.
local function outputs_of(case)
   local all, given = case.outputs or { 'y' }, {}
   for _, name in ipairs(all) do
      given[#given + 1] = name ~= '' and name or nil
   end
   return all, given
end

-- Numbers without a sign, which lie in a wider tensor here, are in a file as such.
local LISTS = { [types.UINT16] = 'int32_data', [types.UINT32] = 'uint64_data' }

local function proto(name, part)
   local list = LISTS[part.kind]
   return list and { name = name, dims = part.dims, data_type = part.kind, [list] = part.values }
      or types.encode(name, M.tensor(part), part.dims)
end

--- A file of the one node, its first operand an input or, with all the others, a constant.
function M.write(path, case, folded)
   local names, constants = { 'x' }, {}
   for i, part in ipairs(case.constants) do
      names[i + 1] = part and 'c' .. i or ''
      if part then
         constants[#constants + 1] = proto('c' .. i, part)
      end
   end
   local domain, kind = case.operator:match '^(.*)%.([^.]*)$'
   local nodes = { { op_type = kind or case.operator, name = 'node', domain = domain or '',
      input = names,
      output = outputs_of(case), attribute = case.attributes } }
   local input = info('x', case.x)
   if folded then
      input = { name = 'any', type = {} }
      constants[#constants + 1] = proto('x', case.x)
   end
   local outputs = {}
   for i, name in ipairs(select(2, outputs_of(case))) do
      outputs[i] = info(name, case[name])
   end
   local data, size = protobuf.encode { ir_version = 8,
      opset_import = { { domain = '', version = case.opset }, { domain = 'com.microsoft',
         version = 1 } },
      graph = { name = 'g', node = nodes, initializer = constants, input = { input },
         output = outputs } }
   local file = assert(io.open(path, 'wb'))
   file:write(ffi.string(data, size))
   file:close()
end

-- Equal as far as floats are; infinities to themselves.
local function same_part(case, part, y)
   local wanted = M.tensor(part)
   assert.equal(wanted:type(), y:type())
   if #part.dims > 0 then
      assert.same(part.dims, y:size():totable())
   end
   local found = y:contiguous():view(-1):totable()
   assert.equal(#part.values, #found)
   for i, value in ipairs(part.values) do
      local near = found[i] == value or math.abs(found[i] - value) <= 1e-5 * math.max(1,
         math.abs(value)) and math.abs(value) < math.huge
      assert.is_true(near,
         ('element %d is %g, %s gives %g'):format(i, found[i], case.source, value))
   end
end

--- Assert that a result is a case's.
function M.same(case, y)
   local list = torch.isTensor(y) and { y } or y
   for i, name in ipairs(select(2, outputs_of(case))) do
      same_part(case, case[name], list[i])
   end
end

return M
