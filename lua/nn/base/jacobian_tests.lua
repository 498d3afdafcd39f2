--- What the tests of nn.Jacobian and nn.SparseJacobian have in common.
-- @module nn.base.jacobian_tests

local torch = require 'torch'

local M = {}

--- Draw a tensor's elements uniformly.
-- @tparam Tensor tensor
-- @number[opt=-2] minval
-- @number[opt=2] maxval
-- @return tensor
function M.draw(tensor, minval, maxval)
   minval, maxval = minval or -2, maxval or 2
   return tensor:copy(torch.rand(tensor:nElement()):mul(maxval - minval):add(minval))
end

--- The largest absolute difference of two tensors' elements.
function M.difference(a, b)
   return (a - b):abs():max()
end

local function run(module, input)
   module:forward(input)
   module:zeroGradParameters()
   local gradOutput = module.output:clone():fill(0.5)
   module:updateGradInput(input, gradOutput)
   module:accGradParameters(input, gradOutput)
   return module.output:clone(), module.gradInput:clone()
end

--- The differences of a module and of what is read back when it has been saved.
-- @treturn number of output
-- @treturn number of gradInput
function M.round_trip(module, input)
   local output, gradInput = run(module, input)
   local output2, gradInput2 = run(torch.deserialize(torch.serialize(module)), input)
   return M.difference(output, output2), M.difference(gradInput, gradInput2)
end

return M
