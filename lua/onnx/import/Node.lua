--- A node of a file as importers see it: attributes `a`, `ranks` of the operands, `count` of these,
-- `outputs` (how many), `opset`.
-- @module onnx.import.Node
local model = require 'onnx.import.model'

local Node = {}
Node.__index = Node

--- @param node of the file
-- @param known name -> { tensor = , rank = , constant = boolean }
-- @param attributes by name
-- @param opset
-- @param needed set of names that somebody reads
function Node.new(node, known, attributes, opset, needed)
   local self = setmetatable({ node = node, a = attributes, opset = opset, ranks = {},
      operands = {},
      names = node.input or {}, needed = needed }, Node)
   self.count, self.outputs = #self.names, #(node.output or {})
   while self.count > 0 and self.names[self.count] == '' do
      self.count = self.count - 1
   end
   self:trim()
   for i = 1, self.count do
      local name = self.names[i]
      if name ~= '' then
         local found = known[name]
         if not found then
            self:fail("its input '%s' is given by no node before it, and is no input of the graph",
               name)
         end
         self.operands[i], self.ranks[i] = found, found.rank
      end
   end
   return self
end

-- Those that give as many outputs as they have; of others, masks and statistics behind the result
-- count only where somebody reads them.
local SEVERAL = { Split = true, TopK = true, DynamicQuantizeLinear = true }
local GIVEN = { LSTM = 3, GRU = 2, RNN = 2, MaxPool = 2 } -- how many their importers know of

function Node:trim()
   local kind = self.node.op_type
   if SEVERAL[kind] then
      return
   end
   while self.outputs > 1 and not self:wanted(self.outputs) do
      self.outputs = self.outputs - 1
   end
   if self.outputs > (GIVEN[kind] or 1) then
      self:fail("its output %d, '%s', is not given here", self.outputs,
         self.node.output[self.outputs])
   end
end

function Node:fail(text, ...)
   error({ onnx = ('node %s: %s'):format(model.title(self.node), text:format(...)) }, 0)
end

function Node:has(i)
   return self.operands[i] ~= nil
end

function Node:isConstant(i)
   return self.operands[i] ~= nil and self.operands[i].constant == true
end

--- The tensor of a constant operand; nil for others, and for one without elements.
function Node:constant(i)
   return self:isConstant(i) and self.operands[i].tensor or nil
end

--- A number that is an operand or, in older files, an attribute.
function Node:number(i, name)
   local t = self:constant(i)
   if t then
      return t:nElement() == 1 and t:view(-1):totable()[1] or nil
   end
   return not self:has(i) and self.a[name] or nil
end

--- Whether somebody reads an output.
function Node:wanted(i)
   local name = self.node.output[i]
   return name ~= nil and name ~= '' and self.needed[name] == true
end

-- "To the end" is the largest of 64 bits, which no Lua number is.
local LARGEST = 2 ^ 53

-- Operands that say how to compute, and are no parameters though they are reals.
local SETTINGS = {
   Resize = { [2] = true, [3] = true }, Upsample = { [2] = true }, Pad = { [3] = true },
   Clip = { [2] = true, [3] = true }, OneHot = { [3] = true },
   QuantizeLinear = { [2] = true }, DequantizeLinear = { [2] = true },
}

--- A constant operand as onnx.Operator takes it: reals are parameters, the others numbers.
function Node:operand(i)
   local tensor, settings = self:constant(i), SETTINGS[self.node.op_type]
   local kind = tensor:type():match '^torch%.(%w+)Tensor$':lower()
   if kind == 'float' or kind == 'double' or kind == 'half' or kind == 'bfloat16' then
      if not (settings and settings[i]) then
         return { weight = tensor }
      end
   end
   local values = tensor:contiguous():view(-1):totable()
   for k, value in ipairs(values) do
      values[k] = math.min(math.max(value, -LARGEST), LARGEST)
   end
   return { kind = kind, sizes = tensor:size():totable(), values = values }
end

return Node
