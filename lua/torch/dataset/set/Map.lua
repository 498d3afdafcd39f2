local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local contract = require 'torch.dataset.loader.contract'
local common = require 'torch.dataset.set.common'

--- A dataset whose samples pass a function, or some of their fields do. What is drawn by torch's
-- default generator in it is seeded for each sample by the loader.
-- @param source dataset
-- @param f function(sample, i) -> sample; or a table: field -> function(value, i) -> value
-- @raise "dataset.Map: sample 3 has no field 'inputs'"
-- @usage dataset.Map(source, f)
-- @type dataset.Map
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Map(dataset.List { { input = 3 } }, { input = function(x) return -x end })
-- data:get(1).input --> -3
local Map = torch.class('dataset.Map', require 'torch.dataset.module')

local NAME = 'dataset.Map'

function Map:__init(source, f)
   self.source = common.checkDataset(NAME, source)
   local valid = options.callable(f) or (type(f) == 'table' and next(f) ~= nil)
   for _, g in pairs(type(f) == 'table' and not options.callable(f) and f or {}) do
      valid = valid and options.callable(g)
   end
   if not valid then
      errors.raise(('%s: wanted a function, or a table of functions by field; got %s'):format(NAME,
         options.describe(f)))
   end
   self.f, self.types = f, rawget(source, 'types')
end

--- Number of samples.
function Map:size()
   return self.source:size()
end

--- A sample.
function Map:get(i)
   local sample = contract.get(self.source, i)
   if options.callable(self.f) then
      return self.f(sample, i)
   end
   local result = {}
   for key, value in pairs(sample) do
      result[key] = value
   end
   for key, g in pairs(self.f) do
      if result[key] == nil then
         errors.raise(("%s: sample %d has no field '%s'"):format(NAME, i, tostring(key)))
      end
      result[key] = g(result[key], i)
   end
   return result
end

return Map
