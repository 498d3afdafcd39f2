--- PPM and PGM (netpbm): a header in letters, then samples in letters (P2, P3) or as bytes (P5,
-- P6).
-- @module image.files.ppm
local ffi = require 'ffi'
local torch = require 'torch'
local planes = require 'image.files.planes'
local sources = require 'image.files.source'
local errors = require 'torch.errors'

local channelsOf = { P2 = 1, P3 = 3, P5 = 1, P6 = 3 }
local inLetters = { P2 = true, P3 = true }

local HEADER = 4096 -- bytes in which a header must end, comments included

local M = {}

-- The next number of the header, and where it ends: spaces and comments lie before it.
local function number(source, text, at)
   while true do
      local start = text:match('^%s*()', at)
      if text:sub(start, start) ~= '#' then
         local digits, stop = text:match('^(%d+)()', start)
         if not digits or #digits > 9 then
            sources.fail(source, 'cannot be read as PPM: no number at byte %d of its header', start)
         end
         return tonumber(digits), stop
      end
      at = text:match('^[^\n\r]*()', start)
      if at > #text then
         sources.fail(source, 'cannot be read as PPM: its header does not end')
      end
   end
end

local function header(source)
   local text = ffi.string(source.data, math.min(source.size, HEADER))
   local magic = text:sub(1, 2)
   local channels = channelsOf[magic]
   if not channels then
      sources.fail(source, 'cannot be read as PPM: unsupported magic number %s; wanted P2, P3, P5 '
         .. 'or P6', magic:gsub('%c', '.'):gsub('[\128-\255]', '.'))
   end
   local width, height, maximum, at
   width, at = number(source, text, 3)
   height, at = number(source, text, at)
   maximum, at = number(source, text, at)
   if maximum < 1 or maximum > 65535 then
      sources.fail(source, 'cannot be read as PPM: its largest value is %d, wanted 1 to 65535',
         maximum)
   end
   local h = { width = width, height = height, channels = channels, maximum = maximum,
      bits = maximum > 255 and 16 or 8, letters = inLetters[magic], at = at }
   -- A sample in letters has a digit and what parts it from the next.
   local sample = h.letters and 2 or h.bits / 8
   sources.checkPixels(source, width, height, (source.size + 1 - at) / (sample * channels) + 1)
   return h
end

-- Samples in letters as bytes.
local function readLetters(source, h)
   local count = h.width * h.height * h.channels
   local samples = torch.ByteTensor(count * h.bits / 8)
   local to, i = samples:data(), 0
   local text = ffi.string(source.data + h.at - 1, source.size - h.at + 1)
   if text:find('#', 1, true) then
      text = text:gsub('#[^\n\r]*', '')
   end
   for digits in text:gmatch '%S+' do
      local v = #digits <= 9 and digits:match '^%d+$' and tonumber(digits)
      if not v or v > h.maximum then
         sources.fail(source, "cannot be read as PPM: '%s' among its samples, wanted 0 to %d",
            digits:sub(1, 20), h.maximum)
      end
      if h.bits == 8 then
         to[i] = v
      else
         to[2 * i], to[2 * i + 1] = math.floor(v / 256), v % 256
      end
      i = i + 1
      if i == count then
         return samples
      end
   end
   sources.fail(source, 'the PPM file ends early: it has %d samples, wanted %d', i, count)
end

function M.decode(source, depth, kind)
   depth = planes.checkDepth(source.name, depth)
   planes.empty(source.name, kind)
   local h = header(source)
   if h.letters then
      local samples = readLetters(source, h)
      return planes.fromPixels(source.name, samples:data(), samples:nElement(), h, depth, kind)
   end
   local first = h.at -- one space after the header, from which bytes are counted from 0
   local needed = h.width * h.height * h.channels * h.bits / 8
   if source.size - first < needed then
      sources.fail(source, 'the PPM file ends early: it has %d bytes of samples, wanted %d',
         math.max(source.size - first, 0), needed)
   end
   return planes.fromPixels(source.name, source.data + first, source.size - first, h, depth, kind)
end

function M.size(source)
   local h = header(source)
   return torch.LongTensor { h.channels, h.height, h.width }
end

function M.encode(name, picture, channels)
   local pixels, have = planes.toPixels(name, picture, 3)
   if channels == 1 and have == 3 then
      errors.raise(('%s: a PGM is grey, the picture has 3 channels; use image.rgb2y(x), or save it '
         .. 'as PPM'):format(name))
   elseif channels == 3 and have == 1 then
      pixels = pixels:expand(pixels:size(1), pixels:size(2), 3):contiguous()
      have = 3
   end
   local head = ('P%d\n%d %d\n255\n'):format(have == 1 and 5 or 6, pixels:size(2), pixels:size(1))
   local bytes = torch.ByteTensor(#head + pixels:nElement())
   ffi.copy(bytes:data(), head, #head)
   ffi.copy(bytes:data() + #head, pixels:data(), pixels:nElement())
   return bytes
end

local public = {}
M.public = public

--- Read a PPM or PGM file (magic numbers P2, P3, P5, P6; up to 16 bits for a sample).
-- @param file string
-- @param[opt] depth 1 (grey) or 3; nil: as the file has it
-- @param[opt] type 'byte' (0..255), 'float' or 'double' (0..1); by default torch.Tensor's type
-- @return C x H x W
function public.loadPPM(file, depth, type)
   return M.decode(sources.file('image.loadPPM', file), depth, type)
end

--- Write a PPM file: colours, 8 bits for a sample (P6).
-- @param file string
-- @param tensor H x W, 1 x H x W (all channels are the same then) or 3 x H x W; 0..1, or bytes
function public.savePPM(file, tensor)
   sources.write('image.savePPM', file, M.encode('image.savePPM', tensor, 3))
end

--- Write a PGM file: grey, 8 bits for a sample (P5).
-- @param file string
-- @param tensor H x W or 1 x H x W; 0..1, or bytes
function public.savePGM(file, tensor)
   sources.write('image.savePGM', file, M.encode('image.savePGM', tensor, 1))
end

--- Channels, height and width of a PPM or PGM file.
-- @param file string
-- @return LongTensor of 3
function public.getPPMsize(file)
   return M.size(sources.file('image.getPPMsize', file))
end

return M
