local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.dataset.options'
local common = require 'torch.dataset.text.common'
local merging = require 'torch.dataset.text.merges'
local split = require 'torch.dataset.text.split'
local training = require 'torch.dataset.text.train'
local unicode = require 'torch.dataset.text.unicode'

--- Text as byte pairs, in GPT-2's form: any bytes become tokens and back, exactly.
--
-- The vocabulary is that of two files as GPT-2 has them: `vocab.json` (token -> number) and
-- `merges.txt` (pairs, the first ones first), in which a byte that is no visible character of
-- Latin-1 stands as the character 256 + k. Numbers are those of the file plus 1, so that they are
-- rows of a look-up table. Special tokens are found in texts when `encode` is told so.
-- @tparam table options vocab, merges: the files' paths; special: list of tokens such as
-- {'<|endoftext|>'}; those that are not in the file get the next numbers
-- @raise "dataset.text.Bpe: vocab.json has no token for byte 65"; "... merges.txt, line 7: ..."
-- @usage dataset.text.Bpe{vocab = 'vocab.json', merges = 'merges.txt'}
-- @type dataset.text.Bpe
local Bpe = torch.class('dataset.text.Bpe', common.module)

local NAME = 'dataset.text.Bpe'
local CACHED = 2 ^ 16 -- words whose tokens are remembered

-- byte -> the character that stands for it in the files, and back.
local symbolOf, byteOf = {}, {}
do
   local next = 256
   for byte = 0, 255 do
      local code = byte
      if not ((byte >= 33 and byte <= 126) or (byte >= 161 and byte <= 172) or byte >= 174) then
         code, next = next, next + 1
      end
      symbolOf[byte] = unicode.encode(code)
      byteOf[symbolOf[byte]] = byte
   end
end

-- Bytes as the files write them.
local function written(bytes)
   return (bytes:gsub('.', function(c)
      return symbolOf[c:byte()]
   end))
end

-- The bytes of a token of the files; nil where it has other characters, as special ones may.
local function bytesOf(token)
   local parts, at = {}, 1
   while at <= #token do
      local _, length = unicode.character(token, at)
      local byte = byteOf[token:sub(at, at + length - 1)]
      if not byte then
         return nil
      end
      parts[#parts + 1] = string.char(byte)
      at = at + length
   end
   return table.concat(parts)
end

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
      options.check(NAME, 'a special token', token, 'text')
      local number = self.numbers[token]
      if not number then
         number = #self.tokens + 1
         self.tokens[number], self.numbers[token] = token, number
      end
      self.special[token] = number
   end
end

local function readVocabulary(path)
   local ok, json = pcall(require, 'cjson')
   if not ok then
      errors.raise(NAME .. ': JSON is read by lua-cjson, which is not installed (Debian: apt-get '
         .. 'install lua-cjson)')
   end
   local decoded, vocabulary = pcall(json.decode, common.read(NAME, path))
   if not decoded or type(vocabulary) ~= 'table' then
      errors.raise(('%s: %s is no JSON object: %s'):format(NAME, path, tostring(vocabulary)))
   end
   local tokens, count = {}, 0
   for token, number in pairs(vocabulary) do
      if type(token) ~= 'string' or type(number) ~= 'number' or number < 0 or number % 1 ~= 0
         or tokens[number + 1] then
         errors.raise(('%s: %s: the token %s has the number %s, which is none or another one\'s')
            :format(NAME, path, tostring(token), tostring(number)))
      end
      tokens[number + 1], count = bytesOf(token) or token, count + 1
   end
   if #tokens ~= count then
      errors.raise(('%s: %s: %d tokens, but their numbers are not 0 to %d'):format(NAME, path,
         count, count - 1))
   end
   return tokens
end

-- Ranks by the bytes of left and right, of the lines of merges.txt.
local function readMerges(path, known)
   local ranks, rank, line = {}, 0, 0
   for text in (common.read(NAME, path) .. '\n'):gmatch '(.-)\r?\n' do
      line = line + 1
      if text ~= '' and not (line == 1 and text:match '^#version') then
         local a, b = text:match '^(%S+) (%S+)$'
         local left, right = a and bytesOf(a), b and bytesOf(b)
         if not left or not right or not known[left .. right] then
            errors.raise(("%s: %s, line %d: '%s' is no pair of tokens that makes a third one")
               :format(NAME, path, line, text))
         end
         ranks[left] = ranks[left] or {}
         if not ranks[left][right] then
            rank = rank + 1
            ranks[left][right] = rank
         end
      end
   end
   return ranks
end

function Bpe:__init(given)
   local read = options.read(NAME, given, {
      vocab = { 'text', required = true }, merges = { 'text', required = true },
      special = { 'list', {} },
   })
   fill(self, readVocabulary(read.vocab), {})
   for byte = 0, 255 do
      if not self.numbers[string.char(byte)] then
         errors.raise(('%s: %s has no token for byte %d (%s)'):format(NAME, read.vocab, byte,
            symbolOf[byte]))
      end
   end
   self.ranks = readMerges(read.merges, self.numbers)
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
      local x, y = symbolOf[a], symbolOf[b]
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
   local entries = {}
   for number, bytes in ipairs(self.tokens) do
      local token = self.special[bytes] and bytes or written(bytes)
      entries[number] = ('"%s": %d'):format(token:gsub('[\\"]', '\\%0'):gsub('%c', function(c)
         return ('\\u%04x'):format(c:byte())
      end), number - 1)
   end
   common.write(NAME, vocab, '{' .. table.concat(entries, ', ') .. '}\n')
   local lines = {}
   for left, row in pairs(self.ranks) do
      for right, rank in pairs(row) do
         lines[rank] = written(left) .. ' ' .. written(right)
      end
   end
   common.write(NAME, merges, '#version: 0.2\n' .. table.concat(lines, '\n') .. '\n')
end

return Bpe
