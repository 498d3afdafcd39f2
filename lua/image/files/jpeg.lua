--- JPEG, by libjpeg-turbo's TurboJPEG interface: no code between it and Lua.
-- @module image.files.jpeg
local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local native = require 'image.native'
local planes = require 'image.files.planes'
local sources = require 'image.files.source'

ffi.cdef [[
void *image_tjInitDecompress(void) __asm__("tjInitDecompress");
void *image_tjInitCompress(void) __asm__("tjInitCompress");
int image_tjDestroy(void *) __asm__("tjDestroy");
int image_tjDecompressHeader3(void *, const uint8_t *file, unsigned long size, int *width,
   int *height, int *subsampling, int *colorspace) __asm__("tjDecompressHeader3");
int image_tjDecompress2(void *, const uint8_t *file, unsigned long size, uint8_t *pixels, int width,
   int pitch, int height, int format, int flags) __asm__("tjDecompress2");
int image_tjCompress2(void *, const uint8_t *pixels, int width, int pitch, int height, int format,
   uint8_t **file, unsigned long *size, int subsampling, int quality, int flags)
   __asm__("tjCompress2");
void image_tjFree(uint8_t *) __asm__("tjFree");
const char *image_tjGetErrorStr2(void *) __asm__("tjGetErrorStr2");
int image_tjGetErrorCode(void *) __asm__("tjGetErrorCode");
]]

-- Of turbojpeg.h: formats of pixels, colour spaces, subsamplings, flags.
local RGB, GREY, CMYK = 0, 6, 11
local CS_GREY, CS_CMYK, CS_YCCK = 2, 3, 4
local SAMPLED_420, SAMPLED_GREY = 2, 3
local ACCURATE, STOP_ON_WARNING, LIMIT_SCANS = 4096, 8192, 32768
local WARNING = 0

-- A block of 8 x 8 pixels takes a bit of the file, unless it is arithmetically coded: with room to
-- spare.
local PIXELS_PER_BYTE = 1024

local T
local function library(name)
   if not T then
      local ok, loaded = pcall(ffi.load, 'libturbojpeg.so.0')
      if not ok then
         errors.raise(('%s: JPEG needs libjpeg-turbo, which is not installed. On Debian: apt '
            .. 'install libturbojpeg0'):format(name))
      end
      T = loaded
   end
   return T
end

local decoder, encoder
local function handle(of, init)
   of = of or ffi.gc(init(), T.image_tjDestroy)
   if of == nil then
      errors.raise 'image: no memory for a JPEG decoder'
   end
   return of
end

-- What went wrong, and whether that is but a warning. The decoder goes: after an error TurboJPEG's
-- may read what is left of a file in the next one.
local function decoderFailure()
   local text = ffi.string(T.image_tjGetErrorStr2(decoder))
   local isWarning = T.image_tjGetErrorCode(decoder) == WARNING
   T.image_tjDestroy(ffi.gc(decoder, nil))
   decoder = nil
   return text, isWarning
end

local numbers = ffi.new 'int[4]'

-- Width, height and colour space of a file.
local function header(source)
   library(source.name)
   decoder = handle(decoder, T.image_tjInitDecompress)
   numbers[0], numbers[1] = 0, 0
   -- An unusual subsampling is an error there, after all else is known, and none in decoding.
   if T.image_tjDecompressHeader3(decoder, source.data, source.size, numbers, numbers + 1,
      numbers + 2, numbers + 3) ~= 0 then
      local text = decoderFailure()
      if numbers[0] < 1 or numbers[1] < 1 then
         sources.fail(source, 'cannot be read as JPEG: %s', text)
      end
   end
   local width, height, space = numbers[0], numbers[1], numbers[3]
   sources.checkPixels(source, width, height, source.size * PIXELS_PER_BYTE)
   return width, height, space
end

local function decompress(source, pixels, width, height, channels, format, flags)
   decoder = handle(decoder, T.image_tjInitDecompress)
   return T.image_tjDecompress2(decoder, source.data, source.size, pixels:data(), width,
      width * channels, height, format, flags) == 0
end

-- Bytes between markers and the like are warnings, after which there is a picture. The end of the
-- file is a warning as well, with grey for what is missing: here that is an error. An error that
-- follows a warning is reported as one; it is known by its text, for of the warnings the first
-- one's is kept.
local function decodePixels(source, width, height, channels, format)
   local pixels = torch.ByteTensor(height, width, channels)
   local flags = ACCURATE + LIMIT_SCANS
   if decompress(source, pixels, width, height, channels, format, flags + STOP_ON_WARNING) then
      return pixels
   end
   local text, isWarning = decoderFailure()
   if text:find('Premature end of JPEG file', 1, true) then
      sources.fail(source, 'the JPEG file ends early: %s', text)
   elseif isWarning then
      if decompress(source, pixels, width, height, channels, format, flags) then
         return pixels
      end
      local again = decoderFailure()
      if again == text then
         return pixels
      end
      text = again
   end
   sources.fail(source, 'cannot be read as JPEG: %s', text)
end

-- Adobe's inverted inks: a colour is what ink and black let through.
local function fromInks(source, pixels, width, height, depth, kind)
   local inks = planes.fromPixels(source.name, pixels:data(), pixels:nElement(),
      { width = width, height = height, channels = 4 }, nil, 'float')
   local black = inks:narrow(1, 4, 1):expand(3, height, width)
   local colours = inks:narrow(1, 1, 3):cmul(black):mul(255):add(0.5):byte():permute(2, 3, 1)
      :contiguous()
   return planes.fromPixels(source.name, colours:data(), colours:nElement(),
      { width = width, height = height, channels = 3 }, depth, kind)
end

local M = { signature = '\255\216\255' }

function M.decode(source, depth, kind)
   depth = planes.checkDepth(source.name, depth)
   planes.empty(source.name, kind) -- before there is work
   local width, height, space = header(source)
   if space == CS_CMYK or space == CS_YCCK then
      local inks = decodePixels(source, width, height, 4, CMYK)
      return fromInks(source, inks, width, height, depth, kind)
   end
   local grey = depth == 1 or depth == nil and space == CS_GREY
   local channels = grey and 1 or 3
   local pixels = decodePixels(source, width, height, channels, grey and GREY or RGB)
   if grey and kind == 'byte' then
      return pixels:resize(1, height, width)
   end
   return planes.fromPixels(source.name, pixels:data(), pixels:nElement(),
      { width = width, height = height, channels = channels }, nil, kind)
end

function M.size(source)
   local width, height, space = header(source)
   return torch.LongTensor { space == CS_GREY and 1 or 3, height, width }
end

-- tjCompress2 fills a block of its own; it must not be lost when there is no memory for the tensor.
function M.encode(name, picture, quality)
   quality = quality == nil and 75 or native.checkNumber(name, 'the quality', quality)
   if quality < 1 or quality > 100 then
      errors.raise(('%s: the quality is %s, wanted 1 to 100'):format(name, quality))
   end
   local pixels, channels = planes.toPixels(name, picture, 3)
   local height, width = pixels:size(1), pixels:size(2)
   if width > 65500 or height > 65500 then
      errors.raise(('%s: the picture is %d x %d, a JPEG has at most 65500 rows and columns; save '
         .. 'it as PNG'):format(name, width, height))
   end
   library(name)
   encoder = handle(encoder, T.image_tjInitCompress)
   local file, size = ffi.new 'uint8_t *[1]', ffi.new 'unsigned long[1]'
   local failed = T.image_tjCompress2(encoder, pixels:data(), width, width * channels, height,
      channels == 1 and GREY or RGB, file, size, channels == 1 and SAMPLED_GREY or SAMPLED_420,
      quality, ACCURATE) ~= 0
   local owned = ffi.gc(file[0], T.image_tjFree)
   if failed then
      local text = ffi.string(T.image_tjGetErrorStr2(encoder))
      T.image_tjDestroy(ffi.gc(encoder, nil))
      encoder = nil
      errors.raise(('%s: %s'):format(name, text))
   end
   local bytes = torch.ByteTensor(tonumber(size[0]))
   ffi.copy(bytes:data(), owned, size[0])
   T.image_tjFree(ffi.gc(owned, nil))
   return bytes
end

local public = {}
M.public = public

--- Read a JPEG file.
-- @param file string
-- @param[opt] depth 1 (grey) or 3; nil: as the file has it
-- @param[opt] type 'byte' (0..255), 'float' or 'double' (0..1); by default torch.Tensor's type
-- @return C x H x W
-- @raise where the file is no JPEG, or ends early. What libjpeg-turbo only warns of, such as bytes
-- between two parts, is no error.
function public.loadJPG(file, depth, type)
   return M.decode(sources.file('image.loadJPG', file), depth, type)
end

--- Write a JPEG file.
-- @param file string
-- @param tensor H x W, 1 x H x W or 3 x H x W, 0..1, or bytes
-- @param[opt=75] quality 1 to 100
function public.saveJPG(file, tensor, quality)
   sources.write('image.saveJPG', file, M.encode('image.saveJPG', tensor, quality))
end

--- The picture in a JPEG file's bytes.
-- @param bytes ByteTensor
-- @param[opt] depth as image.loadJPG
-- @param[opt] type as image.loadJPG
-- @return C x H x W
function public.decompressJPG(bytes, depth, type)
   return M.decode(sources.tensor('image.decompressJPG', bytes), depth, type)
end

--- A JPEG file in memory.
-- @param tensor as image.saveJPG
-- @param[opt=75] quality 1 to 100
-- @return ByteTensor
-- @example image.decompressJPG(image.compressJPG(torch.zeros(3, 8, 8))):sum() --> 0
function public.compressJPG(tensor, quality)
   return M.encode('image.compressJPG', tensor, quality)
end

--- Channels, height and width of a JPEG file.
-- @param file string
-- @return LongTensor of 3
function public.getJPGsize(file)
   return M.size(sources.file('image.getJPGsize', file))
end

return M
