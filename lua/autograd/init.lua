--- The functional interface to Variables: `local grad = require 'autograd'`.
--
-- autograd(f) is torch.grad(f); `autograd.Variable` is torch.Variable.
-- @module autograd
require('torch.errors').library()
local torch = require 'torch'

--- The gradients of a function over nested tables of parameters.
-- @function autograd
-- @param f function(parameters, ...) -> loss (tensor of one element), ...
-- @param[opt] options table: createGraph
-- @return function(parameters, ...) -> gradients (nested as the parameters are), loss, ...
-- @example
-- local grad = require 'autograd'
-- local function loss(p, x, t)
--    return torch.pow(p.w * x + p.b - t, 2):sum()
-- end
-- local p = { w = torch.Tensor { { 2 } }, b = torch.Tensor { 1 } }
-- local g, l = grad(loss)(p, torch.Tensor { 3 }, torch.Tensor { 6 })
-- g.w, g.b, l --> { { 6 } }, { 2 }, { 1 }
return setmetatable({
   Variable = torch.Variable, grad = torch.grad, Function = torch.Function, noGrad = torch.noGrad,
}, {
   __call = function(_, f, options)
      return torch.grad(f, options)
   end,
})
