--- Residual sums on bytes that can be computed with the convolution before them.
-- @module nn.quantization.residuals

local torch = require 'torch'
local nn = require 'nn'

local M = {}

-- The convolution that a branch ends with, if it gives bytes. With an outZero of 0 these may stand
-- for max(0, .), which comes before the sum, and would be lost in it.
local function last_convolution(branch)
   if torch.typename(branch) == 'nn.Sequential' then
      branch = branch.modules[#branch.modules]
   end
   return torch.typename(branch) == 'nn.QuantizedConvolution' and branch.outScale
      and branch.outZero ~= 0 and not branch.addScale and branch or nil
end

local function joined(branches, sum)
   if torch.typename(branches) ~= 'nn.ConcatTable' or torch.typename(sum) ~= 'nn.QuantizedAdd'
      or not sum.outScale or #branches.modules ~= 2 then
      return nil
   end
   for i = 1, 2 do
      local convolution = last_convolution(branches.modules[i])
      if convolution then
         convolution:setOutput { scale = sum.outScale, zero = sum.outZero }
         convolution:setAddend(i == 1 and sum.second or sum.first)
         return nn.QuantizedResidual(branches.modules[i], branches.modules[3 - i])
      end
   end
end

--- Make an nn.QuantizedResidual of each nn.ConcatTable that an nn.QuantizedAdd follows in a
-- sequence, where one of the branches ends with a convolution.
-- @tparam nn.Module net changed in place
function M.join(net)
   net:apply(function(module)
      if torch.typename(module) == 'nn.Sequential' then
         for i = #module.modules - 1, 1, -1 do
            local residual = joined(module.modules[i], module.modules[i + 1])
            if residual then
               module:remove(i + 1)
               module.modules[i] = residual
            end
         end
      end
   end)
end

return M
