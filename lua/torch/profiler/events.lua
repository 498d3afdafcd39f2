--- The events of a profile that has ended, as the core keeps them.
-- @module torch.profiler.events
local ffi = require 'ffi'
local C = require('torch.ffi').C

local M = {}

local OPERATION, RANGE, MEMORY = C.TH_PROFILE_OPERATION, C.TH_PROFILE_RANGE, C.TH_PROFILE_MEMORY
local CPU = C.TH_CPU

M.OPERATION, M.RANGE, M.MEMORY = OPERATION, RANGE, MEMORY

local labels = {} -- number of an operation -> its name

--- What an event of an operation or range is called.
function M.label(profile, event)
   if event.kind == RANGE then
      local name = profile._names[event.name]
      return name.kind == 'range' and name.text or name.text .. ' ' .. name.kind
   end
   local label = labels[event.name]
   if not label then
      label = ffi.string(C.TH_signature(event.name).name)
      labels[event.name] = label
   end
   return label
end

--- Where an event's tensors are: 'cpu', 'cuda:1'.
function M.device(event)
   return event.device_type == CPU and 'cpu' or 'cuda:' .. event.device + 1
end

--- @return the events, counted from 0; their number
function M.of(profile)
   return C.TH_Profile_events(profile._record), tonumber(C.TH_Profile_size(profile._record))
end

--- Nanoseconds as seconds.
function M.seconds(ns)
   return tonumber(ns) * 1e-9
end

--- Seconds that a device worked on an event.
function M.onDevice(event)
   return event.device_begin < 0 and 0 or tonumber(event.device_end - event.device_begin) * 1e-9
end

--- Seconds that each event took without its children of the same kind: by the host's clock, and on
-- a device. What lies between a range and a range is the outer range's own.
-- @return two arrays of doubles, counted from 0
function M.own(profile)
   local events, n = M.of(profile)
   local host, device = ffi.new('double[?]', n), ffi.new('double[?]', n)
   for i = 0, n - 1 do
      local event = events[i]
      if event.kind ~= MEMORY then
         local took, worked = M.seconds(event['end'] - event.begin), M.onDevice(event)
         host[i], device[i] = host[i] + took, device[i] + worked
         local parent = event.parent
         if parent >= 0 and events[parent].kind == event.kind then
            host[parent], device[parent] = host[parent] - took, device[parent] - worked
         end
      end
   end
   return host, device
end

-- The lines of a stack that are not in the one around it.
local function beyond(stack, outer)
   local first = 1
   while outer[first] and outer[first] == stack[first] do
      first = first + 1
   end
   return { unpack(stack, first) }
end
M.beyond = beyond

--- What stands for a line that is not known.
M.NO_LINE = '(no line)'

--- The lines of the script that led to a place.
-- @return function(place): those since the profile began, the outermost first, { 'train.lua:12' }
-- @return function(place): the innermost of all
function M.lines(profile)
   local places = C.TH_Profile_places(profile._record)
   local stacks = { [0] = {} }
   local function stack_of(place)
      local list = stacks[place]
      if not list then
         local entry = places[place - 1]
         list = { unpack(stack_of(entry.caller)) }
         list[#list + 1] = ('%s:%d'):format(ffi.string(entry.source), entry.line)
         stacks[place] = list
      end
      return list
   end
   local known, began = {}, stack_of(profile._began)
   return function(place)
      known[place] = known[place] or beyond(stack_of(place), began)
      return known[place]
   end, function(place)
      local list = stack_of(place)
      return list[#list] or M.NO_LINE
   end
end

return M
