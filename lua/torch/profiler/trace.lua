--- Profiles in the Trace Event Format of chrome://tracing, which Perfetto reads.
-- Source: "Trace Event Format", Google, linked from www.chromium.org/developers/how-tos.
-- @module torch.profiler.trace
local events = require 'torch.profiler.events'
local memory = require 'torch.profiler.memory'

local M = {}

local ESCAPES = { ['"'] = '\\"', ['\\'] = '\\\\' }

local function quoted(text)
   return '"' .. text:gsub('[%c"\\]', function(c)
      return ESCAPES[c] or ('\\u%04x'):format(c:byte())
   end) .. '"'
end

local function microseconds(ns)
   return ('%.3f'):format(tonumber(ns) * 1e-3)
end

local SCRIPT = 1 -- track; devices follow

local function named(kind, track, name)
   return ('{"ph":"M","pid":1,"tid":%d,"name":"%s","args":{"name":%s}}'):format(track, kind,
      quoted(name))
end

local function span(name, category, track, from, to, arguments)
   return ('{"ph":"X","pid":1,"tid":%d,"name":%s,"cat":"%s","ts":%s,"dur":%s,"args":{%s}}'):format(
      track, quoted(name), category, microseconds(from), microseconds(to - from), arguments)
end

local function arguments_of(event, line_of, profile)
   local parts = { '"line":' .. quoted(line_of(event.place)) }
   if event.kind == events.OPERATION then
      parts[#parts + 1] = ('"bytes":%d'):format(tonumber(event.bytes))
   elseif profile._names[event.name].class then
      parts[#parts + 1] = '"class":' .. quoted(profile._names[event.name].class)
   end
   if event.failed then
      parts[#parts + 1] = '"failed":true'
   end
   return table.concat(parts, ',')
end

-- One value of memory for each time that it changes.
local function counters(out, profile)
   for _, place in ipairs(memory.places(profile)) do
      memory.walk(profile, place, function(event, _, live)
         out[#out + 1] = ('{"ph":"C","pid":1,"name":%s,"ts":%s,"args":{"bytes":%d}}'):format(
            quoted('memory of ' .. place), microseconds(event.begin), live)
      end)
   end
end

function M.json(profile)
   local list, n = events.of(profile)
   local _, line_of = events.lines(profile)
   local out = { named('process_name', SCRIPT, 'th'), named('thread_name', SCRIPT, 'script') }
   local tracks, last = {}, SCRIPT
   for i = 0, n - 1 do
      local event = list[i]
      if event.kind ~= events.MEMORY then
         local label = events.label(profile, event)
         local category = event.kind == events.OPERATION and 'operation'
            or profile._names[event.name].kind
         out[#out + 1] = span(label, category, SCRIPT, event.begin, event['end'],
            arguments_of(event, line_of, profile))
         if event.device_begin >= 0 then
            local device = events.device(event)
            if not tracks[device] then
               last = last + 1
               tracks[device] = last
               out[#out + 1] = named('thread_name', last, device)
            end
            out[#out + 1] = span(label, 'device', tracks[device], event.device_begin,
               event.device_end, '')
         end
      end
   end
   counters(out, profile)
   return '{"displayTimeUnit":"ns","traceEvents":[\n' .. table.concat(out, ',\n') .. '\n]}\n'
end

return M
