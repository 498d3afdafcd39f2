--- y = max(0, x) and max(0, -x), one behind the other along the first dimension of a sample, which
-- doubles.
-- Source: Shang et al., Understanding and Improving Convolutional Neural Networks via Concatenated
-- Rectified Linear Units, 2016 (arXiv:1603.05201).
-- @classmod nn.CReLU
-- @example nn.CReLU(1):forward(torch.Tensor { -1, 2 }) --> { 0, 2, 1, 0 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local CReLU, Parent = torch.class('nn.CReLU', 'nn.Sequential', nn)

--- Make the layer.
-- @int nInputDims dimensions of one sample: inputs with one more are batches
-- @bool[opt=false] inplace rectify the joined tensor in place
function CReLU:__init(nInputDims, inplace)
   Parent.__init(self)
   if not tonumber(nInputDims) then
      check.fail(self, 'nInputDims is %s, expected a number: nn.CReLU(nInputDims[, inplace])',
         check.given(nInputDims))
   end
   self.nInputDims, self.inplace = tonumber(nInputDims), inplace or false
   self:add(nn.ConcatTable():add(nn.Identity()):add(nn.MulConstant(-1)))
   self:add(nn.JoinTable(1, nInputDims))
   self:add(nn.ReLU(self.inplace))
end

function CReLU:__tostring__()
   return ('%s()'):format(torch.type(self))
end

return CReLU
