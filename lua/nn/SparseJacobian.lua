--- nn.SparseJacobian: nn.Jacobian for modules whose input has the numbers that count in its second
-- column, beside their places in the first: as nn.SparseLinear's. The columns of an ordinary matrix
-- can be tested too, by the second one.
-- @module nn.SparseJacobian
-- @usage nn.SparseJacobian.testJacobian(nn.SparseLinear(10, 3), torch.Tensor { { 1, 0.5 } })

local Jacobian = require 'nn.Jacobian'
local tests = require 'nn.base.jacobian_tests'

local draw, difference = tests.draw, tests.difference

local SparseJacobian = {}

local function values(input)
   return input:select(2, 2)
end

--- The Jacobian by `module:backward`; see nn.Jacobian.backward.
-- @param module
-- @tparam Tensor input n x 2 or more
-- @tparam[opt] Tensor param the parameter to differentiate by; default the input's second column
-- @tparam[opt] Tensor dparam where its gradient accumulates
-- @treturn Tensor nParam x nOutput
function SparseJacobian.backward(module, input, param, dparam)
   local jacobian = Jacobian.backward(module, input, param, dparam)
   if param then
      return jacobian
   end
   return jacobian:view(input:size(1), input:size(2), -1):select(2, 2)
end

--- The Jacobian by `module:backwardUpdate`; see nn.Jacobian.backwardUpdate.
-- @treturn Tensor nParam x nOutput
SparseJacobian.backwardUpdate = Jacobian.backwardUpdate

--- The Jacobian by central differences; see nn.Jacobian.forward.
-- @param module
-- @tparam Tensor input n x 2 or more
-- @tparam[opt] Tensor param the tensor to perturb; default the input's second column
-- @number[opt=1e-6] perturbation half the step
-- @treturn Tensor nParam x nOutput
function SparseJacobian.forward(module, input, param, perturbation)
   return Jacobian.forward(module, input, param or values(input), perturbation)
end

--- As `forward`, for `backwardUpdate`.
function SparseJacobian.forwardUpdate(module, input, param, perturbation)
   return SparseJacobian.forward(module, input, param, perturbation)
end

--- The error of dL/dinput, of the second column.
function SparseJacobian.testJacobian(module, input, minval, maxval)
   draw(values(input), minval, maxval)
   return difference(SparseJacobian.forward(module, input), SparseJacobian.backward(module, input))
end

--- The error of a parameter's gradient.
function SparseJacobian.testJacobianParameters(module, input, param, dparam, minval, maxval)
   draw(values(input), minval, maxval)
   draw(param, minval, maxval)
   return difference(SparseJacobian.backward(module, input, param, dparam),
      SparseJacobian.forward(module, input, param))
end

--- The error of a parameter's direct update.
function SparseJacobian.testJacobianUpdateParameters(module, input, param, minval, maxval)
   draw(values(input), minval, maxval)
   draw(param, minval, maxval)
   return difference(SparseJacobian.backwardUpdate(module, input, param),
      SparseJacobian.forwardUpdate(module, input, param))
end

--- Whether a module survives saving: the differences of output and gradInput after a round trip.
-- @treturn number error of output
-- @treturn number error of gradInput
function SparseJacobian.testIO(module, input, minval, maxval)
   draw(values(input), minval, maxval)
   return tests.round_trip(module, input)
end

--- Whether the ways to update a parameter agree; see nn.Jacobian.testAllUpdate.
-- @treturn table what was compared -> error
SparseJacobian.testAllUpdate = Jacobian.testAllUpdate

return SparseJacobian
