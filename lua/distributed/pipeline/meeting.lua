--- What the ranks of a pipeline agree on: the cut of the network, the rows of a batch, its output.
-- @module distributed.pipeline.meeting

local torch = require 'torch'
local nested = require 'nn.nested'
local distributed = require 'distributed.module'
local batches = require 'distributed.pipeline.batches'
local options = require 'torch.options'

local TITLE = 'distributed.Pipeline'
local fail = options.fail

local M = {}

--- The rank that has a stage.
function M.rank_of(self, stage)
   return self.group and self.group.ranks[stage] or stage
end

--- All ranks have to cut the same net alike.
function M.check_agreement(self, parts)
   local counts = {}
   for i, part in ipairs(parts) do
      counts[i] = part:size()
   end
   local own = ('%d micro-batches and stages of %s layers'):format(self.microBatches,
      table.concat(counts, ', '))
   for rank, theirs in ipairs(distributed.gatherObjects(own, { group = self.group })) do
      if theirs ~= own then
         fail('%s: the ranks disagree: rank %d has %s, rank %d has %s', TITLE,
            distributed.rank(self.group), own, rank, theirs)
      end
   end
end

--- The rows of the batch, on which all ranks agree before they begin: the first has the input, the
-- last has the target.
function M.rows(self, input, target, trains)
   local first, last = self.first == 1, self.first + #self.modules - 1 == self.stages
   local rows, targets = first and input ~= nil and batches.rows('x', input) or 0,
      last and target ~= nil and batches.rows('the target', target) or 0
   if not (first and last) then
      local all = distributed.allGather(torch.LongTensor { rows, targets }, { group = self.group })
      rows, targets = all[1][1], all[self.stages][2]
   end
   if rows == 0 then
      fail('%s: x is nil on the first rank', TITLE)
   elseif trains and targets == 0 then
      fail('%s: the target is nil on the last rank', TITLE)
   elseif trains and rows ~= targets then
      fail('%s: x has %d rows (on the first rank), the target has %d (on the last)', TITLE, rows,
         targets)
   elseif trains and rows < self.microBatches then
      fail('%s: %d micro-batches of %d rows: microBatches is at most the rows of a batch', TITLE,
         self.microBatches, rows)
   end
   return rows
end

--- The last rank's nest on all.
function M.from_last(self, nest)
   if #self.modules == self.stages then
      return nest
   end
   local own = self.first == self.stages
   local root = M.rank_of(self, self.stages)
   local form = distributed.broadcastObject(own and nested.onto(function(_, t)
      return { torch.typename(t), t:size():totable() }
   end, nil, { nest }) or nil, { root = root, group = self.group })
   local function filled(entry)
      if type(entry[1]) ~= 'string' then
         local list = {}
         for key, value in pairs(entry) do
            list[key] = filled(value)
         end
         return list
      end
      return torch.getmetatable(entry[1]).new():resize(torch.LongStorage(entry[2]))
   end
   nest = own and { nest } or filled(form)
   for _, t in ipairs(nested.tensors(nest)) do
      distributed.broadcast(t, { root = root, group = self.group })
   end
   return nest[1]
end

return M
