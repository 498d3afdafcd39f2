--- Byte pairs learnt from a text: the most frequent pair of neighbours becomes a token, again and
-- again (Sennrich, Haddow and Birch, "Neural machine translation of rare words with subword units",
-- 2016). Of equally frequent pairs, the one whose tokens came first is taken.
-- @module torch.dataset.text.train
local split = require 'torch.dataset.text.split'

local M = {}

-- Different words of a text, and how often each occurs.
local function countWords(text)
   local counts, words = {}, {}
   split.words(text, function(word)
      if not counts[word] then
         counts[word] = 0
         words[#words + 1] = word
      end
      counts[word] = counts[word] + 1
   end)
   return words, counts
end

local SHIFT = 2 ^ 26 -- a pair of numbers as one

local function change(pairs_, where, pair, by, word)
   pairs_[pair] = (pairs_[pair] or 0) + by
   if by > 0 then
      where[pair] = where[pair] or {}
      where[pair][word] = true
   end
end

-- The most frequent pair; nil for none that occurs often enough.
local function best(pairs_, least)
   local found, most = nil, least - 1
   for pair, count in pairs(pairs_) do
      if count > most or (count == most and found and pair < found) then
         found, most = pair, count
      end
   end
   return found
end

--- Learn pairs.
-- @string text
-- @tparam table tokens list of the tokens that there are: the 256 bytes; what is learnt is added
-- @tparam table numberOf byte -> its number
-- @number size how many tokens there may be
-- @number least how often a pair must occur
-- @return list of pairs of numbers, in the order in which they were learnt
function M.learn(text, tokens, numberOf, size, least)
   local words, counts = countWords(text)
   local rows, pairCounts, where = {}, {}, {}
   for w, word in ipairs(words) do
      local row = {}
      for k = 1, #word do
         row[k] = numberOf[word:byte(k)]
      end
      rows[w] = row
      for k = 1, #row - 1 do
         change(pairCounts, where, row[k] * SHIFT + row[k + 1], counts[word], w)
      end
   end
   local merges = {}
   while #tokens < size do
      local pair = best(pairCounts, least)
      if not pair then
         break
      end
      local left = math.floor(pair / SHIFT)
      local right = pair - left * SHIFT
      merges[#merges + 1] = { left, right }
      tokens[#tokens + 1] = tokens[left] .. tokens[right]
      local merged = #tokens
      local affected = where[pair]
      for w in pairs(affected) do
         local row, count, new = rows[w], counts[words[w]], {}
         for k = 1, #row - 1 do
            change(pairCounts, where, row[k] * SHIFT + row[k + 1], -count, w)
         end
         local k = 1
         while k <= #row do
            if row[k] == left and row[k + 1] == right then
               new[#new + 1], k = merged, k + 2
            else
               new[#new + 1], k = row[k], k + 1
            end
         end
         rows[w] = new
         for j = 1, #new - 1 do
            change(pairCounts, where, new[j] * SHIFT + new[j + 1], count, w)
         end
      end
      pairCounts[pair], where[pair] = nil, nil
   end
   return merges
end

return M
