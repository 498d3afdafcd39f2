-- The sum and the product of two numbers, learnt by one net with two inputs and two outputs:
--
--     th examples/nngraph/train.lua

local torch = require 'torch'
local nn = require 'nn'
local nngraph = require 'nngraph'
local optim = require 'optim'

torch.manualSeed(1)

local function make_net()
   local a, b = nn.Identity()(), nn.Identity()()
   local both = { a, b } - nn.JoinTable(2)
   local hidden = both - nn.Linear(2, 32) - nn.Tanh()
   local sum = nn.Linear(2, 1)(both)
   local product = nn.Linear(32, 1)(hidden)
   nngraph.annotateNodes()
   return nn.gModule({ a, b }, { sum, product })
end

local net = make_net()
local criterion = nn.MSECriterion()
local parameters, gradients = net:getParameters()

local function step(config)
   local a, b = torch.rand(64, 1):mul(2):add(-1), torch.rand(64, 1):mul(2):add(-1)
   local targets = { a + b, torch.cmul(a, b) }
   local function feval()
      gradients:zero()
      local loss, output, gradOutput = 0, net:forward { a, b }, {}
      for i, target in ipairs(targets) do
         loss = loss + criterion:forward(output[i], target)
         gradOutput[i] = criterion:backward(output[i], target):clone()
      end
      net:backward({ a, b }, gradOutput)
      return loss, gradients
   end
   local _, losses = optim.adam(feval, parameters, config)
   return losses[1]
end

local config = { learningRate = 0.01 }
for i = 1, 2000 do
   local loss = step(config)
   if i % 500 == 0 then
      print(('step %4d  loss %.4f'):format(i, loss))
   end
end

for _, pair in ipairs { { 0.5, 0.5 }, { -0.5, 0.8 }, { 0.9, -0.1 } } do
   local a, b = torch.Tensor { { pair[1] } }, torch.Tensor { { pair[2] } }
   local output = net:forward { a, b }
   print(('%4.1f + %4.1f = %5.2f'):format(pair[1], pair[2], output[1][1][1]))
   print(('%4.1f * %4.1f = %5.2f'):format(pair[1], pair[2], output[2][1][1]))
end

local file = assert(io.open('net.dot', 'w'))
file:write(net.fg:todot 'sum and product')
file:close()
