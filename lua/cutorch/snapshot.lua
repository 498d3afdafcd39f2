--- A memory snapshot as one HTML page that needs nothing else: a picture (SVG) of the segments with
-- their blocks by address, coloured by the line of the script or by size; totals; who holds how
-- much, and the history.
-- @module cutorch.snapshot
local json = require 'cutorch.json'
local byte_text = require 'xlua.byte_text'
local xml_escaped = require 'xlua.xml_escaped'

local M = {}

local WIDTH, LABEL, ROW, BAR = 1030, 180, 22, 18 -- of the picture, in pixels
local MOST_ROWS = 60
local MOST_EVENTS = 1000 -- of the history
local PAGE_BYTES = 2 ^ 21

local STYLE = [[
body { font: 14px sans-serif; margin: 2em; max-width: 75em }
td, th { padding: 2px 10px; text-align: left }
td.number { text-align: right }
]]

local SVG_STYLE = [[
text { font: 11px sans-serif }
.free { fill: #e4e4e4 } .pending { fill: url(#waiting) }
.unmapped { fill: none; stroke: #bbb; stroke-dasharray: 3 3 }
rect { stroke: #fff; stroke-width: 0.5 } g:hover rect { stroke: #000 }
]]

local function size(bytes)
   return byte_text(bytes, 2)
end

local NO_LINE = 'line not recorded'

-- A colour for a line of the script, the same in every snapshot.
local function colourOfLine(line)
   local hash = 0
   for i = 1, #line do
      hash = (hash * 31 + line:byte(i)) % 360
   end
   return ('hsl(%d, 60%%, 60%%)'):format(hash)
end

local SIZES = { -- up to so many bytes
   { 2 ^ 12, 'hsl(275, 50%, 65%)' }, { 2 ^ 16, 'hsl(230, 60%, 65%)' },
   { 2 ^ 20, 'hsl(190, 60%, 50%)' }, { 2 ^ 24, 'hsl(120, 40%, 50%)' },
   { 2 ^ 28, 'hsl(45, 85%, 55%)' }, { math.huge, 'hsl(10, 75%, 55%)' },
}

local function colourOfSize(bytes)
   for _, class in ipairs(SIZES) do
      if bytes <= class[1] then
         return class[2]
      end
   end
end

-- Offsets of the blocks, and where memory ends: a range has addresses far beyond.
local function measure(segment)
   local at, extent = 0, 0
   for _, block in ipairs(segment.blocks) do
      block.offset = at
      at = at + block.bytes
      extent = block.state == 'unmapped' and extent or at
   end
   segment.extent = extent
end

-- A picture under construction: rows of so many bytes each.
local Picture = {}
Picture.__index = Picture

function Picture:put(text, ...)
   self.parts[#self.parts + 1] = text:format(...)
end

-- A rectangle for each row that bytes [from, to) of the segment come to lie in.
function Picture:rectangles(top, from, to, attributes)
   local scale = (WIDTH - LABEL) / self.rowBytes
   while from < to do
      local row = math.floor(from / self.rowBytes)
      local stop = math.min(to, (row + 1) * self.rowBytes)
      local width = math.max((stop - from) * scale, 0.5)
      local x = math.min(LABEL + (from - row * self.rowBytes) * scale, WIDTH - width)
      self:put('<rect x="%.2f" y="%d" width="%.2f" height="%d"%s/>', x, top + row * ROW, width, BAR,
         attributes)
      from = stop
   end
end

function Picture:block(top, segment, block)
   local live = block.state == 'live'
   local from, to = block.offset, math.min(block.offset + block.bytes, segment.extent)
   if from >= to then
      return -- addresses behind the last page
   end
   local asked = live and (', asked %s, %s'):format(size(block.requested),
      block.line or NO_LINE) or ''
   self:put('<g class="%s" data-address="%s" data-bytes="%d"><title>%s %s%s; %s</title>',
      xml_escaped(block.state), xml_escaped(block.address), block.bytes, xml_escaped(block.state),
      size(block.bytes), xml_escaped(asked), xml_escaped(block.address))
   self:rectangles(top, from, to, live and (' fill="%s"'):format(
      self.byLine and colourOfLine(block.line or NO_LINE) or colourOfSize(block.bytes))
      or (' class="%s"'):format(xml_escaped(block.state)))
   self:put '</g>'
end

function Picture:segment(segment)
   local top = self.height
   self:put('<g class="segment" data-address="%s"><text x="0" y="%d">%s %s, stream %d</text>',
      xml_escaped(segment.address), top + 13, size(segment.extent), xml_escaped(segment.kind),
      self.streams[segment.stream])
   for _, block in ipairs(segment.blocks) do
      self:block(top, segment, block)
   end
   self:put '</g>'
   self.height = top + math.max(1, math.ceil(segment.extent / self.rowBytes)) * ROW + 4
end

local function picture(snapshot, byLine)
   local total, streams, count = 0, { ['0x0'] = 0 }, 0
   for _, segment in ipairs(snapshot.segments) do
      measure(segment)
      total = total + segment.extent
      if not streams[segment.stream] then -- a handle, which tells a reader nothing
         count = count + 1
         streams[segment.stream] = count
      end
   end
   local self = setmetatable({ parts = {}, height = 4, byLine = byLine, streams = streams },
      Picture)
   self.rowBytes = math.max(1, math.ceil(total / MOST_ROWS / PAGE_BYTES)) * PAGE_BYTES
   table.sort(snapshot.segments, function(a, b)
      return a.extent > b.extent or a.extent == b.extent and a.address < b.address
   end)
   for _, segment in ipairs(snapshot.segments) do
      self:segment(segment)
   end
   return ([[<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">
<style>
%s</style>
<defs><pattern id="waiting" width="6" height="6" patternUnits="userSpaceOnUse">
<path d="M0 6L6 0" stroke="#999"/></pattern></defs>
%s
</svg>
<p>A full row is %s.</p>]]):format(WIDTH, self.height, SVG_STYLE, table.concat(self.parts, '\n'),
      size(self.rowBytes))
end

local function swatch(colour, text)
   return ('<span style="background:%s">&emsp;</span> %s&emsp;'):format(colour, xml_escaped(text))
end

local function legend(byLine)
   local parts = { '<p id="legend">' }
   if byLine then
      parts[2] = 'live blocks in the colours of their lines (below)&emsp;'
   else
      for i, class in ipairs(SIZES) do
         parts[#parts + 1] = swatch(class[2], i < #SIZES and 'up to ' .. size(class[1])
            or 'larger')
      end
   end
   parts[#parts + 1] = swatch('#e4e4e4', 'free')
   parts[#parts + 1] = swatch('repeating-linear-gradient(135deg,#999 0 1px,#fff 1px 4px)',
      'free, but streams still use it')
   parts[#parts + 1] = 'dashed: given back, addresses only</p>'
   return table.concat(parts)
end

-- Who holds how much: { line, bytes, blocks }, the largest first; and whether any line is known.
local function holders(snapshot)
   local known, lines, any = {}, {}, false
   for _, segment in ipairs(snapshot.segments) do
      for _, block in ipairs(segment.blocks) do
         if block.state == 'live' then
            local line = block.line or NO_LINE
            any = any or block.line ~= nil
            if not known[line] then
               known[line] = { line = line, bytes = 0, blocks = 0 }
               lines[#lines + 1] = known[line]
            end
            known[line].bytes = known[line].bytes + block.bytes
            known[line].blocks = known[line].blocks + 1
         end
      end
   end
   table.sort(lines, function(a, b)
      return a.bytes > b.bytes or a.bytes == b.bytes and a.line < b.line
   end)
   return lines, any
end

local function row(...)
   return '<tr>' .. table.concat({ ... }) .. '</tr>\n'
end

local function cell(text, class)
   return ('<td%s>%s</td>'):format(class and ' class="number"' or '', text)
end

local function linesTable(lines)
   local rows = {}
   for i, each in ipairs(lines) do
      rows[i] = row(cell(size(each.bytes), 'number'),
         cell(each.blocks .. (each.blocks == 1 and ' block' or ' blocks')),
         cell(swatch(colourOfLine(each.line), each.line)))
   end
   return table.concat(rows)
end

local function historyTable(history)
   local rows = {}
   for i = math.max(1, #history - MOST_EVENTS + 1), #history do
      local e = history[i]
      rows[#rows + 1] = row(cell(('%.6f s'):format(e.seconds), 'number'),
         cell(xml_escaped(e.event)), cell(size(e.bytes), 'number'),
         cell(xml_escaped(e.address)), cell(xml_escaped(e.line)))
   end
   return table.concat(rows)
end

--- The page of a snapshot.
-- @param text string: what the allocator tells of a pool, JSON
-- @param[opt] title string
-- @return string: the page
function M.page(text, title)
   local snapshot = json.read(text)
   local s = snapshot.statistics
   local lines, byLine = holders(snapshot)
   title = xml_escaped(title or 'Memory')
   return table.concat {
      '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>', title, '</title>\n<style>\n', STYLE,
      '</style>\n<h1>', title, '</h1>\n<p id="sum">',
      ('%s live in %d blocks (peak %s), %s reserved (peak %s), %s free between live blocks, %s</p>')
         :format(size(s.allocated.current), s.blocks.current, size(s.allocated.peak),
            size(s.reserved.current), size(s.reserved.peak), size(s.inactive.current),
            s.limit == 0 and 'no limit' or 'limit ' .. size(s.limit)),
      '\n', legend(byLine), '\n', picture(snapshot, byLine),
      '\n<h2>Live memory by line</h2>\n<table id="lines">\n', linesTable(lines),
      '</table>\n<h2>History</h2>\n<table id="history">\n', historyTable(snapshot.history),
      '</table>\n',
   }
end

return M
