--- Policies that draw from all operations: dataset.transform.RandAugment, TrivialAugment.
-- @module torch.dataset.transform.RandAugment
local torch = require 'torch'
local errors = require 'torch.errors'
local common = require 'torch.dataset.transform.common'
local operations = require 'torch.dataset.transform.operations'

local MOST = 30 -- magnitudes are 0..30
local NAMES = operations.names

local function check_operations(name, list)
   local known = {}
   for _, operation in ipairs(NAMES) do
      known[operation] = true
   end
   if #list == 0 then
      errors.raise(name .. ': operations is an empty list; leave it out for all')
   end
   for _, operation in ipairs(list) do
      if not known[operation] then
         errors.raise(("%s: there is no operation '%s'; there are %s"):format(name,
            tostring(operation), table.concat(NAMES, ', ')))
      end
   end
end

local function drawn(list)
   return list[torch.random(1, #list)]
end

--- Some operations drawn from a list, all of one strength (Cubuk et al., "RandAugment", 2019):
-- identity, autocontrast, equalize, rotate (to 30 degrees), shearX and shearY (to 0.3), translateX
-- and translateY (to 150 / 331 of the side), brightness, contrast, color and sharpness (factors
-- 1 +- 0.9), posterize (to 4 bits), solarize. Directions are drawn.
-- @tparam[opt] table options count: operations one after the other (2); magnitude: 0 to 30 (9);
-- operations: list of names instead of all
-- @raise "dataset.transform.RandAugment: there is no operation 'turn'; there are autocontrast, ..."
-- @usage dataset.transform.RandAugment{count = 2, magnitude = 9}
-- @type dataset.transform.RandAugment
-- @example
-- local transform = require('torch.dataset').transform
-- local policy = transform.RandAugment { operations = { 'solarize' }, magnitude = 30, count = 1 }
-- policy(torch.ByteTensor(1, 1, 1):fill(55))[1][1][1] --> 200
local RandAugment = common.class('RandAugment', {
   count = { 'count', 2 }, magnitude = { 'natural', 9 }, operations = { 'list', NAMES },
})

function RandAugment:__prepare(name)
   if self.magnitude > MOST then
      errors.raise(('%s: magnitude must be from 0 to %d, got %s'):format(name, MOST,
         tostring(self.magnitude)))
   end
   check_operations(name, self.operations)
end

--- The picture, changed.
function RandAugment:apply(x)
   return operations.changed(x, function(y)
      for _ = 1, self.count do
         y = operations.apply(y, drawn(self.operations), self.magnitude / MOST, operations.usual)
      end
      return y
   end)
end

--- One operation of a strength that is drawn as well (Müller and Hutter, "TrivialAugment", 2021),
-- of RandAugment's, in that paper's wide ranges: rotate to 135 degrees, shears to 0.99,
-- translations to 32 pixels, factors 1 +- 0.99, posterize to 2 bits. There is nothing to choose.
-- @tparam[opt] table options operations: list of names instead of all
-- @raise "dataset.transform.TrivialAugment: there is no operation 'turn'; there are ..."
-- @usage dataset.transform.TrivialAugment{}
-- @type dataset.transform.TrivialAugment
-- @example
-- local transform = require('torch.dataset').transform
-- local policy = transform.TrivialAugment { operations = { 'identity' } }
-- policy(torch.ByteTensor(1, 1, 1):fill(55))[1][1][1] --> 55
local TrivialAugment = common.class('TrivialAugment', { operations = { 'list', NAMES } })

function TrivialAugment:__prepare(name)
   check_operations(name, self.operations)
end

--- The picture, changed.
function TrivialAugment:apply(x)
   local name, m = drawn(self.operations), torch.random(0, MOST) / MOST
   return operations.changed(x, function(y)
      return operations.apply(y, name, m, operations.wide)
   end)
end

return {}
