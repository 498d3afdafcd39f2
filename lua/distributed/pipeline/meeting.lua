--- What the ranks of a pipeline agree on: the cut of the network, the rows of a batch, its output.
-- @module distributed.pipeline.meeting

local torch = require 'torch'
local nested = require 'nn.nested'
local agreement = require 'distributed.agreement'
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
   agreement.check(TITLE, ('%d micro-batches and stages of %s layers'):format(self.microBatches,
      table.concat(counts, ', ')), self.group)
end

-- What the ranks are about to do with a batch: a number for each.
local function check_calls(self, all)
   local calls = {}
   for place = 1, all:size(1) do
      local count = all[place][3]
      calls[place] = count > 0 and ('forwardBackward of %d micro-batches'):format(count)
         or 'forward'
   end
   local place, one, other = agreement.differing(calls, self.group)
   if place then
      fail('%s: the ranks disagree: rank %d is at %s, rank %d at %s', TITLE, one, calls[1], other,
         calls[place])
   end
end

--- The rows of the batch, on which all ranks agree before they begin: the first has the input, the
-- last has the target.
-- @param input
-- @param[opt] target
-- @bool[opt] trains whether the pass goes back
-- @bool[opt] any whether the target may be anything, with rows of its own or without
function M.rows(self, input, target, trains, any)
   local first, last = self.first == 1, self.first + #self.modules - 1 == self.stages
   local rows, targets = first and input ~= nil and batches.rows('x', input) or 0, 0
   if last and target ~= nil then
      targets = any and -1 or batches.rows('the target', target)
   end
   if not (first and last) then
      local own = torch.LongTensor { rows, targets, trains and self.microBatches or 0 }
      local all = distributed.allGather(own, { group = self.group })
      check_calls(self, all)
      rows, targets = all[1][1], all[self.stages][2]
   end
   if rows == 0 then
      fail('%s: x is nil on the first rank', TITLE)
   elseif trains and targets == 0 then
      fail('%s: the target is nil on the last rank', TITLE)
   elseif trains and targets > 0 and rows ~= targets then
      fail('%s: x has %d rows (on the first rank), the target has %d (on the last)', TITLE, rows,
         targets)
   elseif trains and rows < self.microBatches then
      fail('%s: %d micro-batches of %d rows: microBatches is at most the rows of a batch', TITLE,
         self.microBatches, rows)
   end
   return rows
end

-- What a nest is made of: the types and sizes of its tensors, and all else that it has.
local function form_of(x)
   if torch.isTensor(x) then
      return { tensor = torch.typename(x), size = x:size():totable() }
   elseif not nested.is_table(x) then
      return { value = x }
   end
   local form = { entries = {} }
   for key, entry in pairs(x) do
      form.entries[key] = form_of(entry)
   end
   return form
end

local function filled(form)
   if form.tensor then
      return torch.getmetatable(form.tensor).new():resize(torch.LongStorage(form.size))
   elseif not form.entries then
      return form.value
   end
   local nest = {}
   for key, entry in pairs(form.entries) do
      nest[key] = filled(entry)
   end
   return nest
end

--- The last rank's nest on all.
function M.from_last(self, nest)
   if #self.modules == self.stages then
      return nest
   end
   local own = self.first == self.stages
   local root = M.rank_of(self, self.stages)
   local form = distributed.broadcastObject(own and form_of(nest) or nil,
      { root = root, group = self.group })
   nest = own and nest or filled(form)
   for _, t in ipairs(nested.tensors(nest)) do
      distributed.broadcast(t, { root = root, group = self.group })
   end
   return nest
end

return M
