--- Checks two layers of one's own and trains a net of them; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
paths.dofile 'Swish.lua'
paths.dofile 'Sine.lua'

options.parse('Check two layers of one\'s own, and train a net of them.', { options.seed })

-- 1. Are the gradients right? Compared with central differences, in double precision.
local x = torch.DoubleTensor(4, 3)
for _, layer in ipairs { nn.Swish(0.7):double(), nn.Sine(2):double() } do
   local function report(what, err)
      print(('%-18s %-10s error %.1e'):format(tostring(layer), what, err))
      assert(err < 1e-6)
   end
   report('gradInput', nn.Jacobian.testJacobian(layer, x, -2, 2))
   if layer.weight then
      report('gradWeight', nn.Jacobian.testJacobianParameters(
         layer, x, layer.weight, layer.gradWeight, -2, 2))
   end
   report('saved', (nn.Jacobian.testIO(layer, x, -2, 2)))
end

-- 2. A net that has them learns f(t) = sin(5 t) exp(-t^2).
local net = nn.Sequential()
   :add(nn.Linear(1, 32)):add(nn.Sine(3))
   :add(nn.Linear(32, 32)):add(nn.Swish())
   :add(nn.Linear(32, 1))
local criterion = nn.MSECriterion()
local parameters, gradients = net:getParameters()
local t = torch.linspace(-2, 2, 200):view(-1, 1)
local f = torch.cmul(torch.sin(t * 5), torch.exp(-torch.pow(t, 2)))

local function loss_and_gradient()
   gradients:zero()
   local loss = criterion:forward(net:forward(t), f)
   net:backward(t, criterion:backward(net.output, f))
   return loss, gradients
end

print(net)
local adam = { learningRate = 3e-3 }
for step = 0, 500 do
   local _, losses = optim.adam(loss_and_gradient, parameters, adam)
   if step % 100 == 0 then
      print(('step %3d  loss %.6f'):format(step, losses[1]))
   end
end
print(('b is now %.3f'):format(net:get(4).weight[1]))

-- 3. Mistakes are named.
print(select(2, pcall(net.forward, net, torch.randn(4, 2))))
print(select(2, pcall(nn.Swish, 'one')))
