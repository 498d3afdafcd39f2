--- What pictures of profiles are drawn with: SVG as text.
-- @module torch.profiler.svg
local xml_escaped = require 'xlua.xml_escaped'

local M = {}

M.FONT = 11 -- pixels
M.CHARACTER = 6.65 -- width of one, in a font with characters of one width

--- As much of a text as fits into a width.
function M.clipped(text, width)
   local room = math.floor(width / M.CHARACTER)
   if #text <= room then
      return text
   end
   return room >= 4 and text:sub(1, room - 2) .. '..' or ''
end

--- Text at a point.
-- @string[opt='start'] anchor 'start', 'middle', 'end'
function M.text(x, y, text, anchor)
   return ('<text x="%.1f" y="%.1f"%s>%s</text>'):format(x, y,
      anchor and (' text-anchor="%s"'):format(anchor) or '', xml_escaped(text))
end

--- A rectangle that says what it is when the mouse is over it.
function M.box(x, y, width, height, colour, title)
   return ('<rect x="%.2f" y="%.1f" width="%.2f" height="%.1f" fill="%s">%s</rect>'):format(
      x, y, width, height, colour,
      title and ('<title>%s</title>'):format(xml_escaped(title)) or '')
end

--- The picture of these parts.
function M.picture(width, height, parts)
   return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
      .. 'font-family="monospace" font-size="%d">\n<rect width="100%%" height="100%%" '
      .. 'fill="#ffffff"/>\n%s\n</svg>\n'):format(width, height, width, height, M.FONT,
      table.concat(parts, '\n'))
end

return M
