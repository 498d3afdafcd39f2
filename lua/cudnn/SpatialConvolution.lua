--- nn.SpatialConvolution with groups: input and output planes in `groups` sets of equal size, each
-- output plane computed from the input planes of its set.
--
-- The weight is nOutputPlane x nInputPlane/groups x kH x kW.
-- @classmod cudnn.SpatialConvolution

local nn = require 'nn'
local check = require 'nn.check'

local M = {}

function M.install(cudnn)
   local Convolution, parent = nn.declare('cudnn.SpatialConvolution', 'nn.SpatialConvolution', {
      arguments = [[
         ...
         groups  number = 1  sets of planes
      ]],
      text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>){no bias}'
         .. '<, {groups} groups>',
   }, cudnn)

   function Convolution:__initialize(planes, outputs, ...)
      local groups = self.groups
      if groups < 1 or planes % groups ~= 0 or outputs % groups ~= 0 then
         check.fail(self, '%s groups do not divide %s input and %s output planes', groups, planes,
            outputs)
      end
      parent.__initialize(self, planes, outputs, ...)
   end

   require('cudnn.modes').install(cudnn, Convolution)
end

return M
