--- Learns the sum and the product of two numbers by a net that is a graph; see README.md beside
-- this file.

local torch = require 'torch'
local nn = require 'nn'
local nngraph = require 'nngraph'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'

local opt = options.parse('Learn sums and products by a net that is a graph.', {
   { 'steps', 2000, 'training steps', options.whole(1) },
   { 'learningRate', 0.01, "Adam's step", options.positive },
   { 'graph', 'net.dot', 'the net, for the programs of graphviz', options.writable },
   options.seed,
})

local a, b = nn.Identity()(), nn.Identity()()
local both = { a, b } - nn.JoinTable(2)
local hidden = both - nn.Linear(2, 32) - nn.Tanh()
local sum = nn.Linear(2, 1)(both)
local product = nn.Linear(32, 1)(hidden)
nngraph.annotateNodes()
local net = nn.gModule({ a, b }, { sum, product })

local file = assert(io.open(opt.graph, 'w'))
file:write(net.fg:todot 'sum and product')
file:close()
print('written: ' .. opt.graph)

local criterion = nn.ParallelCriterion():add(nn.MSECriterion()):add(nn.MSECriterion())
local parameters, gradients = net:getParameters()
local config = { learningRate = opt.learningRate }

local function numbers()
   return torch.rand(64, 1) * 2 - 1
end

for step = 1, opt.steps do
   local inputs = { numbers(), numbers() }
   local targets = { inputs[1] + inputs[2], torch.cmul(inputs[1], inputs[2]) }
   local _, losses = optim.adam(function()
      gradients:zero()
      local loss = criterion:forward(net:forward(inputs), targets)
      net:backward(inputs, criterion:backward(net.output, targets))
      return loss, gradients
   end, parameters, config)
   if step % 500 == 0 then
      print(('step %4d  loss %.4f'):format(step, losses[1]))
   end
end

for _, pair in ipairs { { 0.5, 0.5 }, { -0.5, 0.8 }, { 0.9, -0.1 } } do
   local x, y = unpack(pair)
   local output = net:forward { torch.Tensor { { x } }, torch.Tensor { { y } } }
   print(('%4.1f + %4.1f = %5.2f'):format(x, y, output[1][1][1]))
   print(('%4.1f * %4.1f = %5.2f'):format(x, y, output[2][1][1]))
end
