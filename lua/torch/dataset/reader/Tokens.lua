local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- Windows of a long row of tokens, for language models: sample i is
-- {input = x[s .. s + length - 1], target = x[s + 1 .. s + length]} with s = (i - 1) stride + 1.
--
-- The tokens are a LongTensor, or a file of numbers without a header (of 2 or 4 bytes, lowest byte
-- first), mapped into memory: of a file of any size, only what is used is read. Numbers of a file
-- count from 0, and become 1 and more: `offset` is added to each.
-- @tparam table options path, or tokens: a LongTensor; length: of a window; stride (length);
-- bytes: of a number of the file, 2 (default) or 4; offset (1 for a file, 0 for a tensor)
-- @raise "dataset.Tokens: x.bin: 10 tokens are too few for a window of 16"
-- @usage dataset.Tokens{path = 'train.bin', length = 256}
-- @type dataset.Tokens
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Tokens { tokens = torch.range(1, 7):long(), length = 3 }
-- data:size() --> 2
-- data:get(2).input --> { 4, 5, 6 }
-- data:get(2).target --> { 5, 6, 7 }
local Tokens = torch.class('dataset.Tokens', require 'torch.dataset.module')

local NAME = 'dataset.Tokens'

local function checkBytes(name, bytes)
   if bytes ~= 2 and bytes ~= 4 then
      errors.raise(('%s: numbers have 2 or 4 bytes, got %d'):format(name, bytes))
   end
end

local function map(path, bytes)
   local ok, storage = pcall(torch.ByteStorage, path, false)
   if not ok then
      errors.raise(('%s: %s'):format(NAME, tostring(storage):gsub('^.-Storage: ', '')))
   elseif storage:size() % bytes ~= 0 then
      errors.raise(('%s: %s has %d bytes, no multiple of %d: it is truncated, or its numbers have '
         .. 'other sizes'):format(NAME, path, storage:size(), bytes))
   end
   return storage
end

function Tokens:__init(given)
   local read = options.read(NAME, given, {
      path = { 'text' }, tokens = { 'tensor' }, length = { 'count', required = true },
      stride = { 'count' }, bytes = { 'count', 2 }, offset = { 'natural' },
   })
   if (read.path == nil) == (read.tokens == nil) then
      errors.raise(NAME .. ': give path, or tokens, and not both')
   end
   checkBytes(NAME, read.bytes)
   self.bytes, self.length, self.stride = read.bytes, read.length, read.stride or read.length
   if read.path then
      self.storage = map(read.path, read.bytes)
      self.total = self.storage:size() / read.bytes
   else
      self.tokens = read.tokens:long():contiguous()
      self.total = self.tokens:dim() == 0 and 0 or self.tokens:nElement()
   end
   self.offset = read.offset or (read.path and 1 or 0)
   if self.total < self.length + 1 then
      errors.raise(('%s: %s%d tokens are too few for a window of %d and the one after it'):format(
         NAME, read.path and read.path .. ': ' or '', self.total, self.length))
   end
end

--- Number of windows.
function Tokens:size()
   return math.floor((self.total - 1 - self.length) / self.stride) + 1
end

--- Some tokens, a LongTensor.
-- @number first from 1
-- @number count
function Tokens:read(first, count)
   if self.tokens then
      return self.tokens:narrow(1, first, count):clone():add(self.offset)
   end
   local result = torch.LongTensor(count)
   local kind = self.bytes == 2 and 'const uint16_t *' or 'const uint32_t *'
   local from, to, offset = ffi.cast(kind, self.storage:data()), result:data(), self.offset
   for k = 0, count - 1 do
      to[k] = from[first - 1 + k] + offset
   end
   return result
end

--- A sample.
function Tokens:get(i)
   common.checkIndex(NAME, i, self:size())
   local window = self:read((i - 1) * self.stride + 1, self.length + 1)
   return { input = window:narrow(1, 1, self.length), target = window:narrow(1, 2, self.length) }
end

--- Write tokens to a file that dataset.Tokens maps.
-- @string path
-- @param tokens LongTensor
-- @tparam[opt] table options bytes: 2 (default) or 4 for each; offset (1): taken off each
-- @raise "dataset.Tokens.write: token 70000 at place 3 is not in 1..65536, what 2 bytes hold"
-- @usage dataset.Tokens.write(path, tokens [, options])
function Tokens.write(path, tokens, given)
   local name = 'dataset.Tokens.write'
   local read = options.read(name, given, { bytes = { 'count', 2 }, offset = { 'natural', 1 } })
   options.value(name, 'tokens', tokens, 'tensor')
   checkBytes(name, read.bytes)
   local from, n = tokens:long():contiguous(), tokens:nElement()
   local values, most = from:data(), 2 ^ (8 * read.bytes) - 1
   local buffer = ffi.new(read.bytes == 2 and 'uint16_t[?]' or 'uint32_t[?]', math.max(n, 1))
   for k = 0, n - 1 do
      local value = tonumber(values[k]) - read.offset
      if value < 0 or value > most then
         errors.raise(('%s: token %d at place %d is not in %d..%d, what %d bytes hold'):format(name,
            value + read.offset, k + 1, read.offset, most + read.offset, read.bytes))
      end
      buffer[k] = value
   end
   local file, reason = io.open(path, 'wb')
   local written = file and file:write(ffi.string(buffer, n * read.bytes))
   local closed = file and file:close()
   if not (written and closed) then
      errors.raise(('%s: cannot write %s'):format(name, reason or path .. ': the disk is full'))
   end
end

return Tokens
