--- Which steps of a net compute on bytes, which values are bytes, and what these stand for.
--
-- A step's `kind` is `product`, `sum`, or one that bytes go through: `rectifier` behind a product
-- or a sum, `pool`, `pass`; else nil. `bytes` says whether it gives bytes.
-- @module nn.quantization.plan

local torch = require 'torch'
local dataflow = require 'nn.dataflow'
local types = require 'torch.types'

local M = {}

local KINDS = {
   ['nn.Linear'] = 'product', ['nn.SpatialConvolution'] = 'product',
   ['nn.SpatialConvolutionMM'] = 'product', ['nn.SpatialDilatedConvolution'] = 'product',
   ['nn.CAddTable'] = 'sum', ['nn.ReLU'] = 'rectifier',
   ['nn.SpatialMaxPooling'] = 'pool', ['nn.SpatialDilatedMaxPooling'] = 'pool',
   ['nn.Identity'] = 'pass', ['nn.Dropout'] = 'pass', ['nn.SpatialDropout'] = 'pass',
   ['nn.FakeQuantize'] = 'pass',
}

local function is_fake(step)
   return torch.typename(step.module) == 'nn.FakeQuantize'
end

local function computes(step)
   return step.kind == 'product' or step.kind == 'sum'
end

local function passes(step)
   return step.kind ~= nil and not computes(step)
end

-- Whether a value comes from a layer that can give bytes.
local function can_be_bytes(value)
   local step = value.producer
   return step ~= nil and (computes(step) or passes(step) and can_be_bytes(step.input))
end

-- --- what values stand for ----------------------------------------------------------------------

-- A value that is rounded behind a rectifier or by an nn.FakeQuantize is so before it, too.
local function numbers_from_behind(flow)
   for i = #flow, 1, -1 do
      local step = flow[i]
      if is_fake(step) then
         step.output.numbers = step.module:numbers()
      end
      if (is_fake(step) or step.kind == 'rectifier') and step.output.numbers
         and dataflow.only_consumer(step.input) == step then
         step.input.numbers = step.output.numbers
      end
   end
end

-- Other sizes of the same numbers.
local RESHAPES = { ['nn.View'] = true, ['nn.Reshape'] = true, ['nn.Contiguous'] = true }

local function numbers_from_before(flow)
   for _, step in ipairs(flow) do
      if step.kind == 'pool' or step.kind == 'pass' and not is_fake(step)
         or RESHAPES[torch.typename(step.module)] then
         step.output.numbers = step.input.numbers
      end
   end
end

-- --- kinds --------------------------------------------------------------------------------------

local function kind_of(step)
   local module = step.module
   local kind = KINDS[torch.typename(module)]
   if kind == 'product' and not types.isFloating(module.weight.dtype) then
      return nil
   elseif kind == 'rectifier' and (module.threshold ~= 0 or module.val ~= 0
      or not step.input.producer or not computes(step.input.producer)
      or dataflow.only_consumer(step.input) ~= step) then
      return nil
   elseif kind == 'sum' and not (step.input.list and #step.input.list == 2) then
      return nil
   elseif kind and kind ~= 'sum' and step.input.list then
      return nil
   end
   return kind
end

-- Leaves in floats what lacks numbers, and sums of nothing but floats.
local function lacks(step)
   if step.kind == 'product' then
      return not step.input.numbers
   elseif step.kind == 'sum' then
      local a, b = step.input.list[1], step.input.list[2]
      return a.list or b.list or not a.numbers or not b.numbers
         or not (can_be_bytes(a) or can_be_bytes(b))
   end
   return false
end

-- --- bytes --------------------------------------------------------------------------------------

-- Whether a value has readers and all of them take bytes. (A pool can give floats of bytes.)
local function is_wanted(value, wanted)
   for _, step in ipairs(value.consumers) do
      if not computes(step) and step.kind ~= 'pool'
         and not (passes(step) and wanted[step.output]) then
         return false
      end
   end
   return #value.consumers > 0 and value.numbers ~= nil and not value.given
end

local function choose_bytes(flow)
   local wanted = {}
   for i = #flow, 1, -1 do
      wanted[flow[i].output] = is_wanted(flow[i].output, wanted)
   end
   for _, step in ipairs(flow) do
      local before = step.input.producer
      step.bytes = wanted[step.output] and (computes(step)
         or passes(step) and before ~= nil and before.bytes) or false
      if step.bytes and passes(step) then
         step.output.numbers = step.input.numbers
      end
   end
end

--- Give each step its `kind` and `bytes`, and each value that is bytes its last `numbers`.
-- @tparam table flow its values measured
-- @func[opt] skip whether a module stays in floats
function M.make(flow, skip)
   for _, step in ipairs(flow) do
      step.kind = not step.shared and not (skip and skip(step.module)) and kind_of(step)
         or nil
   end
   numbers_from_behind(flow)
   numbers_from_before(flow)
   for _, step in ipairs(flow) do
      if lacks(step) then
         step.kind = nil
      end
   end
   choose_bytes(flow)
end

return M
