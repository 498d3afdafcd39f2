--- A small problem for a Trainer: two layers, 24 samples.
local torch = require 'torch'
local nn = require 'nn'

--- @return net, inputs, targets
return function()
   torch.manualSeed(7)
   local x = torch.randn(24, 3)
   local t = torch.cmul(x:select(2, 1), x:select(2, 2)):view(24, 1):contiguous()
   local net = nn.Sequential():add(nn.Linear(3, 5)):add(nn.Tanh()):add(nn.Linear(5, 1))
   return net, x, t
end
