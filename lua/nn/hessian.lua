--- nn.hessian: the diagonal of the second derivatives of a loss, approximately.
--
-- As in a net of linear layers, each second derivative of the output counts by the square of the
-- layer's derivative: H(x) = sum of (dy/dx)^2 H(y). What the curvature of the layers themselves
-- adds is left out.
-- Source: LeCun et al., Neural Networks: Tricks of the Trade (1998), section 7.
-- @module nn.hessian

local torch = require 'torch'
local check = require 'nn.check'
local runs = require 'nn.containers.runs'

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

--- For layers of one's own: the second derivatives by the input of a layer that is linear in it,
-- from `updateGradInput` with squared parameters.
-- @param layer with the parameters
-- @param input of the last `forward`
-- @param diagHessianOutput second derivatives by the output
-- @tparam table parameters their fields' names: `{ 'weight' }`
-- @return layer.diagHessianInput
function hessian.updateDiagHessianInput(layer, input, diagHessianOutput, parameters)
   local fields = {}
   for _, name in ipairs(parameters) do
      fields[name] = layer[name] and square(layer[name])
   end
   layer.diagHessianInput = gradient(layer, fields, input, diagHessianOutput)
   return layer.diagHessianInput
end

--- For element-wise layers of one's own: the square of the derivative, which is the gradient for
-- ones.
-- @return layer.diagHessianInput
function hessian.updateDiagHessianInputPointWise(layer, input, diagHessianOutput)
   local one = diagHessianOutput.new():resizeAs(diagHessianOutput):fill(1)
   local r = gradient(layer, {}, input, one)
   layer.diagHessianInput = r:cmul(r):cmul(diagHessianOutput)
   return r
end

--- For layers of one's own: add the second derivatives by the parameters, from `accGradParameters`
-- with the squared input.
-- @param layer with the parameters
-- @param input of the last `forward`
-- @param diagHessianOutput second derivatives by the output
-- @tparam table gradients the fields that `accGradParameters` adds to: `{ 'gradWeight' }`
-- @tparam table sums the fields to add to: `{ 'diagHessianWeight' }`
function hessian.accDiagHessianParameters(layer, input, diagHessianOutput, gradients, sums)
   local fields = {}
   for i, name in ipairs(gradients) do
      fields[name] = layer[sums[i]]
   end
   with_fields(layer, fields, layer.accGradParameters, square(input), diagHessianOutput, 1)
end

--- For layers of one's own: sums of second derivatives as large as the gradients, zero.
function hessian.initDiagHessianParameters(layer, gradients, sums)
   for i, name in ipairs(gradients) do
      local like = layer[name]
      layer[sums[i]] = like and (layer[sums[i]] or like.new()):resizeAs(like):zero()
   end
end

-- Linear layers: their own gradients, of the squared weight and of the squared input.
local linear = {}
local WEIGHT = { 'weight' }
local GRADIENTS, SUMS = { 'gradWeight', 'gradBias' }, { 'diagHessianWeight', 'diagHessianBias' }

function linear:updateDiagHessianInput(input, diagHessianOutput)
   return hessian.updateDiagHessianInput(self, input, diagHessianOutput, WEIGHT)
end

function linear:accDiagHessianParameters(input, diagHessianOutput)
   if not self.diagHessianWeight then
      self:initDiagHessianParameters()
   end
   hessian.accDiagHessianParameters(self, input, diagHessianOutput, GRADIENTS, SUMS)
end

function linear:initDiagHessianParameters()
   hessian.initDiagHessianParameters(self, GRADIENTS, SUMS)
end

local pointwise = { updateDiagHessianInput = hessian.updateDiagHessianInputPointWise }

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
         i > 1 and runs.given(self, i, input) or input, current)
   end
   self.diagHessianInput = current
   return current
end

function sequential:accDiagHessianParameters(input, diagHessianOutput)
   local modules, current = self.modules, diagHessianOutput
   for i = #modules, 1, -1 do
      self:rethrowErrors(modules[i], i, 'accDiagHessianParameters',
         i > 1 and runs.given(self, i, input) or input, current)
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

local Module, Container = torch.getmetatable 'nn.Module', torch.getmetatable 'nn.Container'
local flatten, of_module, of_container =
   Module.getParameters, Module.parameters, Container.parameters

--- As ever; third, if there are sums of second derivatives, these in the order of the parameters
-- (false for a parameter without).
function module:parameters()
   local parameters, gradients = of_module(self)
   if not self.diagHessianWeight and not self.diagHessianBias then
      return parameters, gradients
   end
   return parameters, gradients, {
      self.weight and self.diagHessianWeight or self.diagHessianBias or false,
      self.weight and self.diagHessianBias or false,
   }
end

local container = {}

function container:parameters()
   local parameters, gradients = of_container(self)
   local sums, n, any = {}, 0, false
   for _, part in ipairs(self.modules) do
      local its, _, its_sums = part:parameters()
      for i = 1, #(its or {}) do
         n = n + 1
         sums[n] = its_sums and its_sums[i] or false
         any = any or sums[n]
      end
   end
   return parameters, gradients, any and n == #parameters and sums or nil
end

--- As ever; third, if there are sums of second derivatives, these as a vector beside the
-- parameters, zero where a parameter has none. The modules' own are parts of it from then on.
-- @return parameters, gradients, second derivatives or nil
function module:getParameters()
   local list, _, sums = self:parameters()
   local parameters, gradients = flatten(self)
   if not sums then
      return parameters, gradients
   end
   local flat = parameters:clone():zero()
   local start = parameters:storageOffset() - 1
   for i, parameter in ipairs(list) do
      if sums[i] then
         local part = flat.new(flat:storage(), parameter:storageOffset() - start, parameter:size(),
            parameter:stride())
         sums[i]:set(part:copy(sums[i]))
      end
   end
   return parameters, gradients, flat
end

local mse = {}

function mse:updateDiagHessianInput(input, _)
   self.diagHessianInput = (self.diagHessianInput or input.new()):resizeAs(input)
   return self.diagHessianInput:fill(self.sizeAverage and 2 / input:nElement() or 2)
end
mse.backwardDiagHessian = mse.updateDiagHessianInput

-- Class -> its functions; those derived from it have them too.
local kinds = {
   { module, 'Module' },
   { container, 'Container' },
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
-- `backwardDiagHessian(input, target)`, where it begins. `getParameters` returns the sums as its
-- third.
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
