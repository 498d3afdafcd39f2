--- Compares a gradient with central differences.

local step = require 'optim.step'
local like = require('torch.ffi').like

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, restored after each difference
-- @number[opt=1e-7] eps half the step
-- @treturn number |g - d| / |g + d|, by 2-norms
-- @treturn Tensor g, opfunc's gradient
-- @treturn Tensor d, by differences
-- @example
-- local function square(p) return p:dot(p), p * 2 end
-- (optim.checkgrad(square, torch.Tensor { 4, -2 })) < 1e-6 --> true
local function checkgrad(opfunc, x, eps)
   step.arguments('checkgrad', opfunc, x)
   eps = eps or 1e-7
   local _, gradient = step.evaluate('checkgrad', opfunc, x)
   gradient = gradient:clone()
   local differences = like(gradient):resizeAs(gradient)
   local flat_x, flat_d = x:view(-1), differences:view(-1)
   for i = 1, flat_x:nElement() do
      local original = flat_x[i]
      flat_x[i] = original + eps
      local high = opfunc(x)
      flat_x[i] = original - eps
      local low = opfunc(x)
      flat_x[i] = original
      flat_d[i] = (high - low) / (2 * eps)
   end
   local error = (gradient - differences):norm() / (gradient + differences):norm()
   return error, gradient, differences
end

return checkgrad
