--- Flame graphs: stacks of calls, widths are times (B. Gregg, "The Flame Graph", CACM 59(6), 2016).
-- @module torch.profiler.flame
local events = require 'torch.profiler.events'
local svg = require 'torch.profiler.svg'

local M = {}

local WIDTH, MARGIN, ROW, TOP = 1200, 10, 17, 54
local LEAST = 0.3 -- pixels that a box must have to be drawn
local COLOURS = { -- what it is -> shades, by name
   all = { '#d0d0d0' }, line = { '#f6c667', '#f2b84b', '#f8d387' },
   range = { '#c9a7e0', '#b98fd6' }, forward = { '#9fd08c', '#8bc577' },
   backward = { '#7fc4b8', '#6bb7aa' }, operation = { '#f28e6f', '#ee7b58', '#f5a488' },
}
local ORDER = { 'line', 'range', 'forward', 'backward', 'operation' }

local function child(node, name, kind)
   local key = kind .. ' ' .. name
   local found = node.children[key]
   if not found then
      found = { name = name, kind = kind, time = 0, calls = 0, children = {}, order = {} }
      node.children[key] = found
      table.insert(node.order, found)
   end
   return found
end

-- A line takes what is called from it.
local function add_up(node)
   local sum = 0
   for _, inner in ipairs(node.order) do
      sum = sum + add_up(inner)
   end
   if node.kind == 'line' then
      node.time = sum
   end
   return node.time
end

--- The tree of calls: name, kind, time (s), calls, order (its children).
function M.tree(profile)
   local list, n = events.of(profile)
   local lines = events.lines(profile)
   local root = {
      name = 'all', kind = 'all', time = profile.seconds, calls = 1, children = {}, order = {},
   }
   local nodes = {} -- of events that may have children
   for i = 0, n - 1 do
      local event = list[i]
      if event.kind ~= events.MEMORY then
         local parent = event.parent
         local node = parent >= 0 and nodes[parent] or root
         local stack = lines(event.place)
         local outer = parent >= 0 and lines(list[parent].place) or {}
         for _, line in ipairs(events.beyond(stack, outer)) do
            node = child(node, line, 'line')
         end
         local operation = event.kind == events.OPERATION
         local kind = operation and 'operation' or profile._names[event.name].kind
         node = child(node, events.label(profile, event), kind)
         node.time = node.time + events.seconds(event['end'] - event.begin)
         node.calls = node.calls + 1
         nodes[i] = node
      end
   end
   add_up(root)
   return root
end

local function colour(node)
   local shades = COLOURS[node.kind]
   local sum = 0
   for i = 1, #node.name do
      sum = sum + node.name:byte(i)
   end
   return shades[sum % #shades + 1]
end

local function depth_of(node, scale)
   local depth = 0
   for _, inner in ipairs(node.order) do
      if inner.time * scale >= LEAST then
         depth = math.max(depth, depth_of(inner, scale))
      end
   end
   return depth + 1
end

local function title(node, all)
   local text = ('%s: %.3f ms, %.1f%%'):format(node.name, node.time * 1e3, 100 * node.time / all)
   return node.calls > 1 and ('%s, %d calls'):format(text, node.calls) or text
end

--- The picture.
function M.svg(profile)
   local root = M.tree(profile)
   local scale = (WIDTH - 2 * MARGIN) / root.time
   local depth = depth_of(root, scale)
   local height = TOP + depth * ROW + MARGIN
   local parts = {
      svg.text(MARGIN, 20, ('%.3f ms; lines of the script, layers and operations, by time'):format(
         root.time * 1e3)),
   }
   local x = MARGIN
   for _, kind in ipairs(ORDER) do
      parts[#parts + 1] = svg.box(x, 30, 11, 11, COLOURS[kind][1])
      parts[#parts + 1] = svg.text(x + 15, 40, kind)
      x = x + 15 + (#kind + 2) * svg.CHARACTER
   end
   local function draw(node, left, level)
      local width = node.time * scale
      local y = height - MARGIN - (level + 1) * ROW
      parts[#parts + 1] = svg.box(left, y, math.max(width - 0.5, LEAST), ROW - 1, colour(node),
         title(node, root.time))
      local label = svg.clipped(node.name, width - 6)
      if label ~= '' then
         parts[#parts + 1] = svg.text(left + 3, y + 12, label)
      end
      for _, inner in ipairs(node.order) do
         if inner.time * scale >= LEAST then
            draw(inner, left, level + 1)
         end
         left = left + inner.time * scale
      end
   end
   draw(root, MARGIN, 0)
   return svg.picture(WIDTH, height, parts)
end

return M
