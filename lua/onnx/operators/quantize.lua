-- Numbers as bytes, and bytes as numbers.
local torch = require 'torch'
local integers = require 'onnx.operators.integers'
local product = require 'onnx.operators.product'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'
local windows = require 'onnx.operators.windows'

local M = {}

-- Numbers of 16 bits without a sign lie in integers.
local RANGES = setmetatable({ Int = { 0, 65535 } }, { __index = tools.RANGES })

-- Scales or zeros as numbers of x's sizes: one for all, or one for each place along an axis.
local function along(c, t, x)
   local sizes = {}
   for d = 1, x:dim() do
      sizes[d] = 1
   end
   if t:nElement() > 1 then
      if (c.block_size or 0) ~= 0 or t:dim() ~= 1 then
         error('scales of blocks are not read', 0)
      end
      local d = tools.dim(x, c.axis or 1)
      if x:size(d) ~= t:nElement() then
         error(('%d scales for %d places'):format(t:nElement(), x:size(d)), 0)
      end
      sizes[d] = t:nElement()
   end
   return tools.expand(tools.view(t, sizes), tools.sizes(x))
end

-- What QuantizeLinear gives: what its zero is, or what it is told to.
local function element(c, zero)
   local told = (c.output_dtype or 0) ~= 0 and c.output_dtype or types.UINT8
   local class = zero and zero:type():gsub('Cuda(%a)', '%1') or types.class(told) or '?'
   local name = class:match '^torch%.(%a+)Tensor$'
   if not RANGES[name] then
      error(('it gives %s, and bytes and 16-bit integers are read'):format(
         zero and class or types.name(told)), 0)
   end
   return name
end

--- y = min(max(round(x / scale) + zero, least), most), of two neighbours the even one.
function M.QuantizeLinear(c, x, scale, zero)
   local name = element(c, zero)
   local range = RANGES[name]
   tools.spend(x:nElement())
   if not types.is_real(x) then -- whose scale may be a part of 1
      x = x:type(tools.beside(scale:type():gsub('Cuda(%a)', '%1'), x))
   end
   scale = along(c, scale:typeAs(x), x)
   -- Within what a float can add a zero to; what is beyond ends at the range's end anyhow.
   local y = tools.to_even(torch.clamp(torch.cdiv(x, scale), -2^20, 2^20))
   if zero then
      y = y + along(c, zero:typeAs(x), x)
   end
   return torch.clamp(y, range[1], range[2]):type(tools.beside('torch.' .. name .. 'Tensor', x))
end

--- Bytes by the range of x itself, 0 in it: bytes, their scale and zero.
function M.DynamicQuantizeLinear(_, x)
   tools.spend(x:nElement())
   x = x:detach() -- what is rounded has no gradient
   local low, high = math.min(x:min(), 0), math.max(x:max(), 0)
   local scale = x.new(1):fill((high - low) / 255)
   local zero = x.new(1):fill(0)
   if high > low then
      zero = torch.clamp(tools.to_even(zero:fill(-low / ((high - low) / 255))), 0, 255)
   else
      scale:fill(1) -- all of x is 0
   end
   zero = zero:type(tools.beside('torch.ByteTensor', x))
   return { M.QuantizeLinear({}, x, scale, zero), scale, zero }
end

-- Sums of products, as numbers of 32 bits.
local function whole(y)
   return y:type(tools.beside('torch.IntTensor', y))
end

--- (a - zero) (b - zero'), in whole numbers of 32 bits.
function M.MatMulInteger(_, a, b, zero_a, zero_b)
   a, b = unpack(tools.together { a, b })
   local y = product.MatMul({}, integers.centred(a, zero_a, true), integers.centred(b, zero_b))
   return whole(y)
end

--- A convolution of (x - zero) with (w - zero'), in whole numbers of 32 bits; around x is its zero.
function M.ConvInteger(c, x, W, zero_x, zero_w)
   x, W = unpack(tools.together { x, W })
   return whole(windows.Conv(c, integers.centred(x, zero_x), integers.planes(W, zero_w)))
end

function M.QLinearConv(c, x, x_scale, x_zero, W, w_scale, w_zero, y_scale, y_zero, B)
   x, W, B = unpack(tools.together { x, W, B })
   local y = windows.Conv(c, integers.centred(x, x_zero), integers.planes(W, w_zero),
      B and B:type(tools.beside('torch.DoubleTensor', x)))
   y = torch.cmul(torch.cmul(y, integers.scale(w_scale, y, 2)), integers.scale(x_scale, y, 2))
   return M.QuantizeLinear({}, y, y_scale, y_zero)
end

function M.QLinearMatMul(_, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero)
   local y = integers.product(a, a_scale, a_zero, b, b_scale, b_zero)
   return M.QuantizeLinear({}, y, y_scale, y_zero)
end

--- y = (x - zero) scale
function M.DequantizeLinear(c, x, scale, zero)
   tools.spend(x:nElement())
   local y = x:type(tools.beside(scale:type():gsub('Cuda(%a)', '%1'), x))
   if zero then
      y = y - along(c, zero:typeAs(y), y)
   end
   return torch.cmul(y, along(c, scale:typeAs(y), y))
end

return M
