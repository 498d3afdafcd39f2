--- What convolutions and their transposes have in common, for layers to derive from: how their
-- numbers and weights come to the operations `conv`, `conv_backward_input` and
-- `conv_backward_weight`.
--
-- A layer derived from it defines `__axes`, for each dimension the names of the fields that hold
-- kernel, stride, padding and dilation, and the fields. Where its weight has another form than the
-- operations want, it defines `__kernel()`, which returns it in that form, `__kernelGradient()`,
-- where gradients of that form are added up, and `__takeGradient(gradient)`, which puts them where
-- they belong.
-- @classmod nn.Convolution

local ffi = require 'ffi'
local nn = require 'nn'
local ops = require 'nn.base.ops'

local Convolution = nn.declare('nn.Convolution', 'nn.Weighted', {})

Convolution.groups = 1
Convolution.dilationT, Convolution.dilationW, Convolution.dilationH = 1, 1, 1

-- One of each for all layers: filled before a call.
local stride, padding, dilation = ffi.new 'int64_t[3]', ffi.new 'int64_t[3]', ffi.new 'int64_t[3]'

local function fill(self)
   local axes = self.__axes
   local dims = #axes
   for d = 1, dims do
      local axis = axes[d]
      stride[d - 1] = self[axis.stride]
      padding[d - 1] = self[axis.padding]
      dilation[d - 1] = self[axis.dilation]
   end
   return dims
end

--- The product of the kernel's sizes.
function Convolution:__kernelSize()
   local size = 1
   for _, axis in ipairs(self.__axes) do
      size = size * self[axis.kernel]
   end
   return size
end

function Convolution:__fanIn()
   return self:__kernelSize() * self.nInputPlane / self.groups
end

function Convolution:__kernel()
   return self.weight
end

function Convolution:__kernelGradient()
   return self.gradWeight
end

function Convolution.__takeGradient(_, _) end

--- y = the convolution of x.
function Convolution:__convolve(y, x, bias)
   local dims = fill(self)
   return ops.conv(self, y, x, self:__kernel(), bias, dims, stride, padding, dilation, self.groups)
end

--- gx = the transposed convolution of g; x is for the sizes.
function Convolution:__spread(gx, g, x)
   local dims = fill(self)
   return ops.conv_backward_input(self, gx, g, x, self:__kernel(), dims, stride, padding, dilation,
      self.groups)
end

--- Add the gradients of a convolution of x whose result has the gradient g.
function Convolution:__addGradients(x, g, gradBias, scale)
   local dims, gradient = fill(self), self:__kernelGradient()
   ops.conv_backward_weight(self, gradient, gradBias, g, x, dims, stride, padding, dilation,
      self.groups, scale)
   self:__takeGradient(gradient)
end

function Convolution:__computeOutput(y, x)
   return self:__convolve(y, x, self.bias)
end

function Convolution:__computeGradInput(gx, x, g)
   return self:__spread(gx, g, x)
end

function Convolution:__computeGradParameters(x, g, scale)
   self:__addGradients(x, g, self.gradBias, scale)
end

function Convolution:clearState()
   -- Scratch memory in modules saved by Torch7, and that of weights in another form.
   nn.utils.clear(self, 'finput', 'fgradInput', '_input', '_gradOutput', 'columns', 'ones',
      '_kernel', '_kernelGradient')
   return nn.Module.clearState(self)
end
