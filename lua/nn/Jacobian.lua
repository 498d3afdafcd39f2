--- nn.Jacobian: compares a module's gradients with finite differences, for the tests of layers.
--
-- Every `test…` function draws the tested tensor uniformly from [minval, maxval] and returns the
-- largest absolute difference; double modules with smooth outputs stay below 1e-5.

local torch = require 'torch'
local tests = require 'nn.base.jacobian_tests'

local draw, difference = tests.draw, tests.difference

local Jacobian = {}

local function forward_output(module, input)
   module:forward(input)
   return module.output
end

--- The Jacobian by `module:backward`: one column for each element of the output.
-- @param module
-- @tparam Tensor input
-- @tparam[opt] Tensor param the parameter to differentiate by; default the input
-- @tparam[opt] Tensor dparam where its gradient accumulates
-- @treturn Tensor nParam x nOutput
-- @example #nn.Jacobian.backward(nn.Linear(3, 2), torch.randn(3)) --> { 3, 2 }
function Jacobian.backward(module, input, param, dparam)
   local count = (param or input):nElement()
   module:forward(input)
   local dout = module.output.new():resizeAs(module.output)
   local flat = dout:view(-1)
   local jacobian = torch.Tensor(count, flat:nElement()):zero()
   for i = 1, flat:nElement() do
      dout:zero()
      flat[i] = 1
      module:zeroGradParameters()
      local din = module:updateGradInput(input, dout)
      module:accGradParameters(input, dout)
      jacobian:select(2, i):copy(param and dparam or din)
   end
   return jacobian
end

--- The Jacobian by `module:backwardUpdate`, from the parameter's own step.
-- @treturn Tensor nParam x nOutput
function Jacobian.backwardUpdate(module, input, param)
   module:forward(input)
   local dout = module.output.new():resizeAs(module.output)
   local flat = dout:view(-1)
   local jacobian = torch.Tensor(param:nElement(), flat:nElement()):zero()
   local original = param:clone()
   for i = 1, flat:nElement() do
      param:copy(original)
      dout:zero()
      flat[i] = 1
      module:forward(input)
      module:updateGradInput(input, dout)
      module:accUpdateGradParameters(input, dout, 1)
      jacobian:select(2, i):copy(original - param)
   end
   param:copy(original)
   return jacobian
end

--- The Jacobian by central differences.
-- @param module
-- @tparam Tensor input
-- @tparam[opt] Tensor param the tensor to perturb; default the input
-- @number[opt=1e-6] perturbation half the step
-- @treturn Tensor nParam x nOutput
-- @example #nn.Jacobian.forward(nn.Linear(3, 2), torch.randn(3)) --> { 3, 2 }
function Jacobian.forward(module, input, param, perturbation)
   param = param or input
   perturbation = perturbation or 1e-6
   local flat = param:dim() == 1 and param or param:view(-1) -- a vector may have gaps
   local outputs = forward_output(module, input):nElement()
   local jacobian = torch.Tensor(flat:nElement(), outputs)
   for i = 1, flat:nElement() do
      local original = flat[i]
      flat[i] = original - perturbation
      local low = forward_output(module, input):clone()
      flat[i] = original + perturbation
      local high = forward_output(module, input)
      local change = low:csub(high) -- of the layer's type, the table of torch.Tensor's
      jacobian:select(1, i):copy(change):div(-2 * perturbation)
      flat[i] = original
   end
   return jacobian
end

--- As `forward`, for `backwardUpdate`.
function Jacobian.forwardUpdate(module, input, param, perturbation)
   return Jacobian.forward(module, input, param, perturbation)
end

--- The error of dL/dinput.
-- @example nn.Jacobian.testJacobian(nn.Tanh(), torch.Tensor(4, 3)) < 1e-6 --> true
function Jacobian.testJacobian(module, input, minval, maxval, perturbation)
   draw(input, minval, maxval)
   local numeric = Jacobian.forward(module, input, input, perturbation)
   return difference(numeric, Jacobian.backward(module, input))
end

--- The error of a parameter's gradient.
-- @example
-- local net, x = nn.Linear(3, 2), torch.Tensor(4, 3)
-- nn.Jacobian.testJacobianParameters(net, x, net.weight, net.gradWeight) < 1e-6 --> true
function Jacobian.testJacobianParameters(module, input, param, dparam, minval, maxval, perturbation)
   draw(input, minval, maxval)
   draw(param, minval, maxval)
   local analytic = Jacobian.backward(module, input, param, dparam)
   return difference(analytic, Jacobian.forward(module, input, param, perturbation))
end

--- The error of a parameter's direct update.
function Jacobian.testJacobianUpdateParameters(module, input, param, minval, maxval, perturbation)
   draw(input, minval, maxval)
   draw(param, minval, maxval)
   local analytic = Jacobian.backwardUpdate(module, input, param)
   return difference(analytic, Jacobian.forwardUpdate(module, input, param, perturbation))
end

--- Whether a module survives saving: the differences of output and gradInput after a round trip.
-- @treturn number error of output
-- @treturn number error of gradInput
-- @example nn.Jacobian.testIO(nn.Linear(3, 2), torch.randn(4, 3)) --> 0, 0
function Jacobian.testIO(module, input, minval, maxval)
   draw(input, minval, maxval)
   return tests.round_trip(module, input)
end

--- Whether the ways to update a parameter agree: accumulate then step, step at once, shared twins.
-- @param module
-- @tparam Tensor input
-- @string weight the parameter's field
-- @string gradWeight its gradient's field
-- @treturn table what was compared -> error
function Jacobian.testAllUpdate(module, input, weight, gradWeight)
   local lr = torch.uniform(0.1, 1)
   local errors = {}
   local gradOutput = module:forward(input):clone():uniform()

   -- The reference accumulates twice and then steps.
   local reference = module:clone()
   reference:zeroGradParameters()
   for _ = 1, 2 do
      reference:forward(input)
      reference:backward(input, gradOutput)
   end
   reference:updateParameters(lr)

   local direct = module:clone()
   for _ = 1, 2 do
      direct:forward(input)
      direct:updateGradInput(input, gradOutput)
   end
   direct:accUpdateGradParameters(input, gradOutput, lr)
   direct:accUpdateGradParameters(input, gradOutput, lr)
   errors['accUpdateGradParameters'] = difference(reference[weight], direct[weight])

   direct = module:clone()
   local shared = direct:clone()
   shared:share(direct, weight, gradWeight)
   for _, m in ipairs { direct, shared } do
      m:forward(input)
      m:updateGradInput(input, gradOutput)
   end
   direct:accUpdateGradParameters(input, gradOutput, lr)
   shared:accUpdateGradParameters(input, gradOutput, lr)
   errors['accUpdateGradParameters [shared]'] = difference(reference[weight], shared[weight])
   return errors
end

-- --- the diagonal of the Hessian, by nn.hessian -------------------------------------------------

local function ones(output)
   return output.new(output:size()):fill(1)
end

--- The diagonal second derivatives by `module:backwardDiagHessian`, for second derivatives of 1 by
-- each output.
-- @param module after nn.hessian.enable()
-- @tparam Tensor input
-- @string diagHessianParamName the field: 'diagHessianInput', 'diagHessianWeight', …
-- @treturn Tensor
function Jacobian.backwardDiagHessian(module, input, diagHessianParamName)
   module:initDiagHessianParameters()
   module:backwardDiagHessian(input, ones(module:forward(input)))
   return module[diagHessianParamName]
end

--- The same for a module that is linear in the tensor: the sum of the squares of its Jacobian.
-- @param module
-- @tparam Tensor input
-- @string gradParamName the gradient's field: 'gradInput', 'gradWeight', …
-- @treturn Tensor
function Jacobian.linearModuleDiagHessian(module, input, gradParamName)
   local dout = ones(module:forward(input)):zero()
   local flat, sum = dout:view(-1), nil
   for i = 1, flat:nElement() do
      dout:zero()
      flat[i] = 1
      module:zeroGradParameters()
      module:updateGradInput(input, dout)
      module:accGradParameters(input, dout)
      local squares = torch.cmul(module[gradParamName], module[gradParamName])
      sum = sum and sum:add(squares) or squares
   end
   return sum
end

--- The error of a diagonal of the Hessian.
-- @param module linear in the tensor, after nn.hessian.enable()
-- @tparam Tensor input
-- @string gradParamName as for `linearModuleDiagHessian`
-- @string diagHessianParamName as for `backwardDiagHessian`
-- @number[opt=-2] minval
-- @number[opt=2] maxval
-- @treturn number
function Jacobian.testDiagHessian(module, input, gradParamName, diagHessianParamName, minval,
      maxval)
   draw(input, minval, maxval)
   for _, parameter in ipairs { module.weight, module.bias } do
      draw(parameter, minval, maxval)
   end
   local analytic = Jacobian.backwardDiagHessian(module, input, diagHessianParamName)
   return difference(Jacobian.linearModuleDiagHessian(module, input, gradParamName), analytic)
end

--- The error of the diagonal by the input.
function Jacobian.testDiagHessianInput(module, input, minval, maxval)
   return Jacobian.testDiagHessian(module, input, 'gradInput', 'diagHessianInput', minval, maxval)
end

--- The error of the diagonal by the weight.
function Jacobian.testDiagHessianWeight(module, input, minval, maxval)
   return Jacobian.testDiagHessian(module, input, 'gradWeight', 'diagHessianWeight', minval, maxval)
end

--- The error of the diagonal by the bias.
function Jacobian.testDiagHessianBias(module, input, minval, maxval)
   return Jacobian.testDiagHessian(module, input, 'gradBias', 'diagHessianBias', minval, maxval)
end

return Jacobian
