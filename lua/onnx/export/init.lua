--- Writing a net as an ONNX model.
-- @module onnx.export
local torch = require 'torch'
local class = require 'torch.class'
local errors = require 'torch.errors'
local known = require 'torch.options'
local nested = require 'nn.nested'
local Graph = require 'onnx.export.Graph'
local calls = require 'onnx.export.calls'
local protobuf = require 'onnx.protobuf'
local types = require 'onnx.types'
local walk = require 'onnx.export.walk'
require 'onnx.layers'

local raise = errors.raise
local M = {}

local OPTIONS = {
   input = true, inputNames = true, outputNames = true, dynamicBatch = true, opset = true,
   metadata = true, name = true,
}
local OLDEST, NEWEST, USUAL = 13, 20, 17
-- Opset -> version of the file's format that came with it.
local IR = { [13] = 7, [14] = 7, [15] = 8, [16] = 8, [17] = 8, [18] = 8, [19] = 9, [20] = 9 }

local function check_options(options)
   if type(options) ~= 'table' or torch.isTensor(options) then
      raise(('onnx.export: the third argument is %s, expected a table with input = a sample or its '
         .. 'sizes'):format(options == nil and 'missing' or 'a ' .. class.type(options)))
   end
   for key in pairs(options) do
      if not OPTIONS[key] then
         raise(('onnx.export: there is no option %s%s'):format(tostring(key),
            known.hint(key, OPTIONS)))
      end
   end
   local opset = options.opset or USUAL
   if not IR[opset] then
      raise(('onnx.export: opset is %s, expected a number from %d to %d'):format(tostring(opset),
         OLDEST, NEWEST))
   end
   return opset
end

-- A sample: tensors as they came, or random numbers of the sizes given.
local function sample(input)
   if torch.isTensor(input) then
      if input:dim() == 0 then
         raise 'onnx.export: the sample has no elements'
      end
      return input
   elseif type(input) ~= 'table' or next(input) == nil then
      raise(('onnx.export: input is %s, expected a sample (a tensor or a table of tensors), or its '
         .. 'sizes such as { 1, 3, 32, 32 }'):format(input == nil and 'missing' or 'a '
         .. class.type(input)))
   elseif type(input[1]) == 'number' then
      return torch.FloatTensor(torch.LongStorage(input)):uniform(-1, 1)
   end
   local list = {}
   for key, value in pairs(input) do
      list[key] = sample(value)
   end
   return list
end

local function host_float(t)
   local number = types.number(t:type())
   if not number then
      raise(('onnx.export: the sample is a %s, which ONNX has no type for'):format(t:type()))
   end
   local name = types.name(number)
   if name == 'DOUBLE' or name == 'FLOAT16' or name == 'BFLOAT16' then
      return t:float()
   end
   return t:type(types.class(number))
end

-- A nest as a list, in the order of keys: entries by number first.
local function flat(nest, list)
   list = list or {}
   if Graph.isValue(nest) or torch.isTensor(nest) then
      list[#list + 1] = nest
      return list
   end
   local keys = {}
   for key in pairs(nest) do
      keys[#keys + 1] = key
   end
   table.sort(keys, function(a, b)
      if type(a) == type(b) then
         return a < b
      end
      return type(a) == 'number'
   end)
   for _, key in ipairs(keys) do
      flat(nest[key], list)
   end
   return list
end

local function info(g, name, t)
   local dims = {}
   for d = 1, t:dim() do
      local size = t:size(d)
      if d == 1 and g.dynamic and size % g.batch == 0 then
         dims[d] = size == g.batch and { dim_param = 'batch' } or {}
      else
         dims[d] = { dim_value = size }
      end
   end
   return { name = name, type = { tensor_type = { elem_type = types.number(t:type()),
      shape = { dim = dims } } } }
end

-- `taken`: a set of names that are given already, these put in.
local function names(given, stem, count, taken)
   if given ~= nil and (type(given) ~= 'table' or #given ~= count) then
      raise(('onnx.export: %sNames is %s, there are %d %ss'):format(stem,
         type(given) == 'table' and ('a table of %d'):format(#given) or 'a ' .. type(given), count,
         stem))
   end
   local list = {}
   for i = 1, count do
      local name = given and given[i] or count == 1 and stem or ('%s_%d'):format(stem, i)
      if type(name) ~= 'string' or name == '' or taken[name] then
         raise(('onnx.export: %sNames: %s is %s'):format(stem, taken[name] and ("'%s'"):format(name)
            or ('entry %d'):format(i), taken[name] and 'the name of two inputs or outputs'
            or "no name such as 'x'"))
      end
      list[i], taken[name] = name, true
   end
   return list
end

local function metadata(given)
   local list = {}
   for key, value in pairs(given or {}) do
      list[#list + 1] = { key = tostring(key), value = tostring(value) }
   end
   table.sort(list, function(a, b) return a.key < b.key end)
   return list
end

-- A net of floats on the host, in evaluation, whose buffers nobody else sees.
local function prepared(net)
   local copy = net:clone()
   if copy:type():find 'Cuda' or copy:type() ~= 'torch.FloatTensor' then
      copy:float()
   end
   copy:evaluate()
   return copy
end

-- What an exporter could not do, as the user's error; a layer's own gets the layer's place.
local function explain(err, g)
   if type(err) == 'string' and g then
      raise(('onnx.export: %s: %s'):format(g:where(), (err:gsub('^[^\n]-:%d+: ', '', 1))))
   end
   if type(err) ~= 'table' or not err.onnx then
      error(err, 0)
   end
   local what = err.class == 'the function' and err.class or err.where .. ': ' .. err.class
   raise(('onnx.export: %s cannot be exported: %s'):format(what, err.onnx))
end

--- The graph of a net for a sample.
local function trace(net, g, input)
   local ok, result = pcall(walk.module, g, prepared(net), input)
   return ok and result or explain(result, g)
end

local function trace_function(f, g, values, input)
   local ok, result = pcall(calls.trace, f, g, values, input)
   return ok and result or explain(result)
end

local function writer_of(net)
   if torch.isTypeOf(net, 'nn.Module') then
      return trace
   elseif type(net) == 'function' then
      return trace_function
   end
   raise(('onnx.export: the first argument is %s, expected a module such as nn.Sequential() or a '
      .. 'function of Variables'):format(net == nil and 'missing' or 'a ' .. class.type(net)))
end

--- A model as a table, in the form of `onnx.protobuf`.
function M.model(net, options)
   local opset = check_options(options)
   local write = writer_of(net)
   local given = sample(options.input)
   local x = nested.map(host_float, given)
   local list = flat(x)
   local g = Graph.new { opset = opset, dynamic = options.dynamicBatch, batch = list[1]:size(1) }
   local taken = {}
   local inputs, i = names(options.inputNames, 'input', #list, taken), 0
   g.first = inputs[1]
   local infos = {}
   local by_tensor = {}
   for k, t in ipairs(list) do
      by_tensor[t] = inputs[k]
      infos[k] = info(g, inputs[k], t)
      g:reserve(inputs[k])
   end
   for _, name in ipairs(type(options.outputNames) == 'table' and options.outputNames or {}) do
      g:reserve(tostring(name))
   end
   local values = nested.map(function(t)
      return g:value(by_tensor[t], t)
   end, x)
   local results = flat(write(net, g, values, given))
   local outputs, out = names(options.outputNames, 'output', #results, taken), {}
   for _, value in ipairs(results) do
      i = i + 1
      out[i] = info(g, outputs[i], host_float(value.tensor))
      g.nodes[#g.nodes + 1] = { op_type = 'Identity', name = 'to_' .. outputs[i],
         input = { value.name }, output = { outputs[i] } }
   end
   return {
      ir_version = IR[opset], producer_name = 'LuaTorch', opset_import = { { domain = '',
         version = opset } }, metadata_props = metadata(options.metadata),
      graph = { name = options.name or 'net', node = g.nodes, initializer = g.constants,
         input = infos, output = out },
   }
end

function M.save(path, model)
   local ok, bytes, size = pcall(protobuf.encode, model)
   if not ok then
      raise('onnx.export: ' .. tostring(bytes))
   end
   local temporary = path .. '.part'
   local file, why = io.open(temporary, 'wb')
   if not file then
      raise(('onnx.export: cannot write %s'):format(why))
   end
   local written = file:write(require('ffi').string(bytes, size))
   if not (file:close() and written and os.rename(temporary, path)) then
      os.remove(temporary)
      raise(("onnx.export: '%s' could not be written"):format(path))
   end
end

return M
