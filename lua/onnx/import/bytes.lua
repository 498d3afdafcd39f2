--- Layers on bytes of a file's QuantizeLinear and DequantizeLinear: what stands between such
-- operators computes on the bytes themselves, as a runtime's own 8-bit operators do.
--
--     QuantizeLinear -> DequantizeLinear -> Conv (weights: DequantizeLinear of constants)
--        -> Relu -> QuantizeLinear                               becomes nn.QuantizedConvolution
--
-- Bytes with a sign become those without, 128 higher. What has no layer on bytes, or shares what
-- would be joined with others, stays as it is: an onnx.Operator on floats, which rounds alike.
-- @module onnx.import.bytes

local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'

local M = {}

-- --- what nodes say ------------------------------------------------------------------------------

local function scalar(t)
   return t and t:nElement() == 1 and t:view(-1):totable()[1] or nil
end

--- What bytes stand for in a QuantizeLinear or DequantizeLinear of no constant: { scale, zero,
-- signed }; nil where that is not one number, or not for bytes. A DequantizeLinear without a zero
-- does not tell `signed`.
function M.numbers(n)
   local kind = n.kind
   if kind ~= 'QuantizeLinear' and kind ~= 'DequantizeLinear' then
      return nil
   end
   local scale, zero = scalar(n:constant(2)), scalar(n:constant(3))
   if not scale or not (scale > 0 and scale < math.huge) or n:has(3) and not zero then
      return nil
   elseif not zero then
      if (n.a.output_dtype or 0) ~= 0 then
         return nil
      end
      local numbers = { scale = scale, zero = 0 }
      if kind == 'QuantizeLinear' then
         numbers.signed = false -- it gives bytes without one
      end
      return numbers
   end
   local class = torch.typename(n:constant(3))
   if class ~= 'torch.ByteTensor' and class ~= 'torch.CharTensor' then
      return nil
   end
   local signed = class == 'torch.CharTensor'
   return { scale = scale, zero = zero + (signed and 128 or 0), signed = signed }
end

-- Scales by which no byte stands for more than a float holds.
local LARGEST = 2 ^ 120

--- The constants of a DequantizeLinear of weights: { codes, scale, axis }; nil unless these are
-- bytes with a sign around zero.
function M.codes(n)
   local codes, scale, zero = n:constant(1), n:constant(2), n:constant(3)
   if n.kind ~= 'DequantizeLinear' or torch.typename(codes) ~= 'torch.CharTensor'
      or zero and zero:ne(0):sum() > 0 or (n.a.block_size or 0) ~= 0 then
      return nil
   end
   local axis = n.a.axis or 1
   return { codes = codes, scale = scale, axis = axis < 0 and axis + codes:dim() or axis }
end

--- The weights of a product with its outputs first, each of which has a scale.
-- @param n the node of the product
-- @param found what `codes` gave for its weights; nil
function M.by_outputs(n, found)
   local kind = n.kind
   if not found or kind ~= 'Conv' and kind ~= 'Gemm' and kind ~= 'MatMul' then
      return nil
   end
   local codes, scale, first = found.codes, found.scale, 0
   if kind ~= 'Conv' and n.a.transB ~= 1 then
      if codes:dim() ~= 2 then
         return nil
      end
      codes, first = n.constants:transposed(codes), 1
   end
   local outputs = codes:size(1)
   n.constants:copy(codes) -- the layer's
   if not (scale:gt(0):all() and scale:lt(LARGEST):all()) then
      return nil
   elseif scale:nElement() == 1 then
      scale = scale:view(1):expand(outputs):clone()
   elseif scale:dim() ~= 1 or found.axis ~= first or scale:nElement() ~= outputs then
      return nil
   end
   return { codes = codes, scale = scale }
end

-- --- the graph -----------------------------------------------------------------------------------

local Graph = {}
Graph.__index = Graph

local function new_graph(steps, outputs)
   local self = setmetatable({ steps = steps, producer = {}, consumers = {}, given = {},
      gone = {}, made = {} }, Graph)
   for _, name in ipairs(outputs) do
      self.given[name] = true
   end
   for _, step in ipairs(steps) do
      for _, name in ipairs(step.inputs) do
         self.consumers[name] = self.consumers[name] or {}
         table.insert(self.consumers[name], step)
      end
      for _, name in ipairs(step.outputs) do
         self.producer[name] = step
      end
   end
   return self
end

-- The one step that reads a value; nil where there are others, or it is an output of the graph.
function Graph:only_consumer(name)
   local list = self.consumers[name] or {}
   return not self.given[name] and #list == 1 and list[1] or nil
end

-- What a value on floats stands for as bytes: scale, zero and where such a value comes from, bytes
-- that a layer gives or floats that are to be rounded. Nil for others.
function Graph:bytes_of(name)
   local step = self.producer[name]
   if not step or step.kind ~= 'DequantizeLinear' or not step.numbers then
      return nil
   end
   local from, numbers = step.inputs[1], step.numbers
   local before = self.producer[from]
   if self.made[from] then
      return { scale = numbers.scale, zero = self.made[from].zero, from = from }
   elseif before and before.kind == 'QuantizeLinear' and before.numbers
      and before.numbers.scale == numbers.scale and before.numbers.zero == numbers.zero
      and before.numbers.signed == (numbers.signed or false) then
      return { scale = numbers.scale, zero = numbers.zero, from = before.inputs[1] }
   end
end

-- Whether all that read bytes take them for the same numbers.
function Graph:agree(name, numbers)
   for _, step in ipairs(self.consumers[name] or {}) do
      local own = step.kind == 'DequantizeLinear' and step.numbers
      if not own or own.scale ~= numbers.scale or own.zero ~= numbers.zero
         or (own.signed or false) ~= numbers.signed then
         return false
      end
   end
   return not self.given[name]
end

-- The QuantizeLinear that takes all a step gives, and the nn.ReLU before it that the bytes' lower
-- end does as well.
function Graph:rounding(step)
   local reader = self:only_consumer(step.outputs[1])
   local rectifier
   if reader and torch.typename(reader.module) == 'nn.ReLU' then
      rectifier = reader
      reader = self:only_consumer(reader.outputs[1])
   end
   if reader and reader.kind == 'QuantizeLinear' and reader.numbers
      and not (rectifier and reader.numbers.zero ~= 0)
      and self:agree(reader.outputs[1], reader.numbers) then
      return reader, rectifier
   end
end

-- A step gives bytes in the place of the QuantizeLinear that follows.
function Graph:give_bytes(step, quantize, rectifier)
   self.gone[quantize] = step
   if rectifier then
      self.gone[rectifier] = true
   end
   step.outputs = { quantize.outputs[1] }
   step.module:setOutput { scale = quantize.numbers.scale, zero = quantize.numbers.zero }
   self.producer[step.outputs[1]] = step
   self.made[step.outputs[1]] = quantize.numbers
   self.gone[step] = true -- it stands where the QuantizeLinear stood
end

function Graph:round_output(step)
   local quantize, rectifier = self:rounding(step)
   if quantize then
      self:give_bytes(step, quantize, rectifier)
   end
end

-- --- layers --------------------------------------------------------------------------------------

local LAYERS = { ['nn.Linear'] = 'QuantizedLinear',
   ['nn.SpatialConvolution'] = 'QuantizedConvolution',
   ['nn.SpatialDilatedConvolution'] = 'QuantizedConvolution' }

local function product(graph, step)
   local class, input = LAYERS[torch.typename(step.module)], graph:bytes_of(step.inputs[1])
   if not class or not input or not step.codes then
      return
   end
   local layer = nn[class](step.module:float(), input, true)
   layer.weight:copy(step.codes.codes)
   layer.weightScale:copy(step.codes.scale)
   layer:setOutput(nil) -- which folds them anew
   step.module, step.inputs = layer, { input.from }
   local reader = graph:only_consumer(step.outputs[1])
   if not (reader and reader.kind == 'Add' and class == 'QuantizedConvolution') then
      graph:round_output(step)
   end
end

-- A convolution whose only reader is the sum takes the other summand. Bytes are not stretched: sums
-- of sizes that differ, or that nobody knows, are of floats.
local function sum(graph, step)
   if #step.inputs ~= 2 or not step.equal then
      return
   end
   local numbers = { graph:bytes_of(step.inputs[1]), graph:bytes_of(step.inputs[2]) }
   for i = 1, 2 do
      local before = graph.producer[step.inputs[i]]
      if numbers[3 - i] and before and not graph.gone[before]
         and torch.typename(before.module) == 'nn.QuantizedConvolution'
         and not before.module.outScale and not before.module.addScale
         and graph:only_consumer(step.inputs[i]) == step then
         before.module:setAddend(numbers[3 - i])
         graph.gone[before] = true
         step.module, step.inputs = before.module, { before.inputs[1], numbers[3 - i].from }
         return graph:round_output(step)
      end
   end
   if numbers[1] and numbers[2] then
      step.module = nn.QuantizedAdd(numbers[1], numbers[2]):type 'torch.FloatTensor'
      step.inputs = { numbers[1].from, numbers[2].from }
      graph:round_output(step)
   end
end

local function pool(graph, step)
   local input = graph:bytes_of(step.inputs[1])
   if not input or not torch.isTypeOf(step.module, 'nn.SpatialMaxPooling') then
      return
   end
   step.module = nn.QuantizedMaxPooling(step.module:float(), input):setOutput(nil)
   step.inputs = { input.from }
   local quantize, rectifier = graph:rounding(step)
   if quantize and not rectifier and quantize.numbers.scale == input.scale
      and quantize.numbers.zero == input.zero then
      graph:give_bytes(step, quantize)
   end
end

local JOINED = { Conv = product, Gemm = product, MatMul = product, Add = sum, MaxPool = pool }

-- --- what is left --------------------------------------------------------------------------------

-- Bytes that a layer gives have no sign.
local function read_made(graph, step)
   local made = step.kind == 'DequantizeLinear' and graph.made[step.inputs[1]]
   if made then
      step.module = onnx.Operator('DequantizeLinear', { ranks = {}, outputs = 1 }, { 1,
         { constant = torch.FloatTensor { made.scale } },
         { constant = torch.ByteTensor { made.zero } } })
   end
end

-- The steps in their order, each layer on bytes where its QuantizeLinear stood.
local function left(graph)
   local list = {}
   for _, step in ipairs(graph.steps) do
      local stands = graph.gone[step]
      list[#list + 1] = type(stands) == 'table' and stands or not stands and step or nil
   end
   return list
end

--- Join a file's steps to layers on bytes.
-- @tab steps of assemble.net, with `kind`, `numbers`, `codes` and `equal`
-- @tab outputs names
-- @return the steps that are left, some of which nobody may read
function M.join(steps, outputs)
   local graph = new_graph(steps, outputs)
   for _, step in ipairs(steps) do
      local join = JOINED[step.kind]
      if join and not graph.gone[step] then
         join(graph, step)
      end
   end
   for _, step in ipairs(steps) do
      read_made(graph, step)
   end
   return left(graph)
end

return M
