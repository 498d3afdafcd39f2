--- Augmentation: dataset.transform.
-- @module torch.dataset.transform
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.transform.common'

for _, file in ipairs { 'crop', 'colour', 'erase', 'mix', 'RandAugment',
   'AutoAugment' } do
   require('torch.dataset.transform.' .. file)
end

--- Transforms, or other functions, one after the other.
-- @param ... functions of a picture or a sample
-- @usage dataset.transform.Compose(f, g, ...)
-- @type dataset.transform.Compose
-- @example
-- local transform = require('torch.dataset').transform
-- local both = transform.Compose(transform.CenterCrop { size = 2 }, transform.ToFloat {})
-- both(torch.ByteTensor(3, 4, 4)):size():totable() --> { 3, 2, 2 }
local Compose = torch.class('dataset.transform.Compose', common.module)

function Compose:__init(first, ...)
   local list = { first, ... }
   if #list == 1 and type(first) == 'table' and not options.callable(first) then
      list = first
   end
   for k, f in ipairs(list) do
      if not options.callable(f) then
         errors.raise(('dataset.transform.Compose: argument %d must be a function, got %s'):format(
            k, options.describe(f)))
      end
   end
   self.list = list
end

function Compose:__call__(x, i)
   for _, f in ipairs(self.list) do
      x = f(x, i)
   end
   return x
end

return common.module
