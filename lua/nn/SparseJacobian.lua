--- nn.SparseJacobian: nn.Jacobian for inputs that are entries of a sparse vector, n x 2: the
-- values, in column 2, are drawn and differentiated, the positions in column 1 stay.

local Jacobian = require 'nn.Jacobian'

local SparseJacobian = {}

-- The module as one of the values alone.
local function of_values(module, input)
   local values = input:select(2, 2)
   local adapter = {}
   function adapter:forward(x)
      values:copy(x)
      self.output = module:forward(input)
      return self.output
   end
   function adapter.updateGradInput(_, _, gradOutput)
      return module:updateGradInput(input, gradOutput):select(2, 2)
   end
   function adapter.accGradParameters(_, _, gradOutput, scale)
      module:accGradParameters(input, gradOutput, scale)
   end
   function adapter.accUpdateGradParameters(_, _, gradOutput, lr)
      module:accUpdateGradParameters(input, gradOutput, lr)
   end
   function adapter.zeroGradParameters()
      module:zeroGradParameters()
   end
   return adapter, values:clone()
end

--- The Jacobian by `module:backward`; see nn.Jacobian.backward.
function SparseJacobian.backward(module, input, param, dparam)
   local adapter, values = of_values(module, input)
   return Jacobian.backward(adapter, values, param, dparam)
end

--- The Jacobian by `module:backwardUpdate`; see nn.Jacobian.backwardUpdate.
function SparseJacobian.backwardUpdate(module, input, param)
   local adapter, values = of_values(module, input)
   return Jacobian.backwardUpdate(adapter, values, param)
end

--- The Jacobian by central differences; see nn.Jacobian.forward.
function SparseJacobian.forward(module, input, param)
   local adapter, values = of_values(module, input)
   return Jacobian.forward(adapter, values, param)
end

--- As `forward`, for `backwardUpdate`.
function SparseJacobian.forwardUpdate(module, input, param)
   return SparseJacobian.forward(module, input, param)
end

--- The error of dL/dvalues.
function SparseJacobian.testJacobian(module, input, minval, maxval)
   local adapter, values = of_values(module, input)
   return Jacobian.testJacobian(adapter, values, minval, maxval)
end

--- The error of a parameter's gradient.
function SparseJacobian.testJacobianParameters(module, input, param, dparam, minval, maxval)
   local adapter, values = of_values(module, input)
   return Jacobian.testJacobianParameters(adapter, values, param, dparam, minval, maxval)
end

--- The error of a parameter's direct update.
function SparseJacobian.testJacobianUpdateParameters(module, input, param, minval, maxval)
   local adapter, values = of_values(module, input)
   return Jacobian.testJacobianUpdateParameters(adapter, values, param, minval, maxval)
end

--- Whether a module survives saving, as nn.Jacobian.testIO says it.
function SparseJacobian.testIO(module, input, minval, maxval)
   local values = input:select(2, 2)
   values:uniform(minval or -2, maxval or 2)
   return Jacobian.differencesOfSaved(module, input)
end

--- Whether the ways to update a parameter agree; see nn.Jacobian.testAllUpdate.
function SparseJacobian.testAllUpdate(module, input, weight, gradWeight)
   return Jacobian.testAllUpdate(module, input, weight, gradWeight)
end

return SparseJacobian
