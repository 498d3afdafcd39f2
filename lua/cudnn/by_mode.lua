--- Classes of Torch7's cuDNN binding whose field `mode` says what they compute, for others to
-- derive from: cudnn._Pooling, cudnn._Pooling3D, cudnn._Pointwise.
--
--    local Pool, parent = torch.class('my.Pool', 'cudnn._Pooling')
--    function Pool:updateOutput(input)
--       self.mode = 'CUDNN_POOLING_MAX'
--       return parent.updateOutput(self, input)
--    end
--
-- @module cudnn.by_mode

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local M = {}

-- Mode -> the class of nn with `count_include_pad`, for two and three directions.
local POOLING = {
   CUDNN_POOLING_MAX = 'MaxPooling',
   CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 'AveragePooling',
   CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 'AveragePooling',
}

local POINTWISE = {
   CUDNN_ACTIVATION_RELU = 'nn.ReLU', CUDNN_ACTIVATION_TANH = 'nn.Tanh',
   CUDNN_ACTIVATION_SIGMOID = 'nn.Sigmoid',
}

local function class_of(self, modes, prefix)
   local name = modes[self.mode]
   if not name then
      local wanted = {}
      for mode in pairs(modes) do
         wanted[#wanted + 1] = mode
      end
      table.sort(wanted)
      check.fail(self, 'mode is %s, expected %s', tostring(self.mode), table.concat(wanted, ', '))
   end
   return torch.getmetatable(prefix .. name)
end

-- The hooks of the class that the mode names.
local function install(Layer, modes, prefix)
   function Layer:__computeOutput(y, x)
      return class_of(self, modes, prefix).__computeOutput(self, y, x)
   end

   function Layer:__computeGradInput(gx, x, g)
      return class_of(self, modes, prefix).__computeGradInput(self, gx, x, g)
   end
end

local function pooling(Layer, prefix)
   install(Layer, POOLING, prefix)
   Layer.divide = true -- means, not sums
   local compute, gradient = Layer.__computeOutput, Layer.__computeGradInput

   local function set_padding(self)
      self.count_include_pad = self.mode ~= 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING'
   end

   function Layer:__computeOutput(y, x)
      set_padding(self)
      return compute(self, y, x)
   end

   function Layer:__computeGradInput(gx, x, g)
      set_padding(self)
      return gradient(self, gx, x, g)
   end

   --- Torch7's call after a change of the window. Nothing to do: each call looks at the fields.
   function Layer.resetPoolDescriptors(_) end
end

--- Pooling of images by the field `mode`: 'CUDNN_POOLING_MAX',
-- 'CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING' or 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING'.
-- @type cudnn._Pooling

--- Pooling of volumes by the field `mode`, as cudnn._Pooling.
-- @type cudnn._Pooling3D

--- A function of each element by the field `mode`: 'CUDNN_ACTIVATION_RELU', 'CUDNN_ACTIVATION_TANH'
-- or 'CUDNN_ACTIVATION_SIGMOID'.
-- @type cudnn._Pointwise
-- @bool[opt=false] inplace compute into the input, and the gradient into gradOutput

function M.install(cudnn)
   local Pooling = nn.declare('cudnn._Pooling', 'nn.SpatialPooling', {
      arguments = [[
         kW    size         width of a window
         kH    size         height
         dW    integer = kW step in width
         dH    integer = kH step in height
         padW  integer = 0  padding on each side
         padH  integer = 0  padding above and below
      ]],
   }, cudnn)
   pooling(Pooling, 'nn.Spatial')
   pooling(nn.declare('cudnn._Pooling3D', 'nn.VolumetricPooling', {}, cudnn), 'nn.Volumetric')
   local Pointwise = nn.declare('cudnn._Pointwise', {
      arguments = 'inplace  boolean = false  compute into the input',
   }, cudnn)
   install(Pointwise, POINTWISE, '')
   Pointwise.threshold, Pointwise.val = 0, 0 -- of nn.ReLU
end

return M
