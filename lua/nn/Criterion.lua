--- The contract of a criterion: a loss of an input and a target, and its gradient.
-- A criterion defines `updateOutput(input, target)`, a number also kept as `output`, and
-- `updateGradInput(input, target)`.
-- @classmod nn.Criterion

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local declare = require 'nn.base.declare'
local device = require 'nn.base.device'
local own_forward = require 'nn.base.own_forward'
local utils = require 'nn.utils'
local types = require 'torch.types'

local elsewhere, there = device.elsewhere, device.there

local Criterion = torch.class('nn.Criterion', nn)

--- What a criterion's `__init` calls first: makes `gradInput`, of the default tensor type.
function Criterion:__init()
   self.gradInput = torch.Tensor()
   self.output = 0
   if types.variables then
      own_forward.see(self)
   end
end

--- Compute the loss; what every criterion defines.
-- @param input tensor or table of tensors
-- @param target what `input` is compared with
-- @treturn number self.output
function Criterion.updateOutput(_, _, _) end

--- The loss.
-- @param input tensor or table of tensors
-- @param target what `input` is compared with
-- @treturn number self.output
-- @example nn.MSECriterion():forward(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 2
function Criterion:forward(input, target)
   if types.several and elsewhere(input) then
      return there(Criterion.forward, self, input, target)
   end
   if types.variables then
      local variables = require 'nn.base.variables'
      if variables.concerns(self, input) then
         return variables.loss(self, input, target)
      end
   end
   return self:updateOutput(input, target)
end

--- dloss/dinput.
-- @param input the input of the last `forward`
-- @param target its target
-- @return self.gradInput
-- @example
-- local loss, x, t = nn.MSECriterion(), torch.Tensor { 3 }, torch.Tensor { 1 }
-- loss:forward(x, t)
-- loss:backward(x, t) --> { 4 }
function Criterion:backward(input, target)
   if types.several and elsewhere(input) then
      return there(Criterion.backward, self, input, target)
   end
   return self:updateGradInput(input, target)
end

--- Compute `gradInput`; what every criterion defines.
-- @param input the input of the last `forward`
-- @param target its target
-- @return self.gradInput
function Criterion.updateGradInput(_, _, _) end

--- Called by a declared class's constructor when the arguments are checked and in their fields.
-- @param ... the arguments, with their defaults
function Criterion.__initialize(_) end

--- Compute the loss of a declared class (see nn.declare).
-- @tparam Tensor loss one element of the input's type
-- @param input of the criterion's type
-- @param target as declared
-- @return the loss: a number, or a tensor that begins with it
function Criterion.__computeOutput(_, loss, _, _)
   return loss
end

--- Raise where a declared class's loss is not a number because its input is not what it takes.
-- A NaN that the input had already is passed on: nn.NaN finds where that began.
-- @param input
-- @param target
function Criterion.__refuseNaN(_, _, _) end

--- Compute dloss/dinput of a declared class.
-- @tparam Tensor gradInput the buffer
-- @param input
-- @param target
-- @return the gradient
function Criterion.__computeGradInput(_, gradInput, _, _)
   return gradInput
end

--- Called once when a criterion has been read from a file.
-- @int version the class's `__version` when the file was written
function Criterion.__upgrade(_, _) end

--- `c(input, target)`: the loss and its gradient.
-- @param input
-- @param target
-- @param ... what else the criterion's `forward` and `backward` take
-- @return output, gradInput
-- @example
-- nn.MSECriterion()(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 2, { 0, 2 }
function Criterion:__call__(input, target, ...)
   local loss = self:forward(input, target, ...)
   self.output = torch.isVariable(loss) and loss:item() or loss -- kept without its record
   self.gradInput = self:backward(input, target, ...)
   return loss, self.gradInput
end

--- Read a criterion's fields; see nn.Module:read.
function Criterion:read(file, version)
   declare.read(self, file, version)
end

--- A deep copy.
-- @return the copy
function Criterion:clone()
   return torch.deserialize(torch.serialize(self))
end

--- Convert every tensor of the criterion.
-- @string typename for example 'torch.FloatTensor'
-- @tparam[opt] table cache old object -> new, to keep sharing with other objects
-- @return self
-- @raise "nn.MSECriterion: type needs the name of one to convert to, such as 'torch.FloatTensor'"
function Criterion:type(typename, cache)
   if typename == nil then -- a criterion keeps none, as in Torch7
      check.fail(self, "type needs the name of one to convert to, such as 'torch.FloatTensor'")
   end
   for key, value in pairs(self) do
      self[key] = utils.recursiveType(value, typename, cache)
   end
   return self
end

--- `c:type 'torch.FloatTensor'`.
-- @return self
-- @example nn.MSECriterion():float().gradInput:type() --> 'torch.FloatTensor'
function Criterion:float()
   return self:type 'torch.FloatTensor'
end

--- `c:type 'torch.DoubleTensor'`.
-- @return self
function Criterion:double()
   return self:type 'torch.DoubleTensor'
end

--- `c:type 'torch.CudaTensor'`: float, on the current device; needs cutorch.
-- @return self
function Criterion:cuda()
   return self:type 'torch.CudaTensor'
end

--- `c:type 'torch.CudaHalfTensor'`.
-- @return self
function Criterion:cudaHalf()
   return self:type 'torch.CudaHalfTensor'
end

--- `c:type 'torch.CudaDoubleTensor'`.
-- @return self
function Criterion:cudaDouble()
   return self:type 'torch.CudaDoubleTensor'
end
