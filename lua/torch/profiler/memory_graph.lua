--- The memory of a profile as a picture: areas by line, one on the other, over time.
-- @module torch.profiler.memory_graph
local memory = require 'torch.profiler.memory'
local svg = require 'torch.profiler.svg'
local raise = require('torch.errors').raise
local byte_text = require 'xlua.byte_text'
local xml_escaped = require 'xlua.xml_escaped'

local M = {}

local WIDTH, HEIGHT = 1200, 420
local LEFT, RIGHT, TOP, BOTTOM = 80, 330, 40, 40
local COLOURS = { '#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#b07aa1', '#edc948', '#9c755f' }
local OTHERS = '#bab0ac'
local COLUMNS = 800 -- points of time that are drawn

-- The place to draw: the one where most was in use.
local function chosen(profile, place)
   local places = memory.places(profile)
   if place == nil then
      local most = -1
      for _, name in ipairs(places) do
         local peak = memory.peak(profile, name)
         if peak > most then
            place, most = name, peak
         end
      end
      return place or 'cpu'
   end
   for _, name in ipairs(places) do
      if name == place then
         return place
      end
   end
   raise(('memoryGraph: nothing was taken in %s; there is memory of %s'):format(tostring(place),
      #places > 0 and table.concat(places, ', ') or 'nobody'))
end

-- The lines that had most at the peak; the place of each among them.
local function largest(profile, place)
   local peak, at_peak = memory.peak(profile, place)
   local lines = {}
   for line, bytes in pairs(at_peak) do
      if bytes > 0 then
         lines[#lines + 1] = line
      end
   end
   table.sort(lines, function(a, b)
      if at_peak[a] ~= at_peak[b] then
         return at_peak[a] > at_peak[b]
      end
      return a < b
   end)
   local rank = {}
   for i = 1, math.min(#lines, #COLOURS) do
      rank[lines[i]] = i
   end
   return peak, at_peak, lines, rank
end

-- For each column the moment in it when most was in use: bytes of each rank, then of the others.
local function sample(profile, place, rank, ranks)
   local columns, span = {}, profile.seconds * 1e9
   local before = { total = 0 }
   for r = 1, ranks + 1 do
      before[r] = 0
   end
   local filled = -1
   memory.walk(profile, place, function(event, _, live, owned)
      local column = math.min(COLUMNS - 1, math.floor(tonumber(event.begin) / span * COLUMNS))
      for c = filled + 1, column do
         columns[c] = before -- it is as it was
      end
      filled = math.max(filled, column)
      local now = { total = live }
      for r = 1, ranks + 1 do
         now[r] = 0
      end
      for line, bytes in pairs(owned) do
         local r = rank[line] or ranks + 1
         now[r] = now[r] + bytes
      end
      if live >= columns[column].total or columns[column] == before then
         columns[column] = now
      end
      before = now
   end)
   for c = filled + 1, COLUMNS - 1 do
      columns[c] = before
   end
   return columns
end

-- One area: from the sum of the ranks below it to the sum with it.
local function area(columns, r, x_of, y_of)
   local upper, lower = {}, {}
   for c = 0, COLUMNS - 1 do
      local below = 0
      for k = 1, r - 1 do
         below = below + columns[c][k]
      end
      local above = below + columns[c][r]
      upper[#upper + 1] = ('%.1f,%.1f'):format(x_of(c), y_of(above))
      upper[#upper + 1] = ('%.1f,%.1f'):format(x_of(c + 1), y_of(above))
      table.insert(lower, 1, ('%.1f,%.1f'):format(x_of(c), y_of(below)))
      table.insert(lower, 1, ('%.1f,%.1f'):format(x_of(c + 1), y_of(below)))
   end
   return table.concat(upper, ' ') .. ' ' .. table.concat(lower, ' ')
end

local function axes(parts, peak, seconds, y_of)
   local width = WIDTH - LEFT - RIGHT
   for i = 0, 4 do
      local y = y_of(peak * i / 4)
      parts[#parts + 1] = ('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/>'):format(
         LEFT, y, LEFT + width, y)
      parts[#parts + 1] = svg.text(LEFT - 6, y + 4, byte_text(peak * i / 4), 'end')
      parts[#parts + 1] = svg.text(LEFT + width * i / 4, HEIGHT - BOTTOM + 18,
         ('%.1f ms'):format(seconds * 1e3 * i / 4), 'middle')
   end
end

--- The picture.
function M.svg(profile, place)
   place = chosen(profile, place)
   local peak, at_peak, lines, rank = largest(profile, place)
   local ranks = math.min(#lines, #COLOURS)
   local columns = sample(profile, place, rank, ranks)
   local width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
   local function x_of(c)
      return LEFT + width * c / COLUMNS
   end
   local function y_of(bytes)
      return TOP + height - height * math.max(bytes, 0) / math.max(peak, 1)
   end
   local parts = {
      svg.text(LEFT, 22, ('memory of %s that was taken meanwhile, by line; %s at most'):format(
         place, byte_text(peak))),
   }
   axes(parts, peak, profile.seconds, y_of)
   local others = 0
   for i = ranks + 1, #lines do
      others = others + at_peak[lines[i]]
   end
   for r = 1, #lines > ranks and ranks + 1 or ranks do
      local name = r <= ranks and ('%s  %s'):format(lines[r], byte_text(at_peak[lines[r]]))
         or ('others  %s'):format(byte_text(others))
      local colour = r <= ranks and COLOURS[r] or OTHERS
      parts[#parts + 1] = ('<polygon points="%s" fill="%s"><title>%s</title></polygon>'):format(
         area(columns, r, x_of, y_of), colour, xml_escaped(name))
      local y = TOP + 12 + 18 * (r - 1)
      parts[#parts + 1] = svg.box(WIDTH - RIGHT + 12, y - 10, 11, 11, colour)
      parts[#parts + 1] = svg.text(WIDTH - RIGHT + 28, y, name)
   end
   return svg.picture(WIDTH, HEIGHT, parts)
end

return M
