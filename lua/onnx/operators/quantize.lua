-- Numbers as bytes, and bytes as numbers.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local M = {}

-- What whole numbers of a type can be.
local RANGES = { Byte = { 0, 255 }, Char = { -128, 127 }, Short = { -32768, 32767 } }

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

local function element(t)
   return t:type():match '^torch%.Cuda(%a+)Tensor$' or t:type():match '^torch%.(%a+)Tensor$'
end

--- y = min(max(round(x / scale) + zero, least), most), of two neighbours the even one.
function M.QuantizeLinear(c, x, scale, zero)
   local name = zero and element(zero) or 'Byte'
   local range = RANGES[name]
   if not range or (c.output_dtype or 0) ~= 0 and not zero then
      error('it gives other elements than bytes and 16-bit integers', 0)
   end
   tools.spend(x:nElement())
   scale = along(c, scale:typeAs(x), x)
   -- Within what a float can add a zero to; what is beyond ends at the range's end anyhow.
   local y = tools.to_even(torch.clamp(torch.cdiv(x, scale), -2^20, 2^20))
   if zero then
      y = y + along(c, zero:typeAs(x), x)
   end
   return torch.clamp(y, range[1], range[2]):type(tools.beside('torch.' .. name .. 'Tensor', x))
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
