local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- Samples made of a list: sample i is load(list[i]), or list[i] itself. The list may be a table, a
-- tds.Vec (which workers share instead of copying), or a tensor.
-- @param list
-- @param[opt] load function(element, i) -> sample
-- @usage dataset.List(list [, load])
-- @type dataset.List
-- @example
-- local dataset = require 'torch.dataset'
-- local squares = dataset.List({ 1, 2, 3 }, function(x) return { input = x * x } end)
-- squares:get(3).input --> 9
local List = torch.class('dataset.List', require 'torch.dataset.module')

function List:__init(list, load)
   if type(list) ~= 'table' and not th.isTensor(list) and torch.typename(list) ~= 'tds.Vec' then
      errors.raise(('dataset.List: wanted a list, got %s'):format(options.describe(list)))
   elseif load ~= nil and not options.callable(load) then
      errors.raise(('dataset.List: load must be a function, got %s'):format(
         options.describe(load)))
   end
   self.list, self.load = list, load
end

--- Number of samples.
function List:size()
   return th.isTensor(self.list) and (self.list:dim() == 0 and 0 or self.list:size(1))
      or #self.list
end

--- A sample.
function List:get(i)
   common.checkIndex('dataset.List', i, self:size())
   local element = self.list[i]
   if self.load then
      return self.load(element, i)
   end
   return element
end

return List
