local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.text.common'
local gpt2 = require 'torch.dataset.text.gpt2'
local merging = require 'torch.dataset.text.merges'
local split = require 'torch.dataset.text.split'
local training = require 'torch.dataset.text.train'

--- Text as byte pairs, in GPT-2's form: any bytes become tokens and back, exactly.
--
-- The vocabulary is that of two files as GPT-2 has them: `vocab.json` (token -> number) and
-- `merges.txt` (pairs, the first ones first), in which a byte that is no visible character of
-- Latin-1 stands as the character 256 + k. Numbers are those of the file plus 1, so that they are
-- rows of a look-up table. Special tokens are found in texts when `encode` is told so.
-- @tparam table options vocab, merges: the files' paths; special: list of tokens such as
-- {'<|endoftext|>'}, beside those in the file that no pairs make; new ones get the next numbers
-- @raise "dataset.text.Bpe: vocab.json has no token for byte 65"; "... merges.txt, line 7: ..."
-- @usage dataset.text.Bpe{vocab = 'vocab.json', merges = 'merges.txt'}
-- @type dataset.text.Bpe
local Bpe = torch.class('dataset.text.Bpe', common.module)

local NAME = 'dataset.text.Bpe'
local CACHED = 2 ^ 16 -- words whose tokens are remembered

-- An empty tokeniser with tokens (list of bytes) and ranks of pairs.
local function fill(self, tokens, ranks)
   self.tokens, self.ranks, self.numbers = tokens, ranks, {}
   self.special, self.cache, self.cached = {}, {}, 0
   for number, bytes in pairs(tokens) do
      self.numbers[bytes] = number
   end
   return self
end

local function addSpecial(self, list)
   for _, token in ipairs(list) do
      options.value(NAME, 'a special token', token, 'text')
      local number = self.numbers[token]
      if not number then
         number = #self.tokens + 1
         self.tokens[number], self.numbers[token] = token, number
      end
      self.special[token] = number
   end
end

-- Tokens that no bytes are merged to can only be special ones.
local function findSpecial(self)
   local merged = {}
   for left, row in pairs(self.ranks) do
      for right in pairs(row) do
         merged[left .. right] = true
      end
   end
   for number, bytes in ipairs(self.tokens) do
      if #bytes > 1 and not merged[bytes] then
         self.special[bytes] = number
      end
   end
end

function Bpe:__init(given)
   local read = options.read(NAME, given, {
      vocab = { 'text', required = true }, merges = { 'text', required = true },
      special = { 'list', {} },
   })
   fill(self, gpt2.readVocabulary(read.vocab), {})
   for byte = 0, 255 do
      if not self.numbers[string.char(byte)] then
         errors.raise(('%s: %s has no token for byte %d (%s)'):format(NAME, read.vocab, byte,
            gpt2.symbolOf[byte]))
      end
   end
   self.ranks = gpt2.readMerges(read.merges, self.numbers)
   findSpecial(self)
   addSpecial(self, read.special)
end

--- How many tokens there are.
function Bpe:size()
   return #self.tokens
end

-- The numbers of a word's tokens.
local function encodeWord(self, word)
   local known = self.cache[word]
   if known then
      return known
   end
   local pieces = {}
   for k = 1, #word do
      pieces[k] = word:sub(k, k)
   end
   local list = merging.merge(pieces, self.ranks)
   for k, piece in ipairs(list) do
      list[k] = self.numbers[piece]
   end
   if self.cached >= CACHED then
      self.cache, self.cached = {}, 0
   end
   self.cache[word], self.cached = list, self.cached + 1
   return list
end

local function encodePlain(self, text, list)
   split.words(text, function(word)
      for _, number in ipairs(encodeWord(self, word)) do
         list[#list + 1] = number
      end
   end)
end

-- The special token that comes first from a place on; of those at one place the longest.
local function nextSpecial(self, text, at)
   local from, found
   for token in pairs(self.special) do
      local place = text:find(token, at, true)
      if place and (not from or place < from or (place == from and #token > #found)) then
         from, found = place, token
      end
   end
   return from, found
end

--- A text's tokens by number, a LongTensor.
-- @string text any bytes
-- @bool[opt=false] special whether special tokens in the text stand for themselves
-- @usage bpe:encode(text [, special]) -> LongTensor
function Bpe:encode(text, special)
   common.checkText(NAME .. ': encode', text)
   local list, at = {}, 1
   while special do
      local from, token = nextSpecial(self, text, at)
      if not from then
         break
      end
      encodePlain(self, text:sub(at, from - 1), list)
      list[#list + 1] = self.special[token]
      at = from + #token
   end
   encodePlain(self, text:sub(at), list)
   return common.tensor(list)
end

--- The text of tokens.
-- @usage bpe:decode(tokens) -> string
function Bpe:decode(tokens)
   local parts = {}
   for k, number in ipairs(common.numbers(NAME, tokens, #self.tokens)) do
      parts[k] = self.tokens[number]
   end
   return table.concat(parts)
end

--- Learn a vocabulary: the 256 bytes, then the most frequent pair of neighbours within words, again
-- and again. For texts of some megabytes.
-- @string text
-- @tparam table options size: how many tokens, special ones included; least: how often a pair must
-- occur (2); special: list of tokens ({})
-- @usage dataset.text.Bpe.train(text, {size = 1000}) -> Bpe
-- @example
-- local text = require('torch.dataset').text
-- local bpe = text.Bpe.train('aa aa ab', { size = 257 })
-- bpe:encode('aa'):size(1) --> 1
-- bpe:decode(bpe:encode 'aaba') --> 'aaba'
function Bpe.train(text, given)
   local name = 'dataset.text.Bpe.train'
   common.checkText(name, text)
   local read = options.read(name, given, {
      size = { 'count', required = true }, least = { 'count', 2 }, special = { 'list', {} },
   })
   if read.size < 256 + #read.special then
      errors.raise(('%s: size must be at least 256 and the special tokens, got %d'):format(name,
         read.size))
   end
   -- In the order of the characters that stand for the bytes, as GPT-2's vocabulary begins.
   local bytes = {}
   for byte = 0, 255 do
      bytes[byte + 1] = byte
   end
   table.sort(bytes, function(a, b)
      local x, y = gpt2.symbolOf[a], gpt2.symbolOf[b]
      return #x < #y or (#x == #y and x < y)
   end)
   local tokens, numberOf = {}, {}
   for k, byte in ipairs(bytes) do
      tokens[k], numberOf[byte] = string.char(byte), k
   end
   local pairs_ = training.learn(text, tokens, numberOf, read.size - #read.special, read.least)
   local ranks = {}
   for rank, pair in ipairs(pairs_) do
      local left = tokens[pair[1]]
      ranks[left] = ranks[left] or {}
      ranks[left][tokens[pair[2]]] = rank
   end
   local self = fill(torch.factory(NAME)(), tokens, ranks)
   addSpecial(self, read.special)
   return self
end

--- Write the vocabulary in GPT-2's two files.
-- @string vocab path, such as 'vocab.json'
-- @string merges path, such as 'merges.txt'
-- @usage bpe:save(vocab, merges)
function Bpe:save(vocab, merges)
   gpt2.writeVocabulary(vocab, self.tokens, self.special)
   gpt2.writeMerges(merges, self.ranks)
end

return Bpe
