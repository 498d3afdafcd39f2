--- Policies that were found by search: dataset.transform.AutoAugment.
-- @module torch.dataset.transform.AutoAugment
local torch = require 'torch'
local errors = require 'torch.errors'
local common = require 'torch.dataset.transform.common'
local operations = require 'torch.dataset.transform.operations'
local policies = require 'torch.dataset.transform.policies'
local describe = require('torch.options').describe
local sorted_keys = require 'xlua.sorted_keys'

local type = type -- torch puts its own in the global's place

local MOST = 9 -- magnitudes are 0..9

--- Two operations after each other, each with a probability and a strength of its own: a pair drawn
-- from the 25 that were found best for a dataset (Cubuk et al., "AutoAugment", 2019).
-- Magnitudes 0 to 9 are from nothing to the most that RandAugment's operations do, those of
-- solarize and of the enhancements too (the paper counts these along the factor, from 0.1 to 1.9).
-- Directions are drawn.
-- @tparam[opt] table options policy: 'imagenet' (default), 'cifar10', 'svhn', or a list of one's
-- own of sequences of {operation, probability, magnitude}
-- @raise "... policy 1, operation 2: there is no operation 'turn'; there are autocontrast, ..."
-- @usage dataset.transform.AutoAugment{policy = 'cifar10'}
-- @type dataset.transform.AutoAugment
-- @example
-- local transform = require('torch.dataset').transform
-- local policy = transform.AutoAugment { policy = { { { 'invert', 1 }, { 'solarize', 1, 9 } } } }
-- policy(torch.ByteTensor(1, 1, 1):fill(55))[1][1][1] --> 55
local AutoAugment = common.class('AutoAugment', { policy = { 'any', 'imagenet' } })

local function check_step(where, step)
   if type(step) ~= 'table' then
      errors.raise(('%s is %s, expected {operation, probability, magnitude}'):format(where,
         describe(step)))
   end
   local operation, probability, magnitude = step[1], step[2], step[3]
   if type(operation) ~= 'string' or not operations.operations[operation] then
      errors.raise(('%s: there is no operation %s; there are %s'):format(where,
         describe(operation), table.concat(sorted_keys(operations.operations), ', ')))
   elseif type(probability) ~= 'number' or not (probability >= 0 and probability <= 1) then
      errors.raise(('%s: the probability of %s is %s, expected a number from 0 to 1'):format(where,
         operation, describe(probability)))
   elseif operations.usual[operation] and (type(magnitude) ~= 'number'
      or not (magnitude >= 0 and magnitude <= MOST)) then
      errors.raise(('%s: the magnitude of %s is %s, expected a number from 0 to %d'):format(where,
         operation, describe(magnitude), MOST))
   end
end

function AutoAugment:__prepare(name)
   local list = self.policy
   if type(list) == 'string' then
      list = policies[list]
   end
   if type(list) ~= 'table' or #list == 0 then
      errors.raise(('%s: policy is %s, expected one of %s, or a list of sequences of '
         .. '{operation, probability, magnitude}'):format(name, describe(self.policy),
         table.concat(sorted_keys(policies), ', ')))
   end
   for i, sequence in ipairs(list) do
      if type(sequence) ~= 'table' or #sequence == 0 then
         errors.raise(('%s: policy %d is %s, expected a list of {operation, probability, '
            .. 'magnitude}'):format(name, i, describe(sequence)))
      end
      for k, step in ipairs(sequence) do
         check_step(('%s: policy %d, operation %d'):format(name, i, k), step)
      end
   end
   self.policy = list
end

--- The picture, changed.
function AutoAugment:apply(x)
   local sequence = self.policy[torch.random(1, #self.policy)]
   return operations.changed(x, function(y)
      for _, step in ipairs(sequence) do
         if common.happens(step[2]) then
            y = operations.apply(y, step[1], (step[3] or 0) / MOST, operations.usual)
         end
      end
      return y
   end)
end

return {}
