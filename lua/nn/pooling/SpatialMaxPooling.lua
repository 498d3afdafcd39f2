--- The maximum over windows of kW x kH.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- `indices` keeps where in its plane each maximum was.
-- @classmod nn.SpatialMaxPooling

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local SpatialMaxPooling = nn.declare('nn.SpatialMaxPooling', 'nn.SpatialPooling', {
   arguments = [[
      kW    size         window width
      kH    size         window height
      dW    number = kW  step to the right
      dH    number = kH  step down
      padW  number = 0   padding left and right, at most half a window; never the maximum
      padH  number = 0   padding above and below
   ]],
})

function SpatialMaxPooling:__initialize()
   self.ceil_mode = false
   self.indices = torch.LongTensor()
end

-- The positions are integers whatever type the layer is converted to.
local function index_tensor(self, x)
   if not check.suits(self.indices, th.C.TH_LONG, x) then
      self.indices = th.likeType(x, th.C.TH_LONG)
   end
   return self.indices
end

function SpatialMaxPooling:__computeOutput(y, x)
   return ops.max_pool2d(self, y, index_tensor(self, x), x, self.kH, self.kW, self.dH, self.dW,
      self.padH, self.padW, self.ceil_mode)
end

function SpatialMaxPooling:__computeGradInput(gx, x, g)
   return ops.max_pool2d_backward(self, gx, g, x, index_tensor(self, x), self.kH, self.kW, self.dH,
      self.dW, self.padH, self.padW, self.ceil_mode)
end

--- Free the buffers (`clearState` under its older name).
function SpatialMaxPooling:empty()
   self:clearState()
end

function SpatialMaxPooling:clearState()
   nn.utils.clear(self, 'indices')
   return nn.Module.clearState(self)
end
