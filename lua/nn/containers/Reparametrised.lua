--- A layer whose weight is computed from other parameters, which are learnt in its place: for
-- containers to derive from.
--
-- `weight` and `gradWeight` are those of the layer inside, `bias` and `gradBias` its own parameters
-- still. A derived class has fields for what is learnt, names them in `parameters`, computes the
-- weight in `updateWeight`, and turns `gradWeight` into its gradients in `accGradParameters`.
-- @classmod nn.Reparametrised
-- @see nn.WeightNorm
-- @see nn.SpectralNorm

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Reparametrised, Decorator = nn.declare('nn.Reparametrised', 'nn.Decorator', {
   arguments = [[
      ...
      outputDim  size = 1  the dimension of the weight that counts outputs
   ]],
})

local function take(self, module)
   self.weight, self.gradWeight = module.weight, module.gradWeight
   self.bias, self.gradBias = module.bias, module.gradBias
end

function Reparametrised:__initialize(module, outputDim)
   if not torch.isTensor(module.weight) or module.weight:dim() < outputDim then
      check.fail(self, 'module is %s, expected one with a weight of %d dimensions or more',
         tostring(module), outputDim)
   end
   Decorator.__initialize(self, module)
   take(self, module)
end

--- The tensor with the dimension of outputs in front: a view.
-- @tparam Tensor inpt of the weight's size
function Reparametrised:permuteIn(inpt)
   for d = self.outputDim, 2, -1 do
      inpt = inpt:transpose(d, d - 1)
   end
   return inpt
end

--- Undo `permuteIn`: a view.
-- @tparam Tensor inpt
function Reparametrised:permuteOut(inpt)
   for d = 2, self.outputDim do
      inpt = inpt:transpose(d, d - 1)
   end
   return inpt
end

-- weight = rows, a row for each output. Written whole, not by a view of it: a record of what the
-- rows were computed from belongs to the tensor that is written.
function Reparametrised:__setWeight(rows)
   self.weight:copy(self:permuteOut(rows:view(self:permuteIn(self.weight):size())))
end

--- The step takes the gradients' place.
function Reparametrised:accUpdateGradParameters(input, gradOutput, lr)
   nn.Module.sharedAccUpdateGradParameters(self, input, gradOutput, lr)
end

function Reparametrised:sharedAccUpdateGradParameters(input, gradOutput, lr)
   nn.Module.sharedAccUpdateGradParameters(self, input, gradOutput, lr)
end

-- These are about its own parameters, not about those of the module inside.
function Reparametrised:zeroGradParameters()
   nn.Module.zeroGradParameters(self)
end

function Reparametrised:updateParameters(learningRate)
   nn.Module.updateParameters(self, learningRate)
end

--- Replace modules: a new one inside has the weight that is computed, and its own bias.
-- @func callback gets a module
-- @return what stands in the place of this module
function Reparametrised:replace(callback)
   local out = Decorator.replace(self, callback)
   local module = self.modules[1]
   if torch.isTensor(module.weight) then -- else it is one around the old one
      take(self, module)
   end
   return out
end

--- Share fields of this module, such as 'bias', and of what is learnt here, and their gradients.
-- @param module a module of this class
-- @param ... names
-- @return self
function Reparametrised:share(module, ...)
   return nn.Module.share(self, module, ...)
end
