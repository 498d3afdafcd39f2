--- The contract of a criterion: a loss of an input and a target, and its gradient.
-- A criterion defines `updateOutput(input, target)`, a number also kept as `output`, and
-- `updateGradInput(input, target)`.
-- @classmod nn.Criterion

local torch = require 'torch'
local nn = require 'nn'
local declare = require 'nn.base.declare'
local utils = require 'nn.utils'

-- Not pairs: this loop recurses (torch/serialize/writer.lua tells what LuaJIT makes of that).
local follow = next

local Criterion = torch.class('nn.Criterion', nn)

function Criterion:__init()
   self.gradInput = torch.Tensor()
   self.output = 0
end

function Criterion.updateOutput(_, _, _) end

--- The loss.
-- @treturn number self.output
function Criterion:forward(input, target)
   return self:updateOutput(input, target)
end

--- dloss/dinput.
-- @return self.gradInput
function Criterion:backward(input, target)
   return self:updateGradInput(input, target)
end

function Criterion.updateGradInput(_, _, _) end

--- `c(input, target)`: the loss and its gradient.
-- @return output, gradInput
function Criterion:__call__(input, target)
   self.output = self:forward(input, target)
   self.gradInput = self:backward(input, target)
   return self.output, self.gradInput
end

--- Read a criterion's fields; see nn.Module:read.
function Criterion:read(file, version)
   declare.read(self, file, version)
end

--- A deep copy.
function Criterion:clone()
   return torch.deserialize(torch.serialize(self))
end

--- Convert every tensor of the criterion.
-- @string typename for example 'torch.FloatTensor'
-- @tparam[opt] table cache old object -> new, to keep sharing with other objects
-- @return self
function Criterion:type(typename, cache)
   for key, value in follow, self do
      self[key] = utils.recursiveType(value, typename, cache)
   end
   return self
end

function Criterion:float()
   return self:type 'torch.FloatTensor'
end

function Criterion:double()
   return self:type 'torch.DoubleTensor'
end

function Criterion:cuda()
   return self:type 'torch.CudaTensor'
end

function Criterion:cudaHalf()
   return self:type 'torch.CudaHalfTensor'
end

function Criterion:cudaDouble()
   return self:type 'torch.CudaDoubleTensor'
end
