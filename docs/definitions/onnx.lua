---@meta onnx
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local onnx = {}

---One of two nets, by a truth that is computed: ONNX's If.
---
---The input is a tensor of one element, the truth, or a list that begins with it; both nets take
---all of it, and the one that is chosen gives the output.
---@class onnx.If: nn.Container
---@overload fun(yes: any, no: any): onnx.If
onnx.If = {}

---A net run again and again on what it gave: ONNX's Loop and Scan.
---
---In each round the net takes the states, a slice of each input that is taken apart, and values
---that stay; it gives the next states, and values that are put together over the rounds. A Loop's
---net also takes the number of the round, from 0, and the truth by which the round began, and gives
---first the truth by which the next one begins.
---
---Input: { rounds, truth, states..., inputs that are taken apart..., values that stay... }, the
---first two where the options say so. Output: { states..., values put together... }, or the one of
---them.
---
---The way back runs each round again, so that a round's memory is needed once.
---@class onnx.Loop: nn.Container
---@overload fun(net: any, options: table, first?: any): onnx.Loop
onnx.Loop = {}

---An operator of ONNX as a layer, where nn has none that does the same.
---
---Constants of the file that are floats are parameters. The way back is that of Variables: it
---computes the operator again.
---@class onnx.Operator: nn.Module
---@overload fun(name: string, attributes: table, operands: table): onnx.Operator
onnx.Operator = {}

---An nn.LSTM that gives its last cells as well, as ONNX's operator does.
---
---Output: { h of every step, c of the last one }; the input is the layer's.
---@class onnx.WithCells: nn.Container
---@overload fun(layer: any): onnx.WithCells
onnx.WithCells = {}

---Write a net as an ONNX model, as it computes in evaluation.
---
---The net is copied, converted to floats and run on a sample, layer by layer; it stays as it was.
---Types of reals are floats in the file, positions are LongTensors there, too, and count from 1 as
---here. A sample fixes the sizes; with `dynamicBatch` the first of each input is left open, and a
---layer that mixes samples is refused. The options:
---
---   input         a sample: tensor or table of tensors, or sizes such as { 1, 3, 32, 32 }
---   dynamicBatch  true: the batch may have another size later (default false)
---   inputNames    list, in the order of the input's entries; default input, or input_1, ...
---   outputNames   likewise
---   opset         from 13 to 20; default 17
---   metadata      table of texts by name
---   name          of the graph
---@param net any nn.Module, containers and nngraph's gModules among them, or a function of Variables, which gets the sample and is run once
---@param path string (string)
---@param options table those above; the input is needed (table)
function onnx.export(net, path, options) end

---Read an ONNX model as a net of floats: an nn.Sequential where each operator feeds the next, else
---an nngraph gModule. Convolutions, products, pooling, normalisation, recurrent and most transfer
---layers become layers of nn with the file's weights, other operators an onnx.Operator; both
---learn. Products, convolutions, sums and pools between QuantizeLinear and DequantizeLinear become
---the layers on bytes that nn.quantize makes, which do not learn.
---
---Nothing of the file is run. Data in other files is read from below the model's folder only.
---@param path string (string)
---@param options? table bytes: false for operators on floats that round, in the place of layers on bytes (default true) (table, optional)
---@return any
function onnx.import(path, options) end

return onnx
