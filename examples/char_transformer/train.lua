--- Trains a Transformer to write text character by character; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local model = paths.dofile '../common/language_model.lua'
local text = paths.dofile '../common/text.lua'

local opt = options.parse('Train a Transformer to write text.', {
   model.options.text,
   { 'epochs', 30, 'passes over the text', options.whole(1) },
   model.options.batchSize,
   { 'length', 64, 'characters that it sees at a time', options.whole(1) },
   { 'features', 128, 'numbers that stand for a character in its place', options.whole(1) },
   { 'layers', 2, 'layers', options.whole(1) },
   { 'heads', 4, 'heads of an attention', options.whole(1) },
   { 'dropout', 0.1, 'share of features that are dropped', options.share },
   { 'learningRate', 1e-3, "Adam's step", options.positive },
   model.options.accumulate, model.options.precision, model.options.plot,
   { 'sample', 400, 'characters to write in the end', options.whole(0) },
   model.options.temperature,
   options.threads, options.seed, options.folder,
})

if opt.features % opt.heads ~= 0 then
   options.refuse('--heads is %d, which does not divide --features, %d', opt.heads, opt.features)
end

local data = text.load(opt.text, 0.1)
local net = nn.Sequential()
   :add(nn.LookupTable(#data.symbols, opt.features))
   :add(nn.LearnedPositions(opt.length, opt.features))
   :add(nn.TransformerEncoder(opt.layers, opt.features, opt.heads, 4 * opt.features, opt.dropout,
      true, true)) -- normalised in front, causal
   :add(nn.View(-1, opt.features))
   :add(nn.Linear(opt.features, #data.symbols))

model.train(net, data, opt, function(numbers)
   -- The windows lie elsewhere in each epoch, so that all characters are seen in all places.
   local skipped = net.train == false and 0 or torch.random(0, opt.length - 1)
   return numbers:narrow(1, 1 + skipped, numbers:size(1) - skipped)
end)
net:evaluate()

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
