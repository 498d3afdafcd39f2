--- nn.Dropout between layers that are split: each rank drops some of its own features.
-- @module distributed.split.Dropout

local nn = require 'nn'
local distributed = require 'distributed.module'
local parts = require 'distributed.split.parts'

local M = {}

--- An nn.Dropout of the features that a rank has; `distributed.split` makes it. What a rank draws
-- is its own, and the numbers that layers behind draw are the same on all. Field: `group`.
-- @type distributed.Dropout
local Split, Dropout = nn.declare('distributed.Dropout', 'nn.Dropout', {}, distributed)

function Split:__computeOutput(y, x)
   if self.p > 0 and (self.train or self.stochastic_inference) and not self.again then
      return parts.apart(self.group, Dropout.__computeOutput, self, y, x)
   end
   return Dropout.__computeOutput(self, y, x)
end

--- @param layer nn.Dropout
-- @param group
function M.split(layer, group)
   return parts.remade('distributed.Dropout', layer, { group = group })
end

--- The nn.Dropout that a layer was.
function M.whole(layer)
   local whole = parts.remade('nn.Dropout', layer, {})
   whole.group = nil
   return whole
end

return M
