--- What tokenisers share: tokens by number, from 1.
-- @module torch.dataset.text.common
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'

local type = type -- torch puts its own in the global's place

local M = {}

--- Where the classes are: dataset.text.
M.module = {}

--- Raise unless x is a text.
function M.checkText(name, x)
   if type(x) ~= 'string' then
      errors.raise(('%s: wanted a string, got %s'):format(name, options.describe(x)))
   end
   return x
end

--- A LongTensor of a list of numbers; of none, a tensor without elements.
function M.tensor(numbers)
   return #numbers == 0 and torch.LongTensor() or torch.LongTensor(numbers)
end

--- The numbers of a tensor or a list.
-- @raise "dataset.text.Bpe: decode: token 70000 at place 3; tokens are 1 to 50257"
function M.numbers(name, tokens, count)
   local list = th.isTensor(tokens) and (tokens:dim() == 0 and {} or tokens:contiguous():view(-1)
      :totable()) or tokens
   if type(list) ~= 'table' then
      errors.raise(('%s: decode: wanted a LongTensor or a list of tokens, got %s'):format(name,
         options.describe(tokens)))
   end
   for k, number in ipairs(list) do
      if type(number) ~= 'number' or number < 1 or number > count or number % 1 ~= 0 then
         errors.raise(('%s: decode: token %s at place %d; tokens are 1 to %d'):format(name,
            tostring(number), k, count))
      end
   end
   return list
end

--- Write a file, or raise.
function M.write(name, path, text)
   local file, reason = io.open(path, 'wb')
   local written = file and file:write(text)
   local closed = file and file:close()
   if not (written and closed) then
      errors.raise(('%s: cannot write %s'):format(name, reason or path))
   end
end

return M
