--- Trains an LSTM to write text character by character; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local Progress = paths.dofile '../common/progress.lua'
local text = paths.dofile '../common/text.lua'

local opt = options.parse('Train an LSTM to write text.', {
   { 'text', '/usr/share/common-licenses/GPL-3', 'file to learn from' },
   { 'epochs', 30, 'passes over the text', options.whole(1) },
   { 'batchSize', 16, 'places of the text that are read side by side', options.whole(1) },
   { 'length', 50, 'characters over which gradients go back', options.whole(1) },
   { 'features', 32, 'numbers that stand for a character', options.whole(1) },
   { 'hidden', 128, 'units of a layer', options.whole(1) },
   { 'layers', 2, 'layers', options.whole(1) },
   { 'learningRate', 3e-3, "Adam's step", options.positive },
   { 'clip', 5, 'longest gradient', options.positive },
   { 'sample', 400, 'characters to write in the end', options.whole(0) },
   { 'temperature', 0.7, 'below 1: rather the likely ones', options.positive },
   options.threads, options.seed,
})

local data = text.load(opt.text, 0.1)
local lstm = nn.LSTM(opt.features, opt.hidden, opt.layers, true, true) -- with biases, batch first
local net = nn.Sequential()
   :add(nn.LookupTable(#data.symbols, opt.features))
   :add(lstm:remember()) -- each step goes on where the one before ended
   :add(nn.View(-1, opt.hidden))
   :add(nn.Linear(opt.hidden, #data.symbols)):float()
local criterion = nn.CrossEntropyCriterion():float()
local parameters, gradients = net:getParameters()
local x, y

local function loss_and_gradient()
   gradients:zero()
   local loss = criterion:forward(net:forward(x), y:view(-1))
   net:backward(x, criterion:backward(net.output, y:view(-1)))
   optim.clipGradNorm(gradients, opt.clip)
   return loss, gradients
end

local function test()
   local sum, count = 0, 0
   lstm:forget()
   for input, target in text.batches(data.test, 1, opt.length) do
      sum = sum + criterion:forward(net:forward(input), target:view(-1))
      count = count + 1
   end
   return sum / count
end

print(net)
print(('%d parameters, %d characters, %d of them different'):format(
   parameters:nElement(), data.train:size(1), #data.symbols))
local adam = { learningRate = opt.learningRate }
for epoch = 1, opt.epochs do
   local steps = math.floor(math.floor((data.train:size(1) - 1) / opt.batchSize) / opt.length)
   local progress = Progress.new(('epoch %2d'):format(epoch),
      steps * opt.batchSize * opt.length, 'characters')
   lstm:forget()
   for input, target in text.batches(data.train, opt.batchSize, opt.length) do
      x, y = input, target
      local _, losses = optim.adam(loss_and_gradient, parameters, adam)
      progress:add(x:nElement(), losses[1])
   end
end
print(('test loss: %.4f'):format(test()))

-- What it writes: each character is drawn, and read next.
lstm:forget()
local last, written = torch.LongTensor(1, 1):fill(data.numbers['\n'] or 1), {}
for i = 1, opt.sample do
   local number = text.draw(net:forward(last)[1], opt.temperature)
   written[i] = data.symbols[number]
   last:fill(number)
end
print(table.concat(written))
