--- Vectors that are looked up by position, kept as numbers of 4 or 8 bits: see nn.PackedLinear.
--
-- Shapes: as for nn.LookupTable. The vectors do not learn.
-- @classmod nn.PackedLookupTable
-- @example
-- local words = nn.PackedLookupTable(nn.LookupTable(1000, 64), 8)
-- #words:forward(torch.LongTensor { 17, 4, 17 }) --> { 3, 64 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local packing = require 'nn.quantization.packing'
local positions = require 'nn.base.positions'

local PackedLookupTable = nn.declare('nn.PackedLookupTable', {
   arguments = [[
      (layer)  module        an nn.LookupTable
      bits     integer = 4   of a number: 4 or 8
      (group)  integer = 64  columns that share a scale; all of a row where it is no divisor
   ]],
   own = 'scale',
   input = 'any',
   text = '({codes[1]} x {nOutput}, {bits} bits)',
})

function PackedLookupTable:__initialize(layer, bits, group)
   packing.take(self, layer, 'nn.LookupTable', bits, group)
   if layer.maxNorm then
      check.fail(self, 'layer has a maxNorm, which changes rows when they are looked up')
   end
   self.nOutput = layer.weight:size(2)
end

function PackedLookupTable:__computeOutput(y, x)
   local at = positions.vector(self, '_input', x, self.scale)
   local function rows(name, t)
      self[name] = ops.index(self, self[name] or t.new(), t, 0, at)
      return self[name]
   end
   y = ops.unpack_rows(self, y, rows('_codes', self.codes), rows('_scale', self.scale),
      rows('_zero', self.zero), self.bits)
   if x.ndim > 1 then
      local sizes = x:size():totable()
      sizes[#sizes + 1] = self.nOutput
      return y:resize(torch.LongStorage(sizes))
   end
   return y
end

function PackedLookupTable:__computeGradInput(gx, x)
   return positions.gradient(self, gx, x)
end

--- The vectors as numbers.
-- @treturn Tensor nIndex x nOutput
function PackedLookupTable:unpacked()
   return ops.unpack_rows(self, self.scale.new(), self.codes, self.scale, self.zero, self.bits)
end

--- Nothing here learns.
function PackedLookupTable.parameters() end

function PackedLookupTable:type(typename, cache)
   if not typename then
      return self._type
   end
   nn.utils.clear(self, '_codes', '_scale', '_zero', '_input')
   self._codes, self._scale, self._zero = nil, nil, nil
   return packing.type(self, typename, cache)
end

function PackedLookupTable:clearState()
   nn.utils.clear(self, '_codes', '_scale', '_zero', '_input')
   return nn.Module.clearState(self)
end
