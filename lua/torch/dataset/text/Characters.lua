local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.text.common'
local unicode = require 'torch.dataset.text.unicode'

--- Text as characters: a number for each that occurs in a text, in order of their code. A byte that
-- is not UTF-8 counts as a character.
-- @tparam table options text: whose characters there are; or symbols: a list of them; unknown: a
-- symbol for others, which becomes the last number
-- @raise "dataset.text.Characters: encode: 'x' at byte 3 is not in the vocabulary"
-- @usage dataset.text.Characters{text = text}
-- @type dataset.text.Characters
-- @example
-- local text = require('torch.dataset').text
-- local characters = text.Characters { text = 'hello' }
-- characters.symbols --> { 'e', 'h', 'l', 'o' }
-- characters:encode 'hole' --> { 2, 4, 3, 1 }
-- characters:decode { 2, 1 } --> 'he'
local Characters = torch.class('dataset.text.Characters', common.module)

local NAME = 'dataset.text.Characters'

local function each(text, f)
   local at, length = 1, #text
   while at <= length do
      local _, bytes = unicode.character(text, at)
      f(text:sub(at, at + bytes - 1), at)
      at = at + bytes
   end
end

local function occurring(text)
   local known, symbols = {}, {}
   each(text, function(symbol)
      if not known[symbol] then
         known[symbol] = true
         symbols[#symbols + 1] = symbol
      end
   end)
   table.sort(symbols)
   return symbols
end

function Characters:__init(given)
   local read = options.read(NAME, given, {
      text = { 'text' }, symbols = { 'list' }, unknown = { 'text' },
   })
   if (read.text == nil) == (read.symbols == nil) then
      errors.raise(NAME .. ': give text, or symbols, and not both')
   end
   self.symbols, self.numbers = {}, {}
   for k, symbol in ipairs(read.symbols or occurring(read.text)) do
      self.symbols[k], self.numbers[symbol] = symbol, k
   end
   if read.unknown then
      self.unknown = self.numbers[read.unknown] or #self.symbols + 1
      self.symbols[self.unknown] = read.unknown
   end
end

--- How many numbers there are.
function Characters:size()
   return #self.symbols
end

--- A text's characters by number, a LongTensor.
function Characters:encode(text)
   local list = {}
   each(common.checkText(NAME .. ': encode', text), function(symbol, at)
      local number = self.numbers[symbol] or self.unknown
      if not number then
         errors.raise(("%s: encode: '%s' at byte %d is not in the vocabulary; unknown = '?' gives "
            .. 'such characters a number'):format(NAME, symbol:gsub('%c', '?'), at))
      end
      list[#list + 1] = number
   end)
   return common.tensor(list)
end

--- The text of numbers.
function Characters:decode(tokens)
   local parts = {}
   for k, number in ipairs(common.numbers(NAME, tokens, #self.symbols)) do
      parts[k] = self.symbols[number]
   end
   return table.concat(parts)
end

return Characters
