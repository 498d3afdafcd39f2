--- The p-norm over windows of kW x kH: (sum of x^p)^(1/p), a net of smaller layers.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with oH = floor((H - kH) / dH) + 1, and
-- oW likewise.
-- @classmod nn.SpatialLPPooling
-- @example #nn.SpatialLPPooling(3, 2, 2, 2, 2, 2):forward(torch.randn(3, 6, 6)) --> { 3, 3, 3 }

local nn = require 'nn'

local SpatialLPPooling, Parent = nn.declare('nn.SpatialLPPooling', 'nn.Sequential', {
   arguments = [[
      nInputPlane  size         planes of the input; any number is taken
      pnorm        number = 2   p
      kW           size         window width
      kH           size         window height
      dW           integer = kW step to the right
      dH           integer = kH step down
   ]],
})

function SpatialLPPooling:__initialize(_, pnorm, kW, kH, dW, dH)
   local squares = pnorm == 2
   self:add(squares and nn.Square() or nn.Power(pnorm))
   self:add(nn.SpatialAveragePooling(kW, kH, dW, dH))
   self:add(nn.MulConstant(kW * kH))
   self:add(squares and nn.Sqrt() or nn.Power(1 / pnorm))
end

function SpatialLPPooling:__tostring__()
   return ('%s(%dx%d, %d,%d)'):format('nn.SpatialLPPooling', self.kW, self.kH, self.dW, self.dH)
end

return Parent
