--- An operator of ONNX as a layer, where nn has none that does the same.
--
-- Constants of the file that are floats are parameters. The way back is that of Variables: it
-- computes the operator again.
-- @classmod onnx.Operator
-- @usage onnx.Operator(name, attributes, operands) -- onnx.import makes them

local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local operators = require 'onnx.operators'
local raise = require('torch.errors').raise
local recording = require 'torch.variables.recording'
local tools = require 'onnx.operators.tools'
local trace = require 'torch.errors.trace'

local Operator = torch.class('onnx.Operator', 'nn.Module', onnx)

--- @string name the operator
-- @tparam table attributes by name, with `ranks` and `outputs`
-- @tparam table operands for each: the number of an input, { weight = tensor } for a parameter,
-- { constant = tensor }, or false where there is none
function Operator:__init(name, attributes, operands)
   nn.Module.__init(self)
   self.operator, self.attributes, self.operands = name, attributes, {}
   self.weights, self.gradWeights = {}, {}
   for i, operand in ipairs(operands) do
      if type(operand) == 'table' and operand.weight then
         local k = #self.weights + 1
         self.weights[k] = operand.weight
         self.gradWeights[k] = operand.gradient or operand.weight:clone():zero()
         operand = { weight = k }
      end
      self.operands[i] = operand
   end
end

-- The operator on an input and parameters.
local function compute(self, inputs, weights)
   local given, count = {}, #self.operands
   for i, operand in ipairs(self.operands) do
      if type(operand) == 'number' then
         given[i] = inputs[operand]
      elseif operand and operand.weight then
         given[i] = weights[operand.weight]
      elseif operand then
         given[i] = operand.constant
      end
   end
   local ok, result = pcall(tools.call, operators[self.operator], self.attributes, given, count)
   if not ok then
      raise(('onnx.Operator %s: %s'):format(self.operator, (tostring(result):gsub(
         '^[^\n]-:%d+: ', '', 1))))
   end
   return result
end

local function as_list(input)
   return torch.isTensor(input) and { input } or input
end

function Operator:updateOutput(input)
   local inputs = {}
   for i, x in ipairs(as_list(input)) do
      inputs[i] = x:detach()
   end
   self.output = recording.with(false, compute, self, inputs, self.weights)
   return self.output
end

local FLOATING = { Half = true, BFloat16 = true, Float = true, Double = true, [''] = true }

local function is_floating(t)
   return FLOATING[t:type():match '^torch%.Cuda(%a*)Tensor$'
      or t:type():match '^torch%.(%w+)Tensor$']
end

local function leaf(t)
   return is_floating(t) and t:detach():requiresGrad() or t
end

-- The gradients of inputs and weights, in one list; nil where there is none.
local function gradients(self, input, gradOutput)
   local leaves, inputs, weights = {}, {}, {}
   for i, x in ipairs(as_list(input)) do
      inputs[i] = leaf(x)
   end
   for i, w in ipairs(self.weights) do
      weights[i] = leaf(w)
   end
   local result = recording.with(true, compute, self, inputs, weights)
   local outputs, given = {}, {}
   for i, y in ipairs(as_list(result)) do
      if torch.isVariable(y) then
         outputs[#outputs + 1] = y
         given[#given + 1] = as_list(gradOutput)[i]
      end
   end
   for _, list in ipairs { inputs, weights } do
      for _, t in ipairs(list) do
         leaves[#leaves + 1] = is_floating(t) and t or nil
      end
   end
   local found = #outputs > 0 and #leaves > 0
      and torch.grad(outputs, leaves, { gradOutputs = given, allowUnused = true }) or {}
   local by_tensor = {}
   for i, t in ipairs(leaves) do
      by_tensor[t] = found[i]
   end
   return inputs, weights, by_tensor
end

function Operator:updateGradInput(input, gradOutput)
   local inputs, _, found = gradients(self, input, gradOutput)
   local list = {}
   for i, x in ipairs(inputs) do
      list[i] = found[x] or x.new():resize(x:size()):zero()
   end
   self.gradInput = torch.isTensor(input) and list[1] or list
   return self.gradInput
end

function Operator:accGradParameters(input, gradOutput, scale)
   if #self.weights == 0 then
      return
   end
   local _, weights, found = gradients(self, input, gradOutput)
   for i, w in ipairs(weights) do
      if found[w] then
         self.gradWeights[i]:add(scale or 1, found[w])
      end
   end
end

function Operator:parameters()
   if #self.weights > 0 then
      return self.weights, self.gradWeights
   end
end

-- Conversions are for parameters: constants keep the type that their operator wants.
function Operator:type(typename, cache)
   local attributes, operands = self.attributes, self.operands
   self.attributes, self.operands = nil, nil
   return trace.finally(function()
      self.attributes, self.operands = attributes, operands
   end, nn.Module.type, self, typename, cache)
end

function Operator:clearState()
   self.output = torch.isTensor(self.output) and self.output.new() or {}
   self.gradInput = torch.isTensor(self.gradInput) and self.gradInput.new() or {}
   return self
end

function Operator:__tostring__()
   return ('onnx.Operator(%s)'):format(self.operator)
end

return Operator
