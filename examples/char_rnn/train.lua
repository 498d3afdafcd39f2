--- Trains an LSTM to write text character by character; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local model = paths.dofile '../common/language_model.lua'
local text = paths.dofile '../common/text.lua'

local opt = options.parse('Train an LSTM to write text.', {
   model.options.text,
   { 'epochs', 30, 'passes over the text', options.whole(1) },
   model.options.batchSize,
   { 'length', 50, 'characters over which gradients go back', options.whole(1) },
   { 'features', 32, 'numbers that stand for a character', options.whole(1) },
   { 'hidden', 128, 'units of a layer', options.whole(1) },
   { 'layers', 2, 'layers', options.whole(1) },
   { 'learningRate', 3e-3, "Adam's step", options.positive },
   model.options.clip, model.options.accumulate, model.options.precision, model.options.plot,
   { 'sample', 400, 'characters to write in the end', options.whole(0) },
   model.options.temperature,
   options.threads, options.seed, options.folder,
})

local data = text.load(opt.text, 0.1)
local lstm = nn.LSTM(opt.features, opt.hidden, opt.layers, true, true) -- with biases, batch first
local net = nn.Sequential()
   :add(nn.LookupTable(#data.symbols, opt.features))
   :add(lstm:remember()) -- each step goes on where the one before ended
   :add(nn.View(-1, opt.hidden))
   :add(nn.Linear(opt.hidden, #data.symbols))

model.train(net, data, opt, function(numbers)
   lstm:forget() -- the text begins anew
   return numbers
end)

-- What it writes: each character is drawn, and read next.
lstm:forget()
local last, written = torch.LongTensor(1, 1):fill(data.numbers['\n'] or 1), {}
for i = 1, opt.sample do
   local number = text.draw(net:forward(last)[1], opt.temperature)
   written[i] = data.symbols[number]
   last:fill(number)
end
print(table.concat(written))
