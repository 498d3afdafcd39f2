local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.text.common'
local split = require 'torch.dataset.text.split'

--- Text as words: the most frequent ones of a text have numbers, the first the most frequent; all
-- others are one number, that of `unknown`. Words are cut as GPT-2 cuts them, without spaces: a row
-- of letters, of digits, or of other signs.
-- @tparam table options text: whose words are counted, or words: a list of them; most: how many
-- words have numbers (all); least: how often a word must occur (1); lower: small letters of ASCII
-- (false); unknown: the name of what is not known ('<unk>', the last number)
-- @usage dataset.text.Words{text = text, most = 10000}
-- @type dataset.text.Words
-- @example
-- local text = require('torch.dataset').text
-- local words = text.Words { text = 'a cat and a dog', most = 2 }
-- words.symbols --> { 'a', 'and', '<unk>' }
-- words:encode 'a cat' --> { 1, 3 }
-- words:decode { 1, 3 } --> 'a <unk>'
local Words = torch.class('dataset.text.Words', common.module)

local NAME = 'dataset.text.Words'

--- Cut a text into words without spaces.
-- @return list of strings
function Words:split(text)
   local list = {}
   split.words(common.checkText(NAME, text), function(word)
      local bare = word:match '^%s*(.-)%s*$'
      if bare ~= '' then
         list[#list + 1] = self.lower and bare:lower() or bare
      end
   end)
   return list
end

-- The words of a list by frequency; words that are equally frequent in order of their bytes.
local function frequent(list, least)
   local counts, words = {}, {}
   for _, word in ipairs(list) do
      if not counts[word] then
         counts[word] = 0
         words[#words + 1] = word
      end
      counts[word] = counts[word] + 1
   end
   table.sort(words, function(a, b)
      return counts[a] > counts[b] or (counts[a] == counts[b] and a < b)
   end)
   for k = #words, 1, -1 do
      if counts[words[k]] >= least then
         break
      end
      words[k] = nil
   end
   return words, counts
end

function Words:__init(given)
   local read = options.read(NAME, given, {
      text = { 'text' }, words = { 'list' }, most = { 'count', math.huge },
      least = { 'count', 1 }, lower = { 'boolean', false }, unknown = { 'text', '<unk>' },
   })
   if (read.text == nil) == (read.words == nil) then
      errors.raise(NAME .. ': give text, or words, and not both')
   end
   self.lower, self.symbols, self.numbers = read.lower, {}, {}
   local words, counts = read.words, {}
   if read.text then
      words, counts = frequent(self:split(read.text), read.least)
   end
   for k = 1, math.min(#words, read.most) do
      self.symbols[k], self.numbers[words[k]] = words[k], k
   end
   self.counts = counts
   self.unknown = self.numbers[read.unknown] or #self.symbols + 1
   self.symbols[self.unknown] = read.unknown
end

--- How many numbers there are, that of unknown words included.
function Words:size()
   return #self.symbols
end

--- A text's words by number, a LongTensor.
function Words:encode(text)
   local list = self:split(text)
   for k, word in ipairs(list) do
      list[k] = self.numbers[word] or self.unknown
   end
   return common.tensor(list)
end

--- The words of numbers, with spaces between them.
function Words:decode(tokens)
   local parts = {}
   for k, number in ipairs(common.numbers(NAME, tokens, #self.symbols)) do
      parts[k] = self.symbols[number]
   end
   return table.concat(parts, ' ')
end

return Words
