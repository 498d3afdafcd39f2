--- Gradients of layers of tensors in tables against differences.
local assert = require 'luassert'
local torch = require 'torch'

local M = {}

local function is_real(t)
   return t:type() == 'torch.DoubleTensor'
end

local function as_list(x)
   return torch.isTensor(x) and { x } or { unpack(x) }
end

--- The gradients of sum(w .* outputs) by parameters and by those inputs that are doubles, against
-- central differences.
-- @tab inputs list
-- @return the output
function M.check(layer, inputs)
   local input = #inputs == 1 and inputs[1] or inputs
   local y, w = layer:forward(input), {}
   for i, one in ipairs(as_list(y)) do
      w[i] = is_real(one) and torch.randn(one:size()) or one:clone():zero()
   end
   local function loss()
      local sum = 0
      for i, one in ipairs(as_list(layer:forward(input))) do
         sum = sum + (is_real(one) and torch.cmul(one, w[i]):sum() or 0)
      end
      return sum
   end
   layer:zeroGradParameters()
   local list = { unpack(inputs) }
   local found = as_list(layer:backward(input, torch.isTensor(y) and w[1] or w))
   local parameters, gradients = layer:parameters()
   for i, p in ipairs(parameters or {}) do
      list[#list + 1], found[#found + 1] = p, gradients[i]
   end
   for k, x in ipairs(list) do
      local g = found[k]
      if not x:isContiguous() then -- a matrix that lies transposed
         x, g = x:t(), g:t()
      end
      local flat = x:view(-1)
      g = g:contiguous():view(-1)
      for i = 1, is_real(x) and flat:size(1) or 0 do
         local kept = flat[i]
         flat[i] = kept + 1e-5
         local high = loss()
         flat[i] = kept - 1e-5
         local low = loss()
         flat[i] = kept
         assert.is_true(math.abs((high - low) / 2e-5 - g[i]) < 1e-6)
      end
   end
   return y
end

return M
