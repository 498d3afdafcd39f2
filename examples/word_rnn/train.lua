--- Trains an LSTM to write text word by word; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local model = paths.dofile '../common/language_model.lua'
local text = paths.dofile '../common/text.lua'

local LICENSES = {}
for name in ('GPL-1 GPL-2 LGPL-2.1 GFDL-1.3 MPL-1.1 MPL-2.0 Apache-2.0 GPL-3'):gmatch '%S+' do
   LICENSES[#LICENSES + 1] = '/usr/share/common-licenses/' .. name
end

local opt = options.parse('Train an LSTM to write words.', {
   { 'text', table.concat(LICENSES, ','), 'files to learn from, separated by commas' },
   { 'epochs', 12, 'passes over the text', options.whole(1) },
   model.options.batchSize,
   { 'length', 25, 'words over which gradients go back', options.whole(1) },
   { 'features', 128, 'numbers that stand for a word, and units of a layer', options.whole(1) },
   { 'layers', 1, 'layers', options.whole(1) },
   { 'dropout', 0.4, 'share of features that are dropped', options.share },
   { 'learningRate', 5e-3, "Adam's step at first; it falls as a cosine", options.positive },
   model.options.clip, model.options.accumulate, model.options.precision, model.options.plot,
   { 'sample', 60, 'words to write in the end', options.whole(0) },
   model.options.temperature,
   options.threads, options.seed, options.folder,
})
opt.schedule = optim.schedule.cosine(opt.epochs)

local data = text.words(opt.text, 0.1)
local words = data.vocabulary
local lstm = nn.LSTM(opt.features, opt.features, opt.layers, true, true) -- biases, batch first
local net = nn.Sequential()
   :add(nn.LookupTable(#words.symbols, opt.features))
   :add(nn.Dropout(opt.dropout))
   :add(lstm:remember())
   :add(nn.View(-1, opt.features))
   :add(nn.Dropout(opt.dropout))
   :add(nn.Linear(opt.features, #words.symbols))

local loss = model.train(net, data, opt, function(numbers)
   lstm:forget()
   return numbers
end)
print(('perplexity: %.1f'):format(math.exp(loss)))

-- What it writes: each word is drawn, and read next.
net:evaluate()
lstm:forget()
local unknown = #words.symbols
local last, written = torch.LongTensor(1, 1):fill(words:encode('the')[1]), {}
for i = 1, opt.sample do
   local scores = net:forward(last)[1]
   scores[unknown] = -math.huge -- it has no text
   written[i] = text.draw(scores, opt.temperature)
   last:fill(written[i])
end
print(words:decode(written))
