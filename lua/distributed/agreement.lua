--- What all ranks have to have alike, compared before they begin.
-- @module distributed.agreement

local distributed = require 'distributed.module'
local options = require 'torch.options'

local M = {}

--- The first two ranks of a list that have different values; nil where all have the same.
-- @tab all the values of the ranks, in their order
-- @param[opt] group
-- @return index in the list of the second, and the numbers of both
function M.differing(all, group)
   for place = 2, #all do
      if all[place] ~= all[1] then
         return place, group and group.ranks[1] or 1, group and group.ranks[place] or place
      end
   end
end

--- Raise on all ranks where what one of them has is not what the first has.
-- @string title of the error
-- @string own what this rank has, in words
-- @param[opt] group
-- @raise "TITLE: the ranks disagree: rank 1 has ..., rank 2 has ..."
function M.check(title, own, group)
   local all = distributed.gatherObjects(own, { group = group })
   local place, one, other = M.differing(all, group)
   if place then
      options.fail('%s: the ranks disagree: rank %d has %s, rank %d has %s', title, one, all[1],
         other, all[place])
   end
end

local function at(list, i)
   return list[i] or 'missing'
end

--- As `check`, of lists of words: the first entries that differ are named.
-- @string title
-- @string what an entry is
-- @tab own
-- @param[opt] group
-- @raise "TITLE: the ranks disagree: parameter 2 is ... on rank 1, ... on rank 2"
function M.check_list(title, what, own, group)
   local lists, texts = distributed.gatherObjects(own, { group = group }), {}
   for place, list in ipairs(lists) do
      texts[place] = table.concat(list, '\n')
   end
   local place, one, other = M.differing(texts, group)
   if not place then
      return
   end
   local i = 1
   while lists[1][i] == lists[place][i] do
      i = i + 1
   end
   options.fail('%s: the ranks disagree: %s %d is %s on rank %d (of %d), %s on rank %d (of %d)',
      title, what, i, at(lists[1], i), one, #lists[1], at(lists[place], i), other, #lists[place])
end

return M
