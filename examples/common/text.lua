--- A text as numbers: one class for each character that occurs in it, or for each word.

local torch = require 'torch'
local paths = require 'paths'
local dataset = require 'torch.dataset'
local options = paths.dofile 'options.lua'

local text = {}

local function contents(path)
   local file, reason = io.open(path, 'rb')
   if not file then
      options.refuse('--text: cannot read %s', reason)
   end
   local characters, unreadable = file:read '*a'
   file:close()
   if not characters or characters == '' then
      options.refuse('--text: %s', unreadable and ('cannot read %s: %s'):format(path, unreadable)
         or path .. ' is empty')
   end
   return characters
end

--- A text by characters.
-- @string path
-- @number share how much of it, from its end, is kept for the test
-- @treturn table symbols (the characters, by number), numbers (the other way round), train and test
-- (LongTensors of numbers)
function text.load(path, share)
   local characters = contents(path)
   local vocabulary = dataset.text.Characters { text = characters }
   local all = vocabulary:encode(characters)
   local count = math.floor(all:size(1) * (1 - share))
   if count == 0 then
      options.refuse('--text: %s has a single character', path)
   end
   return {
      symbols = vocabulary.symbols,
      numbers = vocabulary.numbers,
      train = all:narrow(1, 1, count),
      test = all:narrow(1, count + 1, all:size(1) - count),
   }
end

--- A text by words: those that occur at least twice in the part to learn from, and one class for
-- all others.
-- @string files separated by commas; their texts follow each other
-- @number share as for `load`
-- @treturn table as of `load`, and vocabulary (a dataset.text.Words)
function text.words(files, share)
   local parts = {}
   for path in files:gmatch '[^,]+' do
      parts[#parts + 1] = contents(path)
   end
   if #parts == 0 then
      options.refuse "--text is '', expected files, separated by commas"
   end
   local all = table.concat(parts, '\n')
   local count = math.floor(#all * (1 - share))
   local vocabulary = dataset.text.Words { text = all:sub(1, count), least = 2, lower = true }
   return {
      symbols = vocabulary.symbols, vocabulary = vocabulary,
      train = vocabulary:encode(all:sub(1, count)), test = vocabulary:encode(all:sub(count + 1)),
   }
end

-- How many symbols each of the parts has that are read side by side.
local function part_of(numbers, size, length)
   local count = numbers:dim() > 0 and numbers:size(1) or 0
   local part = math.floor((count - 1) / size)
   if part < length then
      options.refuse('--text: %d symbols are too few for %d parts of %d', count, size, length)
   end
   return part
end

--- Iterate over the steps of training: `for x, y in text.batches(data.train, size, length) do`.
-- The text is cut into `size` equal parts, read side by side; each step goes on where the one
-- before ended. What does not fill a step is left out.
-- @treturn function iterator of x and y, LongTensors size x length: y is one symbol further on
function text.batches(numbers, size, length)
   local part = part_of(numbers, size, length)
   local xs = numbers:narrow(1, 1, size * part):view(size, part)
   local ys = numbers:narrow(1, 2, size * part):view(size, part)
   local first = 1 - length
   return function()
      first = first + length
      if first + length - 1 <= part then
         return xs:narrow(2, first, length):contiguous(), ys:narrow(2, first, length):contiguous()
      end
   end
end

--- How many steps `batches` makes, at least one.
function text.steps(numbers, size, length)
   return math.floor(part_of(numbers, size, length) / length)
end

--- Draw a symbol.
-- @tparam Tensor scores of all symbols
-- @number temperature below 1: rather the likely ones
-- @treturn int its number
function text.draw(scores, temperature)
   local p = torch.div(scores, temperature)
   return torch.multinomial(p:add(-p:max()):exp(), 1)[1]
end

return text
