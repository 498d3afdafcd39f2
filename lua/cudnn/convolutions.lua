--- Convolutions with what Torch7's cuDNN binding adds to nn's: groups, padding of sequences, modes.
-- @module cudnn.convolutions

local nn = require 'nn'
local check = require 'nn.check'
local modes = require 'cudnn.modes'

local M = {}

--- nn.SpatialConvolution with groups: input and output planes in `groups` sets of equal size, each
-- output plane computed from the input planes of its set.
--
-- The weight is nOutputPlane x nInputPlane/groups x kH x kW.
-- @type cudnn.SpatialConvolution

--- nn.VolumetricConvolution with groups, as cudnn.SpatialConvolution has them.
-- @type cudnn.VolumetricConvolution

--- nn.SpatialFullConvolution with the modes of Torch7's cuDNN binding, which are kept and not used.
-- @type cudnn.SpatialFullConvolution

--- nn.VolumetricFullConvolution with the modes of Torch7's cuDNN binding, which are kept and not
-- used.
-- @type cudnn.VolumetricFullConvolution

--- nn.TemporalConvolution with frames of zeros before and behind each sequence.
-- @type cudnn.TemporalConvolution

local function check_groups(self, planes, outputs)
   local groups = self.groups
   if groups < 1 or planes % groups ~= 0 or outputs % groups ~= 0 then
      check.fail(self, '%s groups do not divide %s input and %s output planes', groups, planes,
         outputs)
   end
end

local function spatial(cudnn)
   local Convolution, parent = nn.declare('cudnn.SpatialConvolution', 'nn.SpatialConvolution', {
      arguments = [[
         ...
         groups  integer = 1 sets of planes
      ]],
      text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>){no bias}'
         .. '<, {groups} groups>',
   }, cudnn)

   function Convolution:__initialize(planes, outputs, ...)
      check_groups(self, planes, outputs)
      parent.__initialize(self, planes, outputs, ...)
   end
   return Convolution
end

local function volumetric(cudnn)
   local Convolution = nn.declare('cudnn.VolumetricConvolution', 'nn.VolumetricConvolution', {
      arguments = [[
         ...
         groups  integer = 1 sets of planes
      ]],
      text = '({nInputPlane} -> {nOutputPlane}, {kT}x{kW}x{kH}<, {dT},{dW},{dH}>'
         .. '<, {padT},{padW},{padH}>){no bias}<, {groups} groups>',
   }, cudnn)

   function Convolution:__initialize(planes, outputs, kT, kW, kH)
      check_groups(self, planes, outputs)
      self:__addWeights({ outputs, planes / self.groups, kT, kH, kW }, { outputs })
   end
   return Convolution
end

local function temporal(cudnn)
   local Convolution, parent = nn.declare('cudnn.TemporalConvolution', 'nn.TemporalConvolution', {
      arguments = [[
         inputFrameSize   size        numbers of a frame in
         outputFrameSize  size        numbers of a frame out
         kH -> kW         size        frames of a kernel
         dH -> dW         integer = 1 step, in frames
         padH             integer = 0 frames of zeros before and behind
      ]],
   }, cudnn)

   function Convolution:__checkLength(x)
      local length = x:size(x.ndim - 1) + 2 * self.padH
      if length < self.kW then
         check.fail(self, 'input is %s: %d frames with the padding, shorter than a kernel of %d',
            check.describe(x), length, self.kW)
      end
   end

   local function padded(self, x)
      if self.padH == 0 then
         return x
      end
      local r = x.new(x:size(1), x:size(2) + 2 * self.padH, x:size(3)):zero()
      r:narrow(2, self.padH + 1, x:size(2)):copy(x)
      return r
   end

   function Convolution:__computeOutput(y, x)
      return parent.__computeOutput(self, y, padded(self, x))
   end

   function Convolution:__computeGradInput(gx, x, g)
      if self.padH == 0 then
         return parent.__computeGradInput(self, gx, x, g)
      end
      local all = parent.__computeGradInput(self, x.new(), padded(self, x), g)
      return gx:resizeAs(x):copy(all:narrow(2, self.padH + 1, x:size(2)))
   end

   function Convolution:__computeGradParameters(x, g, scale)
      return parent.__computeGradParameters(self, padded(self, x), g, scale)
   end
   return Convolution
end

function M.install(cudnn)
   local classes = { spatial(cudnn), volumetric(cudnn), temporal(cudnn) }
   for _, name in ipairs { 'SpatialFullConvolution', 'VolumetricFullConvolution' } do
      classes[#classes + 1] = nn.declare('cudnn.' .. name, 'nn.' .. name, {}, cudnn)
   end
   for _, Convolution in ipairs(classes) do
      modes.install(cudnn, Convolution)
   end
end

return M
