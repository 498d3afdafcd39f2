--- Reading an ONNX model as a net.
-- @module onnx.import
local ffi = require 'ffi'
local errors = require 'torch.errors'
local assemble = require 'onnx.import.assemble'
local bytes = require 'onnx.import.bytes'
local files = require 'onnx.import.file'
local functions = require 'onnx.import.functions'
local graphs = require 'onnx.import.graph'
local models = require 'onnx.import.model'
local protobuf = require 'onnx.protobuf'
local tools = require 'onnx.operators.tools'
require 'onnx.import.recurrent'

local M = {}

-- Elements that constants may be computed into: so many for each byte of the file, and some more.
local ELEMENTS_PER_BYTE, ELEMENTS = 4, 4096

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
   functions.expand(model)
   local context = { model = model, opset = models.opset(model), external = files.external(path) }
   local steps, inputs, outputs = graphs.read(context)
   steps = joined and bytes.join(steps, outputs) or steps
   local net = assemble.net(steps, inputs, outputs)
   local names = {}
   for i, info in ipairs(model.graph.output) do
      names[i] = info.name
   end
   return net:float(), { inputs = inputs, outputs = names, metadata = metadata(model),
      opset = context.opset,
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
