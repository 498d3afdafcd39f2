--- The files of GPT-2's vocabulary: `vocab.json` and `merges.txt`.
--
-- A byte that is no visible character of Latin-1 stands in them as the character 256 + k, for the
-- k-th such byte from 0.
-- @module torch.dataset.text.gpt2
local errors = require 'torch.errors'
local file_text = require('torch.dataset.reader.bytes').text
local common = require 'torch.dataset.text.common'
local unicode = require 'torch.dataset.text.unicode'

local M = {}

local NAME = 'dataset.text.Bpe'

-- byte -> the character that stands for it in the files, and back.
local symbolOf, byteOf = {}, {}
M.symbolOf = symbolOf
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

--- Bytes as the files write them.
function M.written(bytes)
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

--- The tokens of vocab.json.
-- @return list of bytes, by number from 1
function M.readVocabulary(path)
   local ok, json = pcall(require, 'cjson')
   if not ok then
      errors.raise(NAME .. ': JSON is read by lua-cjson, which is not installed (Debian: apt-get '
         .. 'install lua-cjson)')
   end
   local decoded, vocabulary = pcall(json.decode, file_text(NAME, path))
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

--- The pairs of merges.txt.
-- @param known bytes -> number of their token
-- @return left -> right -> rank, by bytes
function M.readMerges(path, known)
   local ranks, rank, line = {}, 0, 0
   for text in (file_text(NAME, path) .. '\n'):gmatch '(.-)\r?\n' do
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

--- Write vocab.json.
function M.writeVocabulary(path, tokens, special)
   local entries = {}
   for number, bytes in ipairs(tokens) do
      local token = special[bytes] and bytes or M.written(bytes)
      entries[number] = ('"%s": %d'):format(token:gsub('[\\"]', '\\%0'):gsub('%c', function(c)
         return ('\\u%04x'):format(c:byte())
      end), number - 1)
   end
   common.write(NAME, path, '{' .. table.concat(entries, ', ') .. '}\n')
end

--- Write merges.txt.
function M.writeMerges(path, ranks)
   local lines = {}
   for left, row in pairs(ranks) do
      for right, rank in pairs(row) do
         lines[rank] = M.written(left) .. ' ' .. M.written(right)
      end
   end
   common.write(NAME, path, '#version: 0.2\n' .. table.concat(lines, '\n') .. '\n')
end

return M
