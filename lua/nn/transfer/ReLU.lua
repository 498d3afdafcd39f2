--- Rectified linear unit: y = max(0, x), element by element.
-- @classmod nn.ReLU

local torch = require 'torch'
local nn = require 'nn'

local ReLU, Threshold = torch.class('nn.ReLU', 'nn.Threshold', nn)

--- @bool[opt=false] inplace write over the input (and over gradOutput)
function ReLU:__init(inplace)
   Threshold.__init(self, 0, 0, inplace)
end
