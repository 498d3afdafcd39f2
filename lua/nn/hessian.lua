--- nn.hessian: the diagonal of the second derivatives of a loss, approximately.
--
-- As in a net of linear layers, each second derivative of the output counts by the square of the
-- layer's derivative: H(x) = sum of (dy/dx)^2 H(y). What the curvature of the layers themselves
-- adds is left out.
-- Source: LeCun et al., Neural Networks: Tricks of the Trade (1998), section 7.
-- @module nn.hessian

local torch = require 'torch'
local check = require 'nn.check'

local hessian = {}

-- --- how a kind of layer does it ----------------------------------------------------------------

-- Call a method with other values in an object's fields; what it returns.
local function with_fields(object, fields, method, ...)
   local before = {}
   for name, value in pairs(fields) do
      before[name], object[name] = object[name], value
   end
   local ok, result = pcall(method, object, ...)
   for name in pairs(fields) do
      object[name] = before[name]
   end
   if not ok then
      error(result, 0)
   end
   return result
end

-- The gradient by the input, in a buffer of its own.
local function gradient(self, fields, input, gradOutput)
   fields.gradInput = self.diagHessianInput or input.new()
   return with_fields(self, fields, self.updateGradInput, input, gradOutput)
end

local function square(x)
   return torch.cmul(x, x)
end

-- Linear layers: their own gradients, of the squared weight and of the squared input.
local linear = {}

function linear:updateDiagHessianInput(input, diagHessianOutput)
   local fields = { weight = square(self.weight) }
   self.diagHessianInput = gradient(self, fields, input, diagHessianOutput)
   return self.diagHessianInput
end

function linear:accDiagHessianParameters(input, diagHessianOutput)
   if not self.diagHessianWeight then
      self:initDiagHessianParameters()
   end
   local fields = { gradWeight = self.diagHessianWeight }
   if self.bias then
      fields.gradBias = self.diagHessianBias
   end
   with_fields(self, fields, self.accGradParameters, square(input), diagHessianOutput, 1)
end

function linear:initDiagHessianParameters()
   for field, name in pairs { weight = 'diagHessianWeight', bias = 'diagHessianBias' } do
      local parameter = self[field]
      self[name] = parameter and (self[name] or parameter.new()):resizeAs(parameter):zero()
   end
end

-- Element-wise layers: the square of the derivative, which is the gradient for ones.
local pointwise = {}

function pointwise:updateDiagHessianInput(input, diagHessianOutput)
   local one = diagHessianOutput.new():resizeAs(diagHessianOutput):fill(1)
   local r = gradient(self, {}, input, one)
   self.diagHessianInput = r:cmul(r):cmul(diagHessianOutput)
   return r
end

-- Layers that move elements, or leave some out.
local moving = {}

function moving:updateDiagHessianInput(input, diagHessianOutput)
   self.diagHessianInput = gradient(self, {}, input, diagHessianOutput)
   return self.diagHessianInput
end

local sequential = {}

function sequential:updateDiagHessianInput(input, diagHessianOutput)
   local modules, current = self.modules, diagHessianOutput
   for i = #modules, 1, -1 do
      current = self:rethrowErrors(modules[i], i, 'updateDiagHessianInput',
         i > 1 and modules[i - 1].output or input, current)
   end
   self.diagHessianInput = current
   return current
end

function sequential:accDiagHessianParameters(input, diagHessianOutput)
   local modules, current = self.modules, diagHessianOutput
   for i = #modules, 1, -1 do
      self:rethrowErrors(modules[i], i, 'accDiagHessianParameters',
         i > 1 and modules[i - 1].output or input, current)
      current = modules[i].diagHessianInput
   end
end

function sequential:initDiagHessianParameters()
   self:applyToModules(function(module)
      module:initDiagHessianParameters()
   end)
end

-- --- every module, and criterions ---------------------------------------------------------------

local module = {}

--- The second derivatives by the input, and those by the parameters added to their sums.
-- @param input the input of the last `forward`
-- @param diagHessianOutput second derivatives by the output
-- @return self.diagHessianInput
function module:backwardDiagHessian(input, diagHessianOutput)
   self:updateDiagHessianInput(input, diagHessianOutput)
   self:accDiagHessianParameters(input, diagHessianOutput)
   return self.diagHessianInput
end

--- The second derivatives by the input.
-- @raise "nn.SoftMax: its second derivatives are not known to nn.hessian"
function module:updateDiagHessianInput(_, _)
   check.fail(self, 'its second derivatives are not known to nn.hessian')
end

--- Add the second derivatives by the parameters to `diagHessianWeight` and `diagHessianBias`.
function module.accDiagHessianParameters(_, _, _) end

--- Set the sums of second derivatives by the parameters to zero.
function module.initDiagHessianParameters(_) end

local mse = {}

function mse:updateDiagHessianInput(input, _)
   self.diagHessianInput = (self.diagHessianInput or input.new()):resizeAs(input)
   return self.diagHessianInput:fill(self.sizeAverage and 2 / input:nElement() or 2)
end
mse.backwardDiagHessian = mse.updateDiagHessianInput

-- Class -> its functions; those derived from it have them too.
local kinds = {
   { module, 'Module' },
   { sequential, 'Sequential' },
   { linear, 'Linear', 'SpatialConvolution', 'SpatialConvolutionMM', 'SpatialConvolutionLocal',
      'SpatialConvolutionMap', 'SpatialDilatedConvolution', 'SpatialFullConvolution',
      'SpatialFullConvolutionMap', 'TemporalConvolution', 'VolumetricConvolution' },
   { pointwise, 'Pointwise', 'Threshold', 'HardTanh', 'Tanh', 'TanhShrink', 'Square', 'Sqrt',
      'MulConstant', 'AddConstant' },
   { moving, 'Identity', 'View', 'Reshape', 'Copy', 'Contiguous', 'SpatialZeroPadding',
      'SpatialMaxPooling' },
   { mse, 'MSECriterion' },
}

--- Give modules `backwardDiagHessian(input, diagHessianOutput)`, which computes
-- `diagHessianInput`, `diagHessianWeight` and `diagHessianBias`, and criterions
-- `backwardDiagHessian(input, target)`, where it begins.
-- @example
-- nn.hessian.enable()
-- local m, x = nn.Linear(2, 1), torch.Tensor { 2, 3 }
-- m.weight:copy(torch.Tensor { { 4, 5 } })
-- m:forward(x)
-- m:backwardDiagHessian(x, torch.ones(1)) --> { 16, 25 }
-- m.diagHessianWeight --> { { 4, 9 } }
function hessian.enable()
   for _, kind in ipairs(kinds) do
      for i = 2, #kind do
         local class = torch.getmetatable('nn.' .. kind[i])
         for name, f in pairs(class and kind[1] or {}) do
            class[name] = f
         end
      end
   end
end

return hessian
