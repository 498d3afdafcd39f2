--- Sums over the events of a profile.
-- @module torch.profiler.rows
local events = require 'torch.profiler.events'
local memory = require 'torch.profiler.memory'
local raise = require('torch.errors').raise

local M = {}

--- What there can be a row for, and the field that it is sorted by.
M.kinds = { operation = 'own', line = 'own', layer = 'own', range = 'own', memory = 'peak' }
M.order = { 'operation', 'line', 'layer', 'range', 'memory' }

local function collector()
   local rows, found = {}, {}
   return rows, function(name)
      local row = found[name]
      if not row then
         row = { name = name, calls = 0, own = 0, total = 0, device = 0, bytes = 0, allocated = 0 }
         found[name], rows[#rows + 1] = row, row
      end
      return row
   end
end

-- The nearest event around one that is of the kinds, or -1.
local function around(list, i, wanted)
   local parent = list[i].parent
   while parent >= 0 and not wanted(list[parent]) do
      parent = list[parent].parent
   end
   return parent
end

-- What operations that others are composed of do is done by those, too.
local function within_operation(list, event)
   return event.parent >= 0 and list[event.parent].kind == events.OPERATION
end

-- Rows of the events that are wanted, by label.
local function by_event(profile, wanted)
   local list, n = events.of(profile)
   local own, own_device = events.own(profile)
   local rows, row_of = collector()
   for i = 0, n - 1 do
      local event = list[i]
      if event.kind == events.MEMORY then
         local of = around(list, i, wanted)
         if of >= 0 and event.bytes > 0 then
            local row = row_of(events.label(profile, list[of]))
            row.allocated = row.allocated + tonumber(event.bytes)
         end
      elseif wanted(event) then
         local label = events.label(profile, event)
         local row = row_of(label)
         row.calls = row.calls + 1
         row.own = row.own + own[i]
         row.bytes = row.bytes + tonumber(event.bytes)
         row.device = row.device + own_device[i]
         if event.kind == events.RANGE then
            row.class = profile._names[event.name].class
         end
         local parent = around(list, i, wanted)
         while parent >= 0 and events.label(profile, list[parent]) ~= label do
            parent = around(list, parent, wanted)
         end
         if parent < 0 then -- else it lies in one that counts
            row.total = row.total + events.seconds(event['end'] - event.begin)
         end
      elseif event.kind == events.OPERATION and not within_operation(list, event) then
         local of = around(list, i, wanted)
         if of >= 0 then -- what a range's operations did is its own
            local row = row_of(events.label(profile, list[of]))
            row.device = row.device + events.onDevice(event)
            row.bytes = row.bytes + tonumber(event.bytes)
         end
      end
   end
   return rows
end

local function by_line(profile)
   local list, n = events.of(profile)
   local lines, line_of = events.lines(profile)
   local rows, row_of = collector()
   for i = 0, n - 1 do
      local event = list[i]
      local line = line_of(event.place)
      if event.kind == events.MEMORY then
         if event.bytes > 0 then
            local row = row_of(line)
            row.allocated = row.allocated + tonumber(event.bytes)
         end
      elseif event.kind == events.OPERATION and not within_operation(list, event) then
         local took = events.seconds(event['end'] - event.begin)
         local row = row_of(line)
         row.calls = row.calls + 1
         row.own = row.own + took
         row.bytes = row.bytes + tonumber(event.bytes)
         row.device = row.device + events.onDevice(event)
         local seen = {} -- a line that calls itself counts once
         for _, outer in ipairs { line, unpack(lines(event.place)) } do
            if not seen[outer] then
               seen[outer] = true
               row_of(outer).total = row_of(outer).total + took
            end
         end
      end
   end
   return rows
end

local function is_range(profile, layer)
   return function(event)
      return event.kind == events.RANGE and (profile._names[event.name].kind ~= 'range') == layer
   end
end

local function is_operation(event)
   return event.kind == events.OPERATION
end

--- Rows by the largest value of a field first.
function M.sort(rows, field)
   table.sort(rows, function(a, b)
      if a[field] ~= b[field] then
         return a[field] > b[field]
      end
      return a.name < b.name
   end)
   return rows
end

function M.of(profile, by)
   local rows
   if by == 'operation' then
      rows = by_event(profile, is_operation)
   elseif by == 'line' then
      rows = by_line(profile)
   elseif by == 'layer' or by == 'range' then
      rows = by_event(profile, is_range(profile, by == 'layer'))
   elseif by == 'memory' then
      rows = memory.rows(profile)
   else
      raise(("rows: by is %s; there are 'operation', 'line', 'layer', 'range' and 'memory'")
         :format(tostring(by)))
   end
   return M.sort(rows, M.kinds[by])
end

return M
