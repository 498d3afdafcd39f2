local torch = require 'torch'
local cjson = require 'cjson'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local text = dataset.text
local data = 'test/data/dataset/' -- made by make_bpe.py there, with the package tokenizers of PyPI
local reference = shell.read(data .. 'text.txt')

local function load()
   return text.Bpe { vocab = data .. 'vocab.json', merges = data .. 'merges.txt' }
end

local function list(tensor)
   return tensor:dim() == 0 and {} or tensor:totable()
end

-- Texts of random bytes, of random parts of a text, and of both.
local function hostile(k)
   local parts = {}
   for j = 1, torch.random(0, 12) do
      local kind = (k + j) % 3
      if kind == 0 then
         parts[j] = string.char(torch.random(0, 255))
      elseif kind == 1 then
         local at = torch.random(1, #reference)
         parts[j] = reference:sub(at, at + torch.random(0, 20))
      else
         parts[j] = ("'\n \226\128\239\191"):sub(torch.random(1, 3), torch.random(3, 7))
      end
   end
   return table.concat(parts)
end

describe('dataset.text.Bpe', function()
   it('encodes as the package tokenizers does, by its files', function()
      local bpe = load()
      assert.equal(360, bpe:size())
      local count = 0
      for _, row in ipairs(cjson.decode(shell.read(data .. 'encodings.json'))) do
         local numbers = list(bpe:encode(row[1]))
         for k, number in ipairs(numbers) do
            numbers[k] = number - 1
         end
         assert.same(row[2], numbers, row[1])
         assert.equal(row[1], bpe:decode(bpe:encode(row[1])))
         count = count + 1
      end
      assert.equal(19, count)
   end)

   it('learns what the package tokenizers learns', function()
      local bpe = text.Bpe.train(reference, { size = 420 })
      local vocab, merges = os.tmpname(), os.tmpname()
      bpe:save(vocab, merges)
      assert.equal(shell.read(data .. 'merges.txt'), shell.read(merges))
      assert.same(cjson.decode(shell.read(data .. 'vocab.json')), cjson.decode(shell.read(vocab)))
      local again = text.Bpe { vocab = vocab, merges = merges }
      os.remove(vocab)
      os.remove(merges)
      assert.same(list(bpe:encode(reference)), list(again:encode(reference)))
   end)

   it('brings any bytes back', function()
      local bpe = load()
      torch.manualSeed(1)
      for k = 1, 500 do
         local bytes = hostile(k)
         assert.equal(bytes, bpe:decode(bpe:encode(bytes)))
      end
      local all = {}
      for byte = 0, 255 do
         all[byte + 1] = string.char(byte)
      end
      all = table.concat(all)
      assert.equal(all, bpe:decode(bpe:encode(all)))
      assert.equal(0, bpe:encode(''):nElement())
      assert.equal('', bpe:decode(torch.LongTensor()))
   end)

   it('merges long words in less than square time', function()
      local bpe = load()
      local word = ('batches'):rep(20000)
      local tokens = bpe:encode(word)
      assert.equal(word, bpe:decode(tokens))
      local clock = os.clock()
      bpe:encode(('workers'):rep(40000))
      assert.is_true(os.clock() - clock < 60) -- square time would take hours
   end)

   it('finds special tokens when asked', function()
      local bpe = text.Bpe { vocab = data .. 'vocab.json', merges = data .. 'merges.txt',
         special = { '<|end|>', '<|end|>!' } }
      assert.equal(362, bpe:size())
      local tokens = list(bpe:encode('worker<|end|>!<|end|> ', true))
      local n = #tokens
      assert.same({ 362, 361 }, { tokens[n - 2], tokens[n - 1] })
      assert.equal('worker<|end|>!<|end|> ', bpe:decode(tokens))
      for _, number in ipairs(list(bpe:encode 'x<|end|>')) do
         assert.is_true(number <= 360)
      end
      assert.equal('x<|end|>', bpe:decode(bpe:encode 'x<|end|>'))
   end)

   it('reaches workers', function()
      local bpe = text.Bpe.train('low lower lowest', { size = 260 })
      local loader = dataset.Loader { dataset = dataset.List { 'lower', 'low' }, workers = 1,
         batchSize = 2, collate = dataset.collate.pad(),
         transform = function(line) return { input = bpe:encode(line) } end }
      local batch = loader()()
      loader:stop()
      assert.same({ 3, 1 }, batch.lengths.input:totable())
      assert.equal('low', bpe:decode(batch.input[2]:narrow(1, 1, 1)))
   end)

   it('says what is wrong with its files and operands', function()
      local bpe = load()
      raises('decode: token 361 at place 2; tokens are 1 to 360', bpe.decode, bpe, { 1, 361 })
      raises('encode: wanted a string, got 3', bpe.encode, bpe, 3)
      raises('cannot read none: No such file', text.Bpe, { vocab = 'none', merges = 'none' })
      local path = os.tmpname()
      local function with(content, message)
         local file = io.open(path, 'w')
         file:write(content)
         file:close()
         raises(message, text.Bpe, { vocab = path, merges = data .. 'merges.txt' })
      end
      with('no json', 'is no JSON object')
      with('{"a": 0}', 'has no token for byte 0')
      with('{"a": 0, "b": 0}', "which is none or another one's")
      with('{"a": 0, "b": 2}', 'their numbers are not 0 to 1')
      local file = io.open(path, 'w')
      file:write '#version: 0.2\nh e\nzz q\n'
      file:close()
      raises("line 3: 'zz q' is no pair of tokens", text.Bpe,
         { vocab = data .. 'vocab.json', merges = path })
      os.remove(path)
      raises('size must be at least 256', text.Bpe.train, 'x', { size = 10 })
   end)
end)

describe('dataset.text.Characters', function()
   it('has a number for each character, also of UTF-8, also for other bytes', function()
      local characters = text.Characters { text = 'añ東a\255' }
      assert.same({ 'a', 'ñ', '東', '\255' }, characters.symbols)
      assert.same({ 2, 1, 4 }, list(characters:encode 'ña\255'))
      assert.equal('東ñ', characters:decode { 3, 2 })
      assert.equal(4, characters:size())
      raises("encode: 'x' at byte 3 is not in the vocabulary", characters.encode, characters, 'ñx')
      local known = text.Characters { symbols = { 'b', 'a' }, unknown = '?' }
      assert.same({ 2, 3, 1 }, list(known:encode 'axb'))
      assert.equal('a?b', known:decode(known:encode 'axb'))
      local all = text.Characters { text = reference }
      assert.equal(reference, all:decode(all:encode(reference)))
   end)
end)

describe('dataset.text.Words', function()
   it('has the most frequent words, and one for all others', function()
      local words = text.Words { text = "the cat, The dog: the end. It's 12!", most = 3 }
      assert.same({ 'the', '!', "'s", '<unk>' }, words.symbols)
      assert.equal(2, words.counts.the)
      assert.same({ 1, 4 }, list(words:encode 'the cow'))
      assert.equal('the <unk>', words:decode { 1, 4 })
      assert.same({ 'the', '<unk>' }, text.Words { text = 'The the x', lower = true, least = 2 }
         .symbols)
      assert.same({ 3, 1, 2 }, list(text.Words { words = { 'a', 'b' } }:encode 'x a b' ))
   end)
end)
