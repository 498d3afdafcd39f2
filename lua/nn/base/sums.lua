--- Whether a criterion's loss is a sum over samples or a mean of them: how the losses of parts of a
-- batch come together.
-- @module nn.base.sums

local torch = require 'torch'
local options = require 'torch.options'

-- Criterions that give sums and have no `sizeAverage`.
local SUMS = { ['nn.L1Cost'] = true, ['nn.L1HingeEmbeddingCriterion'] = true }

local function parts_of(criterion)
   local parts = {}
   for _, list in ipairs { criterion, criterion.criterions } do
      for _, part in pairs(list) do
         if torch.isTypeOf(part, 'nn.Criterion') then
            parts[#parts + 1] = part
         end
      end
   end
   return parts
end

--- Whether a criterion sums over samples, as its parts do where it has some.
-- @string[opt] title of the error; nil: nil comes of parts that disagree
-- @tparam nn.Criterion criterion
-- @raise "TITLE: parts of the nn.MultiCriterion disagree: a sum over samples and a mean; give all
-- the same sizeAverage"
local function sums(title, criterion)
   local own = SUMS[torch.typename(criterion)] or criterion.sizeAverage == false
   if criterion.oldSizeAverage ~= nil and criterion.sizeAverage ~= criterion.oldSizeAverage then
      return own -- nn.CrossEntropyCriterion, before it hands this on to its part
   end
   for i, part in ipairs(parts_of(criterion)) do
      local other = sums(title, part)
      if other == nil or i > 1 and other ~= own then
         if not title then
            return nil
         end
         options.fail('%s: parts of the %s disagree: a sum over samples and a mean; give all the '
            .. 'same sizeAverage', title, torch.typename(criterion))
      end
      own = other
   end
   return own
end

return sums
