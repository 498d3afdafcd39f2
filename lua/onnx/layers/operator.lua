-- Operators that were read from a file, written again. Files of other opsets say the same in other
-- ways: what was an attribute is an operand later.
local torch = require 'torch'
local model = require 'onnx.import.model'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'
local L = require('onnx.export.walk').layers

-- The opsets that brought operators which exports of the oldest one do not have.
local SINCE = { HardSwish = 14, Trilu = 14, CastLike = 15, GridSample = 16, LayerNormalization = 17,
   Mish = 18, GroupNormalization = 18, Gelu = 20, AffineGrid = 20, BitwiseAnd = 18, BitwiseOr = 18,
   BitwiseXor = 18, BitwiseNot = 18, CenterCropPad = 18, RMSNormalization = 23, Attention = 23,
   Swish = 24 }
-- Attributes that came later than their operators, and what they are where they are not given.
local LATER = {
   axes = { Pad = 18, Resize = 18 }, antialias = { Resize = 18, default = 0 },
   keep_aspect_ratio_policy = { Resize = 18, default = 'stretch' },
   reduction = { ScatterND = 16, ScatterElements = 16, default = 'none' },
   layout = { LSTM = 14, GRU = 14, RNN = 14, default = 0 },
   coordinate_transformation_mode = { RoiAlign = 16 },
   start = { Shape = 15, default = 0 }, output_dtype = { QuantizeLinear = 21, default = 0 },
   ['end'] = { Shape = 15 }, noop_with_empty_axes = { default = 0 },
}
-- Attributes of older files that are operands since, and which.
local OPERANDS = {
   Pad = { pads = 2, value = 3 }, Slice = { starts = 2, ends = 3, axes = 4 },
   Clip = { min = 2, max = 3 }, Split = { split = 2 }, TopK = { k = 2 },
   Squeeze = { axes = 2 }, Unsqueeze = { axes = 2 }, ReduceSum = { axes = 2 },
}
-- Operands that are truths, which are bytes here.
local TRUTHS = { Where = { 1 }, And = { 1, 2 }, Or = { 1, 2 }, Xor = { 1, 2 }, Not = { 1 },
   Compress = { 2 } }
-- Types of zeros that are of 16 bits: those without a sign lie in integers.
local WIDE = { ['torch.ShortTensor'] = true, ['torch.IntTensor'] = true }
-- Not the file's: what onnx.Operator keeps beside its attributes.
local OWN = { ranks = true, outputs = true, opset = true,
   allowzero = true } -- and what means nothing here, where no size is 0

-- The numbers of an operand that is a constant, but no parameter; nil for others.
local function numbers(operand)
   return type(operand) == 'table' and operand.constant and tools.list(operand.constant) or nil
end

-- A constant with the sizes of the file, where a number has none.
local function constant(g, tensor, rank)
   local name = g:fresh 'constant'
   table.insert(g.constants, types.encode(name, tensor, rank == 0 and {} or nil))
   return name
end

local function operands_of(g, m, inputs)
   local list = {}
   for i, operand in ipairs(m.operands) do
      local rank = m.attributes.ranks[i]
      if type(operand) == 'number' then
         list[i] = inputs[operand]
      elseif operand and operand.weight then
         list[i] = constant(g, m.weights[operand.weight], rank)
      else
         list[i] = operand and constant(g, operand.constant, rank)
      end
   end
   for _, i in ipairs(TRUTHS[m.operator] or {}) do
      list[i] = g:op('Cast', { list[i] }, { to = types.BOOL })
   end
   return list
end

local function attributes_of(m)
   local list = {}
   for name, value in pairs(m.attributes) do
      if not OWN[name] and not torch.isTensor(value) then
         local kind = model.kind(name, m.operator)
         list[name] = kind == 'f' and { float = value } or kind == 'floats' and { floats = value }
            or value
      end
   end
   return list
end

-- What an older file has as attributes, and one of this opset as operands.
local function move(g, kind, attributes, operands)
   for name, i in pairs(OPERANDS[kind] or {}) do
      local value = attributes[name]
      attributes[name] = nil
      if value ~= nil and not operands[i] then
         for k = #operands + 1, i - 1 do
            operands[k] = false
         end
         value = type(value) == 'table' and value.float or value
         value = model.kind(name, kind) == 'i' and { value } or value
         operands[i] = type(value) == 'table' and g:constant(tools.integers(value))
            or g:number(value, operands[1].tensor)
      end
   end
end

-- Axes of a reduction are an attribute until opset 17, an operand since.
local function axes(g, m, attributes, operands)
   local given = m.operands[2]
   local list = attributes.axes or numbers(given)
   attributes.axes, operands[2] = nil, g.opset >= 18 and operands[2] or nil
   if given and not list then
      g:need(18, m.operator .. ' with axes that are computed')
   elseif list and g.opset >= 18 then
      operands[2] = g:integers(list)
   elseif list then
      attributes.axes = list
   end
end

-- Its modes have other names since opset 20.
local LATER_MODES = { bilinear = 'linear', bicubic = 'cubic' }

local function grid_mode(g, mode)
   for old, new in pairs(LATER_MODES) do
      if mode == old or mode == new then
         return g.opset < 20 and old or new
      end
   end
   return mode
end

-- Resize as opset 10 has it, and Upsample before it, are a Resize of today's. The nearest are those
-- above where a size falls, those below where it grows: where both are wanted, two of them.
local function scales_alone(g, m, attributes, operands)
   local given = attributes.scales and attributes.scales.floats
      or numbers(m.operands[2])
   local from, scales = operands[1], operands[2] or g:constant(torch.FloatTensor(given))
   attributes.scales = nil
   attributes.coordinate_transformation_mode, attributes.nearest_mode = 'asymmetric', 'floor'
   if (attributes.mode or 'nearest') == 'nearest' and m.operator == 'Resize' then
      local down = torch.FloatTensor(given
         or g:refuse 'Resize of opset 10 to the nearest, with scales that are computed')
      local up = torch.cmax(down, 1)
      down:cmin(1)
      if down:min() < 1 then
         from = g:op('Resize', { from, false, g:constant(down) },
            { coordinate_transformation_mode = 'asymmetric', nearest_mode = 'ceil' })
         scales = g:constant(up)
      end
   end
   return 'Resize', { from, false, scales }
end

local ROWS = { Softmax = true, LogSoftmax = true, Hardmax = true }

-- Those of opsets before 13, to which all from the axis on is one row.
local function rows(g, kind, x, axis)
   local dims = x.tensor:dim()
   if axis == -1 or axis == dims - 1 then
      return g:op(kind, { x }, { axis = -1 })
   end
   local y = g:op(kind, { g:op('Flatten', { x }, { axis = axis }) }, { axis = 1 })
   return g:op('Reshape', { y, g:op('Shape', { x }) })
end

L['onnx.Operator'] = function(g, m, x, y)
   local kind = m.operator
   local inputs = g.isValue(x) and { x } or x
   if kind == 'Dropout' then
      return inputs[m.operands[1]].name
   elseif kind:find('.', 1, true) then
      g:refuse("%s is an operator of onnxruntime's own domain, not of ONNX", kind)
   elseif m.attributes.bits then
      g:refuse('%s of %d bits without a sign, which lie in wider ones with one here', kind,
         m.attributes.bits)
   elseif kind == 'GroupNormalization' and m.attributes.opset > 20 then
      g:refuse('%s was read of opset %d, and opset %d has another operator', kind,
         m.attributes.opset or 0, g.opset)
   end
   g:need(SINCE[kind] or 13, kind)
   local zero = kind == 'QuantizeLinear' and m.operands[3]
   if type(zero) == 'table' and zero.constant and WIDE[zero.constant:type()] then
      g:need(21, 'QuantizeLinear to 16 bits')
   end
   local attributes, operands = attributes_of(m), operands_of(g, m, inputs)
   for name, later in pairs(LATER) do
      if attributes[name] == later.default then
         attributes[name] = nil
      elseif attributes[name] ~= nil then
         g:need(later[kind] or 13, ('%s with %s'):format(kind, name))
      end
   end
   move(g, kind, attributes, operands)
   if ROWS[kind] and (m.attributes.opset or 13) < 13 then
      return rows(g, kind, operands[1], attributes.axis or 1)
   elseif kind == 'Upsample' or kind == 'Resize' and (m.attributes.opset or 11) < 11 then
      kind, operands = scales_alone(g, m, attributes, operands)
   elseif kind:find '^Reduce' and kind ~= 'ReduceSum' then
      axes(g, m, attributes, operands)
   elseif kind == 'Split' then
      attributes.num_outputs = not operands[2] and g.opset >= 18 and m.attributes.outputs or nil
   elseif kind == 'GridSample' then
      attributes.mode = grid_mode(g, attributes.mode)
   elseif kind == 'RoiAlign' and g.opset >= 16 and (m.attributes.opset or 16) < 16 then
      attributes.coordinate_transformation_mode = 'output_half_pixel' -- all that there was
   elseif torch.isTensor(m.attributes.value) then
      attributes.value = { tensor = types.encode('value', m.attributes.value) }
   end
   if torch.isTensor(y) then
      return g:op(kind, operands, attributes)
   end
   return { g:op(kind, operands, attributes, #y) }
end
