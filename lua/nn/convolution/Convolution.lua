--- What convolutions and their transposes have in common, for layers to derive from: how their
-- numbers and weights come to the operations `conv`, `conv_backward_input` and
-- `conv_backward_weight`.
--
-- A layer derived from it defines `__axes`, one of nn.convolution.axes: which fields hold kernel,
-- stride, padding and dilation; and those fields. Where its weight has another form than the
-- operations want, it defines `__kernel()`, which returns it in that form, `__kernelGradient()`,
-- where gradients of that form are added up, and `__takeGradient(gradient)`, which puts them where
-- they belong.
-- @classmod nn.Convolution

local nn = require 'nn'
local axes = require 'nn.convolution.axes'
local ops = require 'nn.base.ops'

local Convolution = nn.declare('nn.Convolution', 'nn.Weighted', {})

Convolution.groups = 1
Convolution.dilationT, Convolution.dilationW, Convolution.dilationH = 1, 1, 1

local stride, padding, dilation = axes.stride, axes.padding, axes.dilation

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

--- y = the convolution of x; by another weight than the layer's if there is one. With an ending
-- (see nn.containers.runs) its addend is added, and max(0, .) taken.
function Convolution:__convolve(y, x, bias, weight, ending)
   local own = self.__axes
   own.fill(self)
   if ending then
      return ops.conv_add_relu(self, y, x, weight or self:__kernel(), bias, ending.addend,
         ending.relu, own.dims, stride, padding, dilation, self.groups)
   end
   return ops.conv(self, y, x, weight or self:__kernel(), bias, own.dims, stride, padding, dilation,
      self.groups)
end

--- gx = the transposed convolution of g; x is for the sizes.
function Convolution:__spread(gx, g, x)
   local own = self.__axes
   own.fill(self)
   return ops.conv_backward_input(self, gx, g, x, self:__kernel(), own.dims, stride, padding,
      dilation, self.groups)
end

--- Add the gradients of a convolution of x whose result has the gradient g.
function Convolution:__addGradients(x, g, gradBias, scale)
   local own, gradient = self.__axes, self:__kernelGradient()
   own.fill(self)
   ops.conv_backward_weight(self, gradient, gradBias, g, x, own.dims, stride, padding, dilation,
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
