--- Text on pictures.
-- @module image.show.text
local bit = require 'bit'
local errors = require 'torch.errors'
local native = require 'image.native'
local font = require 'image.show.font'
local types = require 'torch.types'

local M = {}
local public = {}
M.public = public

--- Raise unless a picture has three channels; a colour of 0..255 as its type has it.
function M.canvas(name, src, options, known)
   native.checkPicture(name, src)
   if src:dim() ~= 3 or src:size(1) ~= 3 then
      errors.raise(('%s: wanted a picture of 3 x H x W, got %s'):format(name,
         native.describe(src)))
   elseif options ~= nil and type(options) ~= 'table' then
      errors.raise(('%s: the options are %s, wanted a table'):format(name,
         native.describe(options)))
   end
   local o = native.arguments(name, known, options or {})
   return o.inplace and src or src:clone(), o
end

function M.colour(name, what, colour, x)
   if type(colour) ~= 'table' or #colour ~= 3 then
      errors.raise(('%s: %s is %s, wanted a table of red, green and blue, each 0 to 255'):format(
         name, what, native.describe(colour)))
   end
   local scale = types.isFloating(x.dtype) and 255 or 1
   return { colour[1] / scale, colour[2] / scale, colour[3] / scale }
end

--- Fill a rectangle, as far as it lies on the picture.
-- @param x first column, counted from 0
-- @param y first row
function M.fill(picture, colour, x, y, width, height)
   local x1, y1 = math.max(x, 0), math.max(y, 0)
   local x2, y2 = math.min(x + width, picture:size(3)), math.min(y + height, picture:size(2))
   if x2 > x1 and y2 > y1 then
      local part = picture:narrow(3, x1 + 1, x2 - x1):narrow(2, y1 + 1, y2 - y1)
      for channel = 1, 3 do
         part:select(1, channel):fill(colour[channel])
      end
   end
end

local function drawLetter(picture, letter, x, y, size, colour)
   for column = 1, #letter do
      for row = 0, font.height - 1 do
         if bit.band(letter[column], bit.lshift(1, row)) ~= 0 then
            M.fill(picture, colour, x + (column - 1) * size, y + row * size, size, size)
         end
      end
   end
end

local known = { { 'color', { 255, 0, 0 } }, { 'bg' }, { 'size', 1 }, { 'wrap', true },
   { 'inplace', false } }

--- Text on a picture, in letters of 5 x 7 dots.
-- @param src 3 x H x W
-- @param text string; '\n' begins a line
-- @param x columns left of the first letter
-- @param y rows above it
-- @param[opt] options table: color ({255, 0, 0}: red, green, blue), bg (colour behind the letters;
-- without, what is there stays), size (1: pixels of a dot), wrap (true: a line that would leave the
-- picture goes on below), inplace (false: a copy)
-- @return the picture
-- @example image.drawText(torch.zeros(3, 8, 8), 'I', 0, 0)[1][2][3] --> 1
function public.drawText(src, text, x, y, options)
   local name = 'image.drawText'
   local picture, o = M.canvas(name, src, options, known)
   x = math.floor(native.checkNumber(name, 'x', x))
   y = math.floor(native.checkNumber(name, 'y', y))
   local size = math.floor(native.checkNumber(name, 'the size', o.size))
   if size < 1 then
      errors.raise(('%s: the size is %s, wanted 1 or more'):format(name, o.size))
   end
   local colour = M.colour(name, 'the colour', o.color, picture)
   local behind = o.bg and M.colour(name, 'the background', o.bg, picture)
   local width, height = font.width * size, font.height * size
   local at = x
   for i = 1, #tostring(text) do
      local code = tostring(text):byte(i)
      if code == 10 then
         at, y = x, y + height
      else
         if o.wrap and at > x and at + width > picture:size(3) then
            at, y = x, y + height
         end
         if y >= picture:size(2) then
            break
         end
         if behind then
            M.fill(picture, behind, at, y, width, height)
         end
         drawLetter(picture, font.letters[code], at, y, size, colour)
         at = at + width
      end
   end
   return picture
end

return M
