--- Rectangles on pictures.
-- @module image.show.rectangle
local errors = require 'torch.errors'
local native = require 'image.native'
local drawing = require 'image.show.text'

local M = {}
local public = {}
M.public = public

local known = { { 'color', { 255, 0, 0 } }, { 'lineWidth', 1 }, { 'inplace', false } }

--- The outline of a rectangle; what lies off the picture is left out.
-- @param src 3 x H x W
-- @param x1 column of the left side, counted from 1
-- @param y1 row of the upper side
-- @param x2 column of the right side
-- @param y2 row of the lower side
-- @param[opt] options table: color ({255, 0, 0}: red, green, blue), lineWidth (1: pixels, about the
-- sides), inplace (false: a copy)
-- @return the picture
-- @example image.drawRect(torch.zeros(3, 4, 4), 1, 1, 4, 4)[1]:sum() --> 12
function public.drawRect(src, x1, y1, x2, y2, options)
   local name = 'image.drawRect'
   local picture, o = drawing.canvas(name, src, options, known)
   x1 = math.floor(native.checkNumber(name, 'x1', x1)) - 1
   y1 = math.floor(native.checkNumber(name, 'y1', y1)) - 1
   x2 = math.floor(native.checkNumber(name, 'x2', x2)) - 1
   y2 = math.floor(native.checkNumber(name, 'y2', y2)) - 1
   local line = math.floor(native.checkNumber(name, 'the line width', o.lineWidth))
   if line < 1 then
      errors.raise(('%s: the line width is %s, wanted 1 or more'):format(name, o.lineWidth))
   elseif x2 < x1 or y2 < y1 then
      errors.raise(('%s: from (%d, %d) to (%d, %d), wanted x1 <= x2 and y1 <= y2'):format(name,
         x1 + 1, y1 + 1, x2 + 1, y2 + 1))
   end
   local colour = drawing.colour(name, 'the colour', o.color, picture)
   local out = math.floor((line - 1) / 2) -- of the line, outside
   local left, top = x1 - out, y1 - out
   local width, height = x2 - x1 + 1 + 2 * out, y2 - y1 + 1 + 2 * out
   drawing.fill(picture, colour, left, top, width, line)
   drawing.fill(picture, colour, left, top + height - line, width, line)
   drawing.fill(picture, colour, left, top, line, height)
   drawing.fill(picture, colour, left + width - line, top, line, height)
   return picture
end

return M
