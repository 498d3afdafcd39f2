--- Text cut into words as GPT-2 does, before pairs are merged within each:
--
--    's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
--
-- A word keeps the space before it. Source: the expression in the release of GPT-2 (Radford et al.,
-- "Language models are unsupervised multitask learners", 2019).
-- @module torch.dataset.text.split
local unicode = require 'torch.dataset.text.unicode'

local character, class = unicode.character, unicode.class
local SPACE, OTHER = unicode.SPACE, unicode.OTHER

local M = {}

local BLANK, APOSTROPHE = 32, 39
local ENDINGS = { 's', 't', 're', 've', 'm', 'll', 'd' }

local function kindAt(text, at)
   local code, bytes = character(text, at)
   return code < 0 and OTHER or class(code), bytes
end

-- The end of a row of characters of one class that begins at `at`.
local function runEnd(text, at, kind)
   local length = #text
   while at <= length do
      local other, bytes = kindAt(text, at)
      if other ~= kind then
         break
      end
      at = at + bytes
   end
   return at
end

-- The end of the white space that begins at `at`: all of it at the text's end, otherwise without
-- its last character, which belongs to the next word, unless it is the only one.
local function spaceEnd(text, at)
   local from, last = at, at
   local length = #text
   while at <= length do
      local kind, bytes = kindAt(text, at)
      if kind ~= SPACE then
         return last > from and last or at
      end
      last, at = at, at + bytes
   end
   return at
end

local function contraction(text, at)
   for _, ending in ipairs(ENDINGS) do
      if text:sub(at + 1, at + #ending) == ending then
         return at + 1 + #ending
      end
   end
   return nil
end

--- Call word(piece) for each word; together they are the text.
-- @string text any bytes
-- @param word function
function M.words(text, word)
   local at, length = 1, #text
   while at <= length do
      local first = text:byte(at)
      local stop = first == APOSTROPHE and contraction(text, at)
      if not stop then
         local kind = kindAt(text, at)
         if first == BLANK and at < length then
            local following = kindAt(text, at + 1)
            stop = following ~= SPACE and runEnd(text, at + 1, following) or nil
         end
         if not stop then
            stop = kind == SPACE and spaceEnd(text, at) or runEnd(text, at, kind)
         end
      end
      word(text:sub(at, stop - 1))
      at = stop
   end
end

return M
