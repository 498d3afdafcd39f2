--- ONNX: nets for other runtimes, and nets from them.
--
--     local onnx = require 'onnx'
--     onnx.export(net, 'net.onnx', { input = torch.randn(1, 3, 32, 32), dynamicBatch = true })
--     local net = onnx.import 'net.onnx'
--
-- Files are read and written by protobuf, with the schema that Debian packages (libonnx1). The
-- guide docs/guides/onnx.md tells which layers and operators there are. Source: onnx.ai, whose
-- operators are specified by version ("opset").
-- @module onnx
require 'torch'
require 'nn'
require 'nngraph'
local class = require 'torch.class'
local errors = require 'torch.errors'
errors.library()

local M = {}
package.loaded.onnx = M
local checked = require 'torch.options'
local exporting = require 'onnx.export'
require 'onnx.Operator'
require 'onnx.WithCells'
require 'onnx.If'
require 'onnx.Loop'
local importing = require 'onnx.import'

--- Write a net as an ONNX model, as it computes in evaluation.
--
-- The net is copied, converted to floats and run on a sample, layer by layer; it stays as it was.
-- Types of reals are floats in the file, positions are LongTensors there, too, and count from 1 as
-- here. A sample fixes the sizes; with `dynamicBatch` the first of each input is left open, and a
-- layer that mixes samples is refused. The options:
--
--    input         a sample: tensor or table of tensors, or sizes such as { 1, 3, 32, 32 }
--    dynamicBatch  true: the batch may have another size later (default false)
--    inputNames    list, in the order of the input's entries; default input, or input_1, ...
--    outputNames   likewise
--    opset         from 13 to 20; default 17
--    metadata      table of texts by name
--    name          of the graph
--
-- @param net nn.Module, containers and nngraph's gModules among them, or a function of
-- Variables, which gets the sample and is run once
-- @string path
-- @tparam table options those above; the input is needed
-- @raise "onnx.export: net.3: nn.SpatialMaxUnpooling cannot be exported: ..."
-- @usage onnx.export(net, path, { input = sample })
-- @example
-- local nn, onnx = require 'nn', require 'onnx'
-- local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.ReLU())
-- onnx.export(net, 'net.onnx', { input = { 1, 3 }, metadata = { trained = 'on noise' } })
-- local again, about = onnx.import 'net.onnx'
-- torch.type(again:get(1)), about.metadata.trained --> 'nn.Linear', 'on noise'
function M.export(net, path, options)
   if type(path) ~= 'string' then
      errors.raise(('onnx.export: the path is a %s, expected a string: '
         .. "onnx.export(net, 'net.onnx', { input = sample })"):format(class.type(path)))
   end
   exporting.save(path, exporting.model(net, options))
end

--- Read an ONNX model as a net of floats: an nn.Sequential where each operator feeds the next, else
-- an nngraph gModule. Convolutions, products, pooling, normalisation, recurrent and most transfer
-- layers become layers of nn with the file's weights, other operators an onnx.Operator; both
-- learn. Products, convolutions, sums and pools between QuantizeLinear and DequantizeLinear become
-- the layers on bytes that nn.quantize makes, which do not learn.
--
-- Nothing of the file is run. Data in other files is read from below the model's folder only.
-- @string path
-- @tparam[opt] table options bytes: false for operators on floats that round, in the place of
-- layers on bytes (default true)
-- @return the net; table with `inputs` and `outputs` (names), `metadata`, `opset`, `producer`
-- @raise "onnx.import: 'x.onnx': node Foo 'f': there is no such operator here (opset 17): ..."
-- @usage onnx.import(path)
-- net = onnx.import(path, { bytes = false })
function M.import(path, options)
   if type(path) ~= 'string' then
      errors.raise(('onnx.import: the path is a %s, expected a string'):format(class.type(path)))
   end
   options = options and checked.check('onnx.import', options, { bytes = 'boolean' }) or {}
   return importing.load(path, options.bytes ~= false)
end

return M
