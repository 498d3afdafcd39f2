--- Fully connected layer: y = x W' + b.
--
-- Shapes: x is N x inputSize (or inputSize for one sample), W is outputSize x inputSize, b is
-- outputSize, y is N x outputSize. W and b start uniform in ±1/sqrt(inputSize).
-- @classmod nn.Linear

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local Linear = torch.class('nn.Linear', 'nn.Module', nn)

--- @int inputSize features in
-- @int outputSize features out
-- @bool[opt=true] bias whether to add b
function Linear:__init(inputSize, outputSize, bias)
   check.sizes(self, 'nn.Linear(inputSize, outputSize[, bias])', inputSize, outputSize)
   nn.Module.__init(self)
   self.weight = torch.Tensor(outputSize, inputSize)
   self.gradWeight = torch.Tensor(outputSize, inputSize)
   if bias ~= false then
      self.bias = torch.Tensor(outputSize)
      self.gradBias = torch.Tensor(outputSize)
   end
   self:reset()
end

--- Drop the bias.
-- @return self
function Linear:noBias()
   self.bias = nil
   self.gradBias = nil
   return self
end

--- Draw W and b uniformly.
-- @number[opt] stdv standard deviation; default 1/sqrt(3 * inputSize)
-- @return self
function Linear:reset(stdv)
   local bound = stdv and stdv * math.sqrt(3) or 1 / math.sqrt(self.weight:size(2))
   self.weight:uniform(-bound, bound)
   if self.bias then
      self.bias:uniform(-bound, bound)
   end
   return self
end

local function wrong_input(self, input)
   local inputSize = self.weight:size(2)
   local message = ('input is %s, expected N x %d'):format(check.describe(input), inputSize)
   local flat = input:dim() > 2 and input:nElement() % inputSize == 0
   if flat then
      message = ('%s. Flatten it first: nn.View(%d)'):format(message, inputSize)
   else
      message = message .. ' (size mismatch)'
   end
   check.fail(self, '%s', message)
end

function Linear:updateOutput(input)
   local weight, output = self.weight, self.output
   check.tensor(self, weight, input, 'input')
   local dims = input.ndim
   if (dims ~= 2 and dims ~= 1) or input:size(dims) ~= weight:size(2) then
      wrong_input(self, input)
   end
   if dims == 2 then
      if C.TH_linear(output, input, weight, self.bias) ~= 0 then
         check.recover(self)
         th.check(C.TH_linear(output, input, weight, self.bias))
      end
   else
      output:resize(weight:size(1))
      if self.bias then
         output:copy(self.bias)
      else
         output:zero()
      end
      output:addmv(1, weight, input)
   end
   return output
end

local function wrong_gradient(self, input, gradOutput)
   local outputSize = self.weight:size(1)
   local wanted = input.ndim == 2 and ('%dx%d'):format(input:size(1), outputSize) or outputSize
   check.fail(
      self,
      'gradOutput is %s, expected %s, the size of the output',
      check.describe(gradOutput),
      wanted
   )
end

local function check_backward(self, input, gradOutput)
   local weight = self.weight
   check.backward(self, weight, input, gradOutput)
   local dims = input.ndim
   if gradOutput.ndim ~= dims or gradOutput:size(dims) ~= weight:size(1)
      or (dims == 2 and gradOutput:size(1) ~= input:size(1)) then
      wrong_gradient(self, input, gradOutput)
   end
end

function Linear:updateGradInput(input, gradOutput)
   local gradInput, weight = self.gradInput, self.weight
   if not gradInput then
      return
   end
   check_backward(self, input, gradOutput)
   if input.ndim == 2 then
      gradInput:resize(input:size(1), weight:size(2))
      return gradInput:mm(gradOutput, weight)
   end
   gradInput:resize(weight:size(2))
   return gradInput:mv(weight:t(), gradOutput)
end

function Linear:accGradParameters(input, gradOutput, scale)
   scale = scale or 1
   check_backward(self, input, gradOutput)
   if input.ndim == 2 then
      local transposed = gradOutput:t()
      self.gradWeight:addmm(scale, transposed, input)
      if self.bias then
         self:updateAddBuffer(input)
         self.gradBias:addmv(scale, transposed, self.addBuffer)
      end
   else
      self.gradWeight:addr(scale, gradOutput, input)
      if self.bias then
         self.gradBias:add(scale, gradOutput)
      end
   end
end

--- Make `addBuffer`: a one for each sample, by which a product sums over the batch.
function Linear:updateAddBuffer(input)
   local samples = input:size(1)
   local ones = self.addBuffer
   if not ones or ones:nElement() ~= samples or ones.dtype ~= input.dtype
      or ones.device ~= input.device then
      self.addBuffer = th.like(input):resize(samples):fill(1)
   end
end

-- dL/dW does not depend on W, so that layers that share it may step one after the other.
function Linear:sharedAccUpdateGradParameters(input, gradOutput, lr)
   self:defaultAccUpdateGradParameters(input, gradOutput, lr)
end

function Linear:clearState()
   self.addBuffer = nil
   return nn.Module.clearState(self)
end

function Linear:__tostring__()
   local size = ('(%d -> %d)'):format(self.weight:size(2), self.weight:size(1))
   return torch.type(self) .. size .. (self.bias and '' or ' without bias')
end
