--- Damaged pictures: bytes changed, cut off, put together from several files; in PNG the checksums
-- are made right again, so that what they guard is reached.
local bit = require 'bit'
local torch = require 'torch'
local read = require('test.support.shell').read

local M = { folder = 'test/data/image/' }

M.names = {
   'baseline.jpg', 'progressive.jpg', 'restarts.jpg', 'grey.jpg', 'inks.jpg', 'rgb.jpg',
   'colours.png', 'palette.png', 'interlaced.png', 'deep.png', 'alpha.png', 'grey_alpha.png',
   'bits.png', 'colours.ppm', 'letters.ppm', 'deep.pgm',
}

--- Bytes of a string.
function M.tensor(text)
   return torch.ByteTensor(torch.ByteStorage():string(text))
end

--- A number as so many bytes, the highest first.
function M.number(n, width)
   local out = ''
   for _ = 1, width do
      out = string.char(n % 256) .. out
      n = math.floor(n / 256)
   end
   return out
end

local remainders = {}
for i = 0, 255 do
   local c = i
   for _ = 1, 8 do
      c = bit.bxor(bit.rshift(c, 1), bit.band(c, 1) ~= 0 and 0xedb88320 or 0)
   end
   remainders[i] = c
end

--- PNG's checksum (CRC-32).
function M.checksum(text)
   local c = 0xffffffff
   for i = 1, #text do
      c = bit.bxor(bit.rshift(c, 8), remainders[bit.band(bit.bxor(c, text:byte(i)), 255)])
   end
   return bit.bnot(c) % 2 ^ 32
end

--- A PNG file with the right checksums, as far as its parts can be told.
function M.repaired(text)
   local out, at = { text:sub(1, 8) }, 9
   while at + 12 <= #text do
      local a, b, c, d = text:byte(at, at + 3)
      local length = ((a * 256 + b) * 256 + c) * 256 + d
      if at + 11 + length > #text then
         break
      end
      local part = text:sub(at + 4, at + 7 + length)
      out[#out + 1] = text:sub(at, at + 3) .. part .. M.number(M.checksum(part), 4)
      at = at + 12 + length
   end
   return table.concat(out) .. text:sub(at)
end

local texts = {}
for i, name in ipairs(M.names) do
   texts[i] = read(M.folder .. name)
end

-- Values that sizes, counts and lengths go wrong at.
local odd = { 0, 1, 127, 128, 255 }

local function changed(text)
   for _ = 1, math.random(1, 6) do
      local at = math.random(1, #text)
      local value = math.random(3) == 1 and odd[math.random(#odd)] or math.random(0, 255)
      text = text:sub(1, at - 1) .. string.char(value) .. text:sub(at + 1)
   end
   return text
end

local function cut(text)
   return text:sub(1, math.random(1, #text))
end

local function without(text)
   local at = math.random(1, #text)
   return text:sub(1, at - 1) .. text:sub(at + math.random(1, 20))
end

local function twice(text)
   local at = math.random(1, #text)
   local length = math.random(1, 40)
   return text:sub(1, at + length) .. text:sub(at)
end

local function joined(text)
   local other = texts[math.random(#texts)]
   return text:sub(1, math.random(2, #text)) .. other:sub(math.random(1, #other))
end

local ways = { changed, changed, changed, changed, cut, without, twice, joined }

--- A damaged picture, by math.random.
-- @return string, and the name of the file that it was made of
function M.random()
   local i = math.random(#texts)
   local text = texts[i]
   for _ = 1, math.random(1, 2) do
      text = ways[math.random(#ways)](text)
      if #text == 0 then
         text = 'P'
      end
   end
   if text:sub(1, 4) == '\137PNG' and math.random(4) > 1 then
      text = M.repaired(text)
   end
   return text, M.names[i]
end

return M
