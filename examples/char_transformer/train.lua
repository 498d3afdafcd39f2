--- Trains a Transformer to write text character by character; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local Progress = paths.dofile '../common/progress.lua'
local text = paths.dofile '../common/text.lua'

local opt = options.parse('Train a Transformer to write text.', {
   { 'text', '/usr/share/common-licenses/GPL-3', 'file to learn from' },
   { 'epochs', 30, 'passes over the text', options.whole(1) },
   { 'batchSize', 16, 'places of the text that are read side by side', options.whole(1) },
   { 'length', 64, 'characters that it sees at a time', options.whole(1) },
   { 'features', 128, 'numbers that stand for a character in its place', options.whole(1) },
   { 'layers', 2, 'layers', options.whole(1) },
   { 'heads', 4, 'heads of an attention', options.whole(1) },
   { 'dropout', 0.1, 'share of features that are dropped', options.share },
   { 'learningRate', 1e-3, "Adam's step", options.positive },
   { 'sample', 400, 'characters to write in the end', options.whole(0) },
   { 'temperature', 0.7, 'below 1: rather the likely ones', options.positive },
   options.threads, options.seed,
})

local data = text.load(opt.text, 0.1)
local net = nn.Sequential()
   :add(nn.LookupTable(#data.symbols, opt.features))
   :add(nn.LearnedPositions(opt.length, opt.features))
   :add(nn.TransformerEncoder(opt.layers, opt.features, opt.heads, 4 * opt.features, opt.dropout,
      true, true)) -- normalised in front, causal
   :add(nn.View(-1, opt.features))
   :add(nn.Linear(opt.features, #data.symbols)):float()
local criterion = nn.CrossEntropyCriterion():float()
local parameters, gradients = net:getParameters()
local x, y

local function loss_and_gradient()
   gradients:zero()
   local loss = criterion:forward(net:forward(x), y:view(-1))
   net:backward(x, criterion:backward(net.output, y:view(-1)))
   return loss, gradients
end

local function test()
   local sum, count = 0, 0
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
net:training()
for epoch = 1, opt.epochs do
   -- The windows lie elsewhere in each epoch, so that all characters are seen in all places.
   local skipped = torch.random(0, opt.length - 1)
   local numbers = data.train:narrow(1, 1 + skipped, data.train:size(1) - skipped)
   local steps = math.floor(math.floor((numbers:size(1) - 1) / opt.batchSize) / opt.length)
   local progress = Progress.new(('epoch %2d'):format(epoch),
      steps * opt.batchSize * opt.length, 'characters')
   for input, target in text.batches(numbers, opt.batchSize, opt.length) do
      x, y = input, target
      local _, losses = optim.adam(loss_and_gradient, parameters, adam)
      progress:add(x:nElement(), losses[1])
   end
end
net:evaluate()
print(('test loss: %.4f'):format(test()))

-- What it writes: each character is drawn from what the last ones lead to.
local written = { data.numbers['\n'] or 1 }
for i = 1, opt.sample do
   local seen = torch.LongTensor({ unpack(written, math.max(1, i - opt.length + 1)) })
   local scores = net:forward(seen:view(1, -1))
   written[i + 1] = text.draw(scores[scores:size(1)], opt.temperature)
end
for i, number in ipairs(written) do
   written[i] = data.symbols[number]
end
print(table.concat(written, '', 2))
