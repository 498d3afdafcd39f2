--- Pictures as what terminals read. Each takes a ByteTensor of H x W x 3.
-- @module image.show.encoders
local bit = require 'bit'

local band, floor = bit.band, math.floor

local M = {}

local digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

--- Base 64 of a ByteTensor's bytes.
function M.base64(bytes)
   local data, n, out = bytes:data(), bytes:nElement(), {}
   for i = 0, n - 1, 3 do
      local left = n - i
      local second, third = left > 1 and data[i + 1] or 0, left > 2 and data[i + 2] or 0
      local v = data[i] * 65536 + second * 256 + third
      for place = 0, 3 do
         local digit = band(bit.rshift(v, 18 - 6 * place), 63) + 1
         out[#out + 1] = place > left and '=' or digits:sub(digit, digit)
      end
   end
   return table.concat(out)
end

local CHUNK = 4096

--- kitty's protocol: a PNG file in pieces.
-- @param png ByteTensor
function M.kitty(png)
   local text, out = M.base64(png), {}
   for first = 1, #text, CHUNK do
      out[#out + 1] = ('\27_G%sm=%d;%s\27\\'):format(first == 1 and 'f=100,a=T,' or '',
         first + CHUNK <= #text and 1 or 0, text:sub(first, first + CHUNK - 1))
   end
   return table.concat(out) .. '\n'
end

-- Thresholds of an ordered dither, 4 x 4, as parts of a step between two levels.
local thresholds = { [0] = 0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5 }
local LEVELS = 6 -- of each colour: a palette of 216

local function levelOf(v, x, y)
   local threshold = (thresholds[band(y, 3) * 4 + band(x, 3)] + 0.5) / 16
   return floor(v / 255 * (LEVELS - 1) + threshold)
end

-- A line of one colour within a band, runs of more than three dots shortened.
local function runs(dots, width)
   local out, i = {}, 0
   while i < width do
      local dot, first = dots[i] or 0, i
      repeat
         i = i + 1
      until i == width or (dots[i] or 0) ~= dot
      local letter = string.char(63 + dot)
      out[#out + 1] = i - first > 3 and ('!%d%s'):format(i - first, letter)
         or letter:rep(i - first)
   end
   return table.concat(out)
end

--- Sixels: bands of six rows, a line of each for every colour in it.
function M.sixel(pixels)
   local height, width, data = pixels:size(1), pixels:size(2), pixels:data()
   local out = { ('\27Pq"1;1;%d;%d'):format(width, height) }
   for r = 0, LEVELS - 1 do
      for g = 0, LEVELS - 1 do
         for b = 0, LEVELS - 1 do
            out[#out + 1] = ('#%d;2;%d;%d;%d'):format((r * LEVELS + g) * LEVELS + b, r * 20, g * 20,
               b * 20)
         end
      end
   end
   for top = 0, height - 1, 6 do
      local colours, order = {}, {}
      for row = 0, math.min(5, height - 1 - top) do
         for x = 0, width - 1 do
            local y = top + row
            local at = (y * width + x) * 3
            local colour = (levelOf(data[at], x, y) * LEVELS + levelOf(data[at + 1], x, y)) * LEVELS
               + levelOf(data[at + 2], x, y)
            local dots = colours[colour]
            if not dots then
               dots = {}
               colours[colour], order[#order + 1] = dots, colour
            end
            dots[x] = (dots[x] or 0) + 2 ^ row
         end
      end
      for i, colour in ipairs(order) do
         out[#out + 1] = ('%s#%d%s'):format(i > 1 and '$' or '', colour,
            runs(colours[colour], width))
      end
      out[#out + 1] = '-'
   end
   out[#out + 1] = '\27\\\n'
   return table.concat(out)
end

-- A colour as the rest of a sequence: of 2^24, or of the cube of 216.
local function colourOf(data, at, all)
   local r, g, b = data[at], data[at + 1], data[at + 2]
   if all then
      return ('2;%d;%d;%d'):format(r, g, b)
   end
   local function level(v)
      return floor(v / 255 * 5 + 0.5)
   end
   return ('5;%d'):format(16 + 36 * level(r) + 6 * level(g) + level(b))
end

--- Letters: the upper half of a cell in one colour, the lower half in another; where there is no
-- such letter, two blanks for a pixel.
-- @param all whether any colour may be had, not only 216
-- @param unicode whether there are half blocks
function M.blocks(pixels, all, unicode)
   local height, width, data = pixels:size(1), pixels:size(2), pixels:data()
   local out = {}
   for y = 0, height - 1, unicode and 2 or 1 do
      local last
      for x = 0, width - 1 do
         local upper = colourOf(data, (y * width + x) * 3, all)
         local sequence, letter
         if not unicode then
            sequence, letter = ('\27[48;%sm'):format(upper), '  '
         elseif y + 1 < height then
            sequence = ('\27[38;%s;48;%sm'):format(upper,
               colourOf(data, ((y + 1) * width + x) * 3, all))
            letter = '\226\150\128'
         else
            sequence, letter = ('\27[49;38;%sm'):format(upper), '\226\150\128'
         end
         out[#out + 1] = sequence ~= last and sequence .. letter or letter
         last = sequence
      end
      out[#out + 1] = '\27[0m\n'
   end
   return table.concat(out)
end

return M
