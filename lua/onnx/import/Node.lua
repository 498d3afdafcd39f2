--- A node of a file as importers see it: its `kind`, attributes `a`, `ranks` of the operands,
-- `count` of these, `outputs` (how many), `opset`.
-- @module onnx.import.Node
local model = require 'onnx.import.model'
local types = require 'onnx.types'

local Node = {}
Node.__index = Node

--- @param node of the file
-- @param known name -> { tensor = , rank = , constant = boolean }
-- @param attributes by name
-- @param opset
-- @param needed set of names that somebody reads
function Node.new(node, known, attributes, opset, needed)
   local self = setmetatable({ node = node, kind = model.kind_of(node), a = attributes,
      opset = opset, ranks = {}, operands = {}, names = node.input or {}, needed = needed }, Node)
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
local SEVERAL = { Split = true, TopK = true, DynamicQuantizeLinear = true, If = true, Loop = true,
   Scan = true }
local GIVEN = { LSTM = 3, GRU = 2, RNN = 2, MaxPool = 2 } -- how many their importers know of

function Node:trim()
   local kind = self.kind
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
   NonMaxSuppression = { [4] = true, [5] = true },
   QuantizeLinear = { [2] = true }, DequantizeLinear = { [2] = true },
}

-- Scales of operators on bytes are none, either.
local function is_setting(kind, i)
   local listed = SETTINGS[kind]
   return listed and listed[i] or kind:find 'QLinear' or kind:find 'QGemm'
      or kind:find 'MatMulIntegerToFloat'
end

--- A constant as onnx.Operator keeps one that is no parameter: as numbers.
function Node.plain(tensor)
   local values = tensor:contiguous():view(-1):totable()
   for k, value in ipairs(values) do
      values[k] = math.min(math.max(value, -LARGEST), LARGEST)
   end
   return { kind = tensor:type():match '^torch%.(%w+)Tensor$':lower(),
      sizes = tensor:size():totable(), values = values }
end

--- A constant operand as onnx.Operator takes it: reals are parameters, the others numbers.
function Node:operand(i)
   local tensor = self:constant(i)
   if types.is_real(tensor) and not is_setting(self.kind, i) then
      return { weight = tensor }
   end
   return Node.plain(tensor)
end

return Node
