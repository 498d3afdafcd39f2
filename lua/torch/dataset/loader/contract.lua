--- What a dataset is, an object with size() and get(i), and what to say of one that is not.
-- @module torch.dataset.loader.contract
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'

local type = type -- torch puts its own in the global's place

local M = {}

--- Whether an object is a dataset.
function M.is_dataset(x)
   return type(x) == 'table' and options.callable(x.size) and options.callable(x.get)
end

local function wrong(x, method)
   return x[method] == nil and ('has no %s'):format(method)
      or ('has %s as its %s'):format(options.describe(x[method]), method)
end

--- What a table lacks to be a dataset, in words for the end of a message; '' for what is far from
-- one.
function M.lack(x)
   if type(x) ~= 'table' or th.isTensor(x) or x.size == nil and x.get == nil then
      return ''
   end
   local list = {}
   for _, method in ipairs { 'size', 'get' } do
      if not options.callable(x[method]) then
         list[#list + 1] = wrong(x, method)
      end
   end
   return (', which %s; wanted size = function(self) return n end and get = function(self, i) '
      .. 'return { input = x, target = y } end'):format(table.concat(list, ' and '))
end

--- Raise where `get` has been written with a point for the colon: its only argument would be the
-- dataset, and not the index.
-- @string title for the message
-- @param dataset
function M.check_get(title, dataset)
   local get = dataset.get
   if type(get) ~= 'function' then
      return
   end
   local signature = debug.getinfo(get, 'u')
   local name = signature.nparams == 1 and not signature.isvararg and debug.getlocal(get, 1)
   if name and name ~= 'self' and not name:find '^_' then
      errors.raise(("%s: the dataset's get has one argument, %s, which is the dataset itself: it "
         .. 'is called as data:get(i); write get = function(self, %s), or function data:get(%s) '
         .. 'with a colon'):format(title, name, name, name))
   end
end

--- Raise for a sample that is a pair, as PyTorch's: its second value would be lost.
-- @string name of what gave them
-- @param sample
-- @param second
function M.check_single(name, sample, second)
   if second ~= nil and th.isTensor(sample) then
      error(('%s gave two values, and the second would be lost; a sample is one: '
         .. 'return { input = x, target = y }'):format(name), 0)
   end
end

--- A sample of a dataset.
function M.get(dataset, i)
   local sample, second = dataset:get(i)
   M.check_single('dataset:get', sample, second)
   return sample
end

return M
