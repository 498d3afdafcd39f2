--- Optimisers of Variables: steps are no part of the record, what the loss is computed with is.
--
--    if on_variables.concerns(x) then
--       return on_variables.call(sgd, opfunc, x, config, state)
--    end
local torch = require 'torch'
local types = require 'torch.types'
local th = require 'torch.ffi'

local C = th.C

local M = {}

--- Whether steps in x would be recorded.
function M.concerns(x)
   return types.variables and th.isTensor(x) and x.flags ~= 0 and C.TH_Variable_needsGradient(x)
      and C.TH_Gradient_recording()
end

local function given(x, _, ...)
   return x, ...
end

local function off_again(...)
   torch.setGradEnabled(false)
   return ...
end

--- optimiser(opfunc, x, ...), which works on the plain elements of x, while opfunc sees the
-- Variable and is recorded.
function M.call(optimiser, opfunc, x, ...)
   local plain = x:detach()
   local function loss_of(at, ...)
      torch.setGradEnabled(true)
      local loss, gradient = off_again(opfunc(rawequal(at, plain) and x or at, ...))
      return torch.isTensor(loss) and loss:item() or loss,
         torch.isTensor(gradient) and gradient:detach() or gradient
   end
   local callable = type(opfunc) == 'function' or type(opfunc) == 'table'
   return given(x, torch.noGrad(optimiser, callable and loss_of or opfunc, plain, ...))
end

return M
