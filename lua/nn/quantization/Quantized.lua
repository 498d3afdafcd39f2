--- What layers that compute on bytes have in common; for layers to derive from. nn.quantize makes
-- them.
--
-- Their inputs are bytes as the layer before gives them, which stand for inScale (q - inZero), or
-- floating numbers, which are rounded to such first. Their outputs are bytes by `outScale` and
-- `outZero`, or, without these, numbers of the net's type. Images of bytes have the usual sizes,
-- and lie with their planes side by side. There is no way back through whole numbers: train before,
-- with nn.fakeQuantize.
-- @classmod nn.Quantized
-- @example
-- local layer = nn.QuantizedLinear(nn.Linear(2, 3), { scale = 1, zero = 0 })
-- layer:setOutput { scale = 0.5, zero = 128 }
-- layer:forward(torch.ByteTensor(4, 2):fill(1)):type() --> 'torch.ByteTensor'

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local numbers = require 'nn.quantization.numbers'
local ops = require 'nn.base.ops'
local types = require 'torch.types'
local th = require 'torch.ffi'

local C = th.C

local Quantized = nn.declare('nn.Quantized', { input = 'any' })

--- Say what the outputs are.
-- @tparam[opt] table output { scale, zero } of bytes; nil: numbers of the net's type
-- @return self
function Quantized:setOutput(output)
   self.outScale, self.outZero = output and output.scale, output and output.zero
   self:__fold()
   return self
end

--- Make what depends on the output's numbers; for layers to define.
function Quantized.__fold() end

-- A buffer of that element type on the device of x: t itself, if it is one.
local function buffer(t, dtype, x)
   if t ~= nil and t.dtype == dtype and t.device_type == x.device_type then
      return t
   end
   return types.tensors[16 * x.device_type + dtype].new()
end

--- The bytes of an input.
-- @param x bytes, or numbers
-- @string name of the buffer's field
-- @number scale
-- @number zero
-- @return the bytes
function Quantized:__codes(x, name, scale, zero)
   if not th.isTensor(x) or x.ndim == 0 then
      check.fail(self, 'input is %s, expected a tensor', check.describe(x))
   elseif x.dtype == C.TH_BYTE then
      return x
   elseif not types.isFloating(x.dtype) then
      check.fail(self, 'input is a %s, expected bytes or floating numbers', torch.typename(x))
   end
   self[name] = buffer(self[name], C.TH_BYTE, x)
   return ops.quantize(self, self[name], x, scale, zero)
end

--- Where the layer's result is computed: bytes or floats, as `outScale` wants.
-- @tparam Tensor y the output buffer
-- @tparam Tensor codes the input's bytes
-- @return y, or another tensor
function Quantized:__target(y, codes)
   if self.outScale then
      return buffer(y, C.TH_BYTE, codes)
   elseif self._type == 'torch.FloatTensor' or self._type == 'torch.CudaTensor' then
      return buffer(y, C.TH_FLOAT, codes)
   end
   self.floats = buffer(self.floats, C.TH_FLOAT, codes)
   return self.floats
end

--- The output: the result, or, where the net is of another floating type, a copy of it.
-- @tparam Tensor y the output buffer
-- @tparam Tensor result
function Quantized:__output(y, result)
   if result ~= self.floats then
      return result
   end
   y = torch.typename(y) == self._type and y or torch.getmetatable(self._type).new()
   return y:resize(result:size()):copy(result)
end

--- The numbers that bytes stand for.
-- @tparam Tensor y the buffer they go to
-- @tparam Tensor codes
-- @number scale
-- @number zero
-- @return y
function Quantized.__numbers(y, codes, scale, zero)
   return y:resize(codes:size()):copy(codes):add(-zero):mul(scale)
end

function Quantized:__computeGradInput()
   check.fail(self, 'whole numbers have no gradient; train the net before nn.quantize, with '
      .. 'nn.fakeQuantize')
end

--- Nothing here learns.
function Quantized.parameters() end

--- Move the layer to another device, and change the type of floating outputs: weights stay the
-- whole numbers that they are.
-- @string[opt] typename
-- @return self; without an argument the name of the type
-- @raise "nn.QuantizedLinear: cannot become a torch.LongTensor; …"
function Quantized:type(typename)
   if not typename then
      return self._type
   end
   local class = torch.getmetatable(typename)
   if not class or not types.isFloating(class.new().dtype) then
      check.fail(self, 'cannot become a %s; its inputs and outputs are bytes or floating numbers',
         typename)
   end
   for name, value in pairs(self) do
      if torch.isTensor(value) then
         self[name] = value:type(numbers.moved(value, typename))
      end
   end
   self._type, self.output, self.gradInput = typename, class.new(), class.new()
   self.floats = nil
   return self
end

function Quantized:clearState()
   nn.utils.clear(self, 'codes', 'codes2', 'floats')
   self.output = torch.getmetatable(self._type).new()
   return nn.Module.clearState(self)
end
