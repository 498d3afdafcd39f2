--- The contract of a layer: `forward` computes `output`, `backward` computes `gradInput` and adds
-- to the gradients of the parameters.
--
-- A layer defines `updateOutput(input)`, `updateGradInput(input, gradOutput)` and, if it has
-- parameters, `accGradParameters(input, gradOutput, scale)`, `reset(stdv)`; this class has the
-- rest. `output` and `gradInput` are buffers: the next call writes over them, so clone what must
-- last.
-- @classmod nn.Module

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local device = require 'nn.base.device'
local own_forward = require 'nn.base.own_forward'
local utils = require 'nn.utils'
local types = require 'torch.types'

local elsewhere, there = device.elsewhere, device.there

local function variables()
   return require 'nn.base.variables'
end

local Module = torch.class('nn.Module', nn)

--- What a layer's `__init` calls first: makes the buffers, of the default tensor type.
-- @example
-- local Double = torch.class('nn.Double', 'nn.Module')
-- function Double:__init()
--    nn.Module.__init(self)
-- end
-- function Double:updateOutput(input)
--    return self.output:resizeAs(input):copy(input):mul(2)
-- end
-- nn.Double():forward(torch.Tensor { 1, 2 }) --> { 2, 4 }
function Module:__init()
   self.gradInput = torch.Tensor()
   self.output = torch.Tensor()
   self._type = self.output:type()
   if types.variables then
      own_forward.see(self)
   end
end

--- The parameters and their gradients.
-- @treturn table tensors (nothing for a layer without parameters)
-- @treturn table gradients, in the same order
-- @example #nn.Linear(3, 2):parameters() --> 2
function Module:parameters()
   if self.weight and self.bias then
      return { self.weight, self.bias }, { self.gradWeight, self.gradBias }
   elseif self.weight then
      return { self.weight }, { self.gradWeight }
   elseif self.bias then
      return { self.bias }, { self.gradBias }
   end
end

local warned = {} -- class -> whether it was told that it lacks updateOutput

--- Compute `output` from `input`; what every layer defines.
-- A class that does not is told so on stderr, once: its output stays as it is.
-- @return self.output
-- @example nn.Tanh():updateOutput(torch.zeros(2)) --> { 0, 0 }
function Module:updateOutput(_)
   local name = torch.typename(self)
   local empty = not self.output or torch.isTensor(self.output) and self.output:nElement() == 0
   if name and name ~= 'nn.Module' and not warned[name] and empty
      and self.updateOutput == Module.updateOutput then -- not called by a class's own
      warned[name] = true
      io.stderr:write(('nn: warning: %s has no updateOutput, so its output stays empty; define '
         .. 'function %s:updateOutput(input), which ends with return self.output\n'):format(name,
         name:match '[^.]+$'))
   end
   return self.output
end

--- output = f(input).
-- @param input tensor or table of tensors, as the layer takes
-- @return self.output
-- @example
-- local net = nn.Linear(3, 2)
-- net:forward(torch.ones(5, 3)) == net.output --> true
function Module:forward(input)
   if types.several and elsewhere(input) then
      return there(Module.forward, self, input)
   end
   if types.variables and variables().concerns(self, input) then
      return variables().forward(self, input)
   end
   return self:updateOutput(input)
end

--- Record what `forward` computes, of plain tensors, too: a loss made of its output goes back to
-- the parameters' gradients. (The output for a Variable is recorded anyhow.) It holds for all
-- modules inside, for containers of this one, and for clones, but is not saved. With false the
-- parameters do not learn from what is recorded, whatever net they are part of: gradients go
-- through the module, and nothing is added to gradWeight. `backward` called by the script adds as
-- ever.
-- @bool[opt=true] on
-- @return self
-- @example
-- local net = nn.Linear(2, 1):requiresGrad()
-- net:zeroGradParameters()
-- net:forward(torch.ones(2)):sum():backward()
-- net.gradBias --> { 1 }
function Module:requiresGrad(on)
   variables().mark(self, on ~= false)
   return self
end

--- gradInput = dL/dinput, and gradient of each parameter += scale * dL/dparameter.
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput
-- @number[opt=1] scale
-- @return self.gradInput
-- @example
-- local net, x = nn.Linear(3, 2), torch.ones(5, 3)
-- net:zeroGradParameters()
-- net:forward(x)
-- #net:backward(x, torch.ones(5, 2)), net.gradBias --> { 5, 3 }, { 5, 5 }
function Module:backward(input, gradOutput, scale)
   if types.several and elsewhere(input) then
      return there(Module.backward, self, input, gradOutput, scale)
   end
   scale = scale or 1
   self:updateGradInput(input, gradOutput)
   self:accGradParameters(input, gradOutput, scale)
   return self.gradInput
end

--- As `backward`, but the parameters take the step -lr * gradient at once.
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput
-- @number lr size of the step
-- @return self.gradInput
-- @raise "nn.Linear: expected a number as lr, got nil"
function Module:backwardUpdate(input, gradOutput, lr)
   self:updateGradInput(input, gradOutput)
   self:accUpdateGradParameters(input, gradOutput, lr)
   return self.gradInput
end

--- Compute `gradInput`; what every layer defines.
-- @return self.gradInput
function Module:updateGradInput(_, _)
   return self.gradInput
end

--- Add scale * dL/dparameter to the gradients; for layers with parameters to define.
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput
-- @number[opt=1] scale
-- @example
-- local net, x = nn.Linear(1, 1), torch.ones(1, 1)
-- net:zeroGradParameters()
-- net:forward(x)
-- net:accGradParameters(x, torch.ones(1, 1), 0.5)
-- net.gradWeight --> { { 0.5 } }
function Module.accGradParameters(_, _, _, _) end

--- parameters <- parameters - lr * gradient, without touching the gradients where memory allows.
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput
-- @number lr size of the step
function Module:accUpdateGradParameters(input, gradOutput, lr)
   check.number(self, lr, 'lr')
   if self.shared then
      self:sharedAccUpdateGradParameters(input, gradOutput, lr)
   else
      self:defaultAccUpdateGradParameters(input, gradOutput, lr)
   end
end

--- `accUpdateGradParameters` for parameters of this layer alone: they stand in for their
-- gradients, and the scale is -lr.
function Module:defaultAccUpdateGradParameters(input, gradOutput, lr)
   local gradWeight, gradBias = self.gradWeight, self.gradBias
   self.gradWeight, self.gradBias = self.weight, self.bias
   self:accGradParameters(input, gradOutput, -lr)
   self.gradWeight, self.gradBias = gradWeight, gradBias
end

--- `accUpdateGradParameters` for parameters shared with another layer, which must not change before
-- that one's gradient is taken: the gradients are overwritten.
function Module:sharedAccUpdateGradParameters(input, gradOutput, lr)
   if self:parameters() then
      self:zeroGradParameters()
      self:accGradParameters(input, gradOutput, 1)
      self:updateParameters(lr)
   end
end

--- Set the gradients of all parameters to zero, as before each batch: `backward` adds to them.
-- @example
-- local m = nn.Linear(2, 1)
-- m.gradWeight:fill(3)
-- m:zeroGradParameters()
-- m.gradWeight --> { { 0, 0 } }
function Module:zeroGradParameters()
   local _, gradients = self:parameters()
   for _, g in ipairs(gradients or {}) do
      g:zero()
   end
end

--- parameters <- parameters - learningRate * gradients.
-- @number learningRate size of the step
-- @raise "nn.Linear: expected a number as learningRate, got nil"
-- @example
-- local m = nn.Linear(2, 1)
-- m.weight:fill(1)
-- m.gradWeight:fill(2)
-- m:updateParameters(0.25)
-- m.weight --> { { 0.5, 0.5 } }
function Module:updateParameters(learningRate)
   check.number(self, learningRate, 'learningRate')
   local params, gradients = self:parameters()
   for i, p in ipairs(params or {}) do
      if gradients and gradients[i] then
         p:add(-learningRate, gradients[i])
      end
   end
end

--- Draw the parameters anew; for layers with parameters to define.
-- @number[opt] stdv standard deviation
-- @example
-- local net = nn.Linear(3, 2)
-- net:reset(0.1)
-- net.weight:abs():max() <= 0.1 * math.sqrt(3) --> true
function Module.reset(_, _) end

--- Switch to training mode (matters to layers such as Dropout).
-- @example
-- local net = nn.Sequential():add(nn.Dropout(0.5))
-- net:training()
-- net:get(1).train --> true
function Module:training()
   self.train = true
end

--- Switch to evaluation mode.
-- @example
-- local net = nn.Sequential():add(nn.Dropout(0.5))
-- net:evaluate()
-- net:forward(torch.ones(3)) --> { 1, 1, 1 }
function Module:evaluate()
   self.train = false
end

--- Free `output`, `gradInput` and buffers, before saving for instance.
-- @return self
-- @example
-- local net = nn.Linear(3, 2)
-- net:forward(torch.ones(5, 3))
-- net:clearState()
-- net.output:nElement() --> 0
function Module:clearState()
   return utils.clear(self, 'output', 'gradInput')
end

--- `m(input)` is `m:forward(input)`; `m(input, gradOutput)` runs `backward` as well.
-- @return output[, gradInput]
-- @example nn.ReLU()(torch.Tensor { -1, 2 }) --> { 0, 2 }
function Module:__call__(input, gradOutput)
   local output = self:forward(input) -- of Variables another tensor than self.output: the recorded
   if output == nil then -- layers of scripts may keep their output without returning it
      output = self.output
   end
   if gradOutput then
      self:backward(input, gradOutput)
      return output, self.gradInput
   end
   return output
end

-- --- what a class of nn.declare defines ---------------------------------------------------------

--- Called by a declared class's constructor when the arguments are checked and in their fields.
-- @param ... the arguments, with their defaults
function Module.__initialize(_) end

--- Compute the output of a declared class. The input is of the layer's type and of a declared
-- shape, a batch where the declaration asks for one.
-- @tparam Tensor output the buffer
-- @param input
-- @return the output
function Module.__computeOutput(_, output, _)
   return output
end

--- Compute the gradient by the input, for operands as in `__computeOutput`.
-- @tparam Tensor gradInput the buffer
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput, of the output's shape
-- @return the gradient
function Module.__computeGradInput(_, gradInput, _, _)
   return gradInput
end

--- Add to the gradients of the parameters; for a declared class that has some.
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput
-- @number scale
function Module.__computeGradParameters(_, _, _, _) end

--- Both gradients at once, for a class declared with `joint`.
-- @param gradInput the buffer; nil where the gradient is not wanted
-- @param input the input of the last `forward`
-- @param gradOutput dL/doutput
-- @number scale
-- @return the gradient by the input
function Module:__computeBackward(gradInput, input, gradOutput, scale)
   self:__computeGradParameters(input, gradOutput, scale)
   return gradInput and self:__computeGradInput(gradInput, input, gradOutput)
end

--- Raise unless an input is of the layer's type and of a declared shape.
-- @param input
-- @raise "nn.Linear: input is 2x4, expected N x 3 or 3"
function Module.__checkInput(_, _) end

--- As `__checkInput`, for `gradOutput` too.
-- @param input
-- @param gradOutput
-- @raise "nn.Linear: gradOutput is 4x2, expected 4x3, the size of the output"
function Module.__checkBackward(_, _, _) end

--- What to do about an input of a wrong shape: the end of the error.
-- @param input
-- @treturn string
function Module.__advise(_, _)
   return ''
end

--- Called once when a module has been read from a file.
-- @int version the class's `__version` when the file was written
function Module.__upgrade(_, _) end

require 'nn.module.copy'
require 'nn.module.flatten'
require 'nn.module.gradients'
require 'nn.module.traverse'
