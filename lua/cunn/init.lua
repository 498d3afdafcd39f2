--- cunn: layers and criterions on CUDA types, and training on several devices.
--
-- The layers of nn find the CUDA backend by their tensors: `model:cuda()` is all they need. This
-- package loads cutorch, and adds nn.DataParallelTable and the conversions by CUDA's other types.
-- @module cunn
require 'torch'
require('torch.errors').library()

local types = require 'torch.types'
local nn = require 'nn'
require 'cutorch'

--- The module (or criterion) as that type of CUDA tensors, as `m:cuda()` makes it one of floats.
-- @function nn.Module:cudaHalf
-- @function nn.Module:cudaBFloat16
-- @function nn.Module:cudaDouble
-- @function nn.Criterion:cudaBFloat16
-- @example nn.Linear(3, 2):cudaDouble().weight:type() --> 'torch.CudaDoubleTensor'

for dtype, name in pairs(types.names) do
   if types.isFloating(dtype) and name ~= 'Float' then -- cuda() makes floats
      local typename = 'torch.Cuda' .. name .. 'Tensor'
      for _, class in ipairs { nn.Module, nn.Criterion } do
         class['cuda' .. name] = function(self, ...)
            return self:type(typename, ...)
         end
      end
   end
end

require('nn.thnn').install 'Cuda'

require 'cunn.DataParallelTable'

return nn
