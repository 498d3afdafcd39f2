--- The memory of a profile: what took it, and how much of it was in use when.
-- @module torch.profiler.memory
local ffi = require 'ffi'
local events = require 'torch.profiler.events'

local M = {}

--- Call visit(event, line, live, owned) after each change in a device's memory, in order: `line` is
-- the one that took what the event takes or gives back, `live` bytes are in use more than at the
-- profile's begin, `owned` of them by line. What was taken before the profile is nobody's.
function M.walk(profile, place, visit)
   local list, n = events.of(profile)
   local _, line_of = events.lines(profile)
   local live, owned, owner = 0, {}, {}
   for i = 0, n - 1 do
      local event = list[i]
      if event.kind == events.MEMORY and events.device(event) == place then
         local bytes = tonumber(event.bytes)
         local block = tonumber(ffi.cast('intptr_t', event.block))
         local line
         if bytes > 0 then
            line = line_of(event.place)
            owner[block] = line
         else
            line = owner[block]
            owner[block] = nil
         end
         live = live + bytes
         if line then
            owned[line] = (owned[line] or 0) + bytes
         end
         visit(event, line, live, owned)
      end
   end
end

--- Where memory was taken or given back: { 'cpu', 'cuda:1', ... }.
function M.places(profile)
   local list, n = events.of(profile)
   local places, seen = {}, {}
   for i = 0, n - 1 do
      if list[i].kind == events.MEMORY then
         local place = events.device(list[i])
         if not seen[place] then
            seen[place] = true
            places[#places + 1] = place
         end
      end
   end
   table.sort(places)
   return places
end

--- The most bytes in use, more than at the begin; by line.
-- @return bytes, line -> bytes
function M.peak(profile, place)
   local most, at_peak = 0, {}
   M.walk(profile, place, function(_, _, live)
      most = math.max(most, live)
   end)
   local found = false
   M.walk(profile, place, function(_, _, live, owned)
      if live == most and not found then
         found = true
         for line, bytes in pairs(owned) do
            at_peak[line] = bytes
         end
      end
   end)
   return most, at_peak
end

--- Rows: name (the line), place, count, allocated, peak, left.
function M.rows(profile)
   local rows = {}
   for _, place in ipairs(M.places(profile)) do
      local _, at_peak = M.peak(profile, place)
      local found, last = {}, {}
      M.walk(profile, place, function(event, line, _, owned)
         last = owned
         if event.bytes > 0 then
            local row = found[line]
            if not row then
               row = { name = line, place = place, count = 0, allocated = 0,
                  peak = at_peak[line] or 0 }
               found[line] = row
               rows[#rows + 1] = row
            end
            row.count, row.allocated = row.count + 1, row.allocated + tonumber(event.bytes)
         end
      end)
      for line, row in pairs(found) do
         row.left = last[line]
      end
   end
   return rows
end

return M
