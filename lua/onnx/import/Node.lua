--- A node of a file as importers see it: its `kind`, attributes `a`, `types` of those that are
-- tensors, `ranks` of the operands, `count` of these, `given` (places of the outputs that its
-- module gives), `outputs` (how many these are), `opset`, `constants` of the file.
-- @module onnx.import.Node
local model = require 'onnx.import.model'
local types = require 'onnx.types'

local Node = {}
Node.__index = Node

--- @param node of the file
-- @param known name -> { tensor = , rank = , type = , constant = boolean }
-- @param attributes by name
-- @param kinds types of attributes that are tensors, by name
-- @param context opset, constants
-- @param needed set of names that somebody reads
function Node.new(node, known, attributes, kinds, context, needed)
   local self = setmetatable({ node = node, kind = model.kind_of(node), a = attributes,
      types = kinds, opset = context.opset, constants = context.constants, ranks = {},
      operands = {}, names = node.input or {}, needed = needed }, Node)
   self.count = #self.names
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
-- The places of those that others give: a first one alone, where they are not listed.
local GIVEN = { LSTM = { 1, 2, 3 }, GRU = { 1, 2 }, RNN = { 1, 2 }, MaxPool = { 1, 2 },
   ['com.microsoft.SkipLayerNormalization'] = { 1, 4 },
   ['com.microsoft.SkipSimplifiedLayerNormalization'] = { 1, 4 } }
local FIRST = { 1 }

function Node:trim()
   local all, last, is_given = #(self.node.output or {}), 1, {}
   self.given = {}
   if SEVERAL[self.kind] then
      for i = 1, all do
         self.given[i] = i
      end
      self.outputs = all
      return
   end
   local places = GIVEN[self.kind] or FIRST
   for _, i in ipairs(places) do
      is_given[i] = true
   end
   for i = 2, all do
      if self:wanted(i) and not is_given[i] then
         self:fail("its output %d, '%s', is not given here", i, self.node.output[i])
      end
      last = self:wanted(i) and i or last
   end
   for _, i in ipairs(places) do
      self.given[#self.given + 1] = i <= last and i or nil
   end
   self.outputs = #self.given
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

-- Operands that say how to compute, and are no parameters though they are reals.
local SETTINGS = {
   Resize = { [2] = true, [3] = true }, Upsample = { [2] = true }, Pad = { [3] = true },
   Clip = { [2] = true, [3] = true }, OneHot = { [3] = true },
   NonMaxSuppression = { [4] = true, [5] = true },
   Pow = { [2] = true }, QuantizeLinear = { [2] = true }, DequantizeLinear = { [2] = true },
   DynamicQuantizeMatMul = { [3] = true },
}

-- Scales of operators on bytes are none, either.
local function is_setting(kind, i)
   local listed = SETTINGS[kind:match '[^.]*$']
   return listed and listed[i] or kind:find 'QLinear' or kind:find 'QGemm'
      or kind:find 'MatMulIntegerToFloat'
end

--- A constant operand as onnx.Operator takes it: reals are parameters, where they set nothing.
function Node:operand(i)
   local tensor = self:constant(i)
   if types.is_real(tensor) and not is_setting(self.kind, i) then
      return { weight = tensor, gradient = self.constants:gradient(tensor) }
   end
   return self.constants:plain(tensor)
end

return Node
