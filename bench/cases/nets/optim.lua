-- Adam's step alone: parameters and gradients as one tensor, the gradient always the same.
local torch = require 'torch'
local optim = require 'optim'
local bench = require 'bench.harness'

for _, size in ipairs { { '1e3', 1000 }, { '1e5', 100000 }, { '1e7', 10000000 } } do
   local name = 'Adam step, ' .. size[1] .. ' float'
   if bench.wanted(name) then
      local x = torch.FloatTensor(size[2]):uniform(-1, 1)
      local g = torch.FloatTensor(size[2]):uniform(-1, 1)
      local config, state = { learningRate = 1e-9 }, {}
      local function feval()
         return 0, g
      end
      -- Against each of PyTorch's three ways.
      for _, way in ipairs { 'default', 'foreach', 'fused' } do
         bench.case(name .. ', ' .. way, bench.loop(function()
            optim.adam(feval, x, config, state)
         end))
      end
   end
end
