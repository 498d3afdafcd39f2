--- PNG, by libpng (lib/image/png.cpp).
-- @module image.files.png
local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local planes = require 'image.files.planes'
local sources = require 'image.files.source'

ffi.cdef(require 'image.gen.png')

-- The most that deflate makes of a byte.
local RAW_PER_BYTE = 1032

local P
local function library(name)
   if not P then
      local path = package.searchpath('libTHpng', package.cpath)
      local ok, loaded = pcall(ffi.load, path or 'libTHpng.so')
      if not ok then
         errors.raise(path
            and name .. ': PNG needs libpng, which is not installed. On Debian: apt install '
            .. 'libpng16-16'
            or name .. ': LuaTorch was built without PNG. On Debian: apt install libpng-dev, and '
            .. 'build it again')
      end
      P = loaded
   end
   return P
end

local M = { signature = '\137PNG\r\n\26\n' }

local function header(source)
   library(source.name)
   local h = ffi.new 'THPng_Header'
   local failure = P.THPng_header(h, source.data, source.size)
   if failure ~= nil then
      sources.fail(source, 'cannot be read as PNG: Error during init_io: %s', ffi.string(failure))
   end
   local width, height, raw = tonumber(h.width), tonumber(h.height), tonumber(h.raw)
   local perPixel = raw / (width * height)
   sources.checkPixels(source, width, height, source.size * RAW_PER_BYTE / perPixel)
   return h, width, height
end

function M.decode(source, depth, kind)
   depth = planes.checkDepth(source.name, depth)
   planes.empty(source.name, kind)
   local h, width, height = header(source)
   local channels, bits = h.channels, h.bits
   local pixels = torch.ByteTensor(height, width, channels * bits / 8)
   local failure = P.THPng_read(pixels:data(), pixels:nElement(), source.data, source.size)
   if failure ~= nil then
      sources.fail(source, 'cannot be read as PNG: Error during read_image: %s',
         ffi.string(failure))
   end
   return planes.fromPixels(source.name, pixels:data(), pixels:nElement(),
      { width = width, height = height, channels = channels, bits = bits }, depth, kind)
end

function M.size(source)
   local h, width, height = header(source)
   return torch.LongTensor { h.channels, height, width }
end

function M.encode(name, picture, bits)
   bits = bits or 8
   if bits ~= 8 and bits ~= 16 then
      errors.raise(('%s: %s bits for a sample, wanted 8 or 16'):format(name, tostring(bits)))
   end
   local pixels, channels = planes.toPixels(name, picture, 4, bits)
   library(name)
   local file = ffi.new 'THPng_File'
   local failure = P.THPng_write(file, pixels:data(), pixels:size(2), pixels:size(1), channels,
      bits)
   if failure ~= nil then
      errors.raise(('%s: %s'):format(name, ffi.string(failure)))
   end
   ffi.gc(file, P.THPng_free) -- should there be no memory for the tensor
   local bytes = torch.ByteTensor(tonumber(file.size))
   ffi.copy(bytes:data(), file.data, file.size)
   P.THPng_free(ffi.gc(file, nil))
   return bytes
end

local public = {}
M.public = public

--- Read a PNG file. Palettes become colours; values are the file's, whatever gamma it names.
-- @param file string
-- @param[opt] depth 1 (grey) or 3 (colours, alpha is left out); nil: as the file has it, 2 and 4
-- being grey and colours with alpha
-- @param[opt] type 'byte' (0..255; of 16 bits the upper 8), 'float' or 'double' (0..1); by default
-- torch.Tensor's type
-- @return C x H x W
function public.loadPNG(file, depth, type)
   return M.decode(sources.file('image.loadPNG', file), depth, type)
end

--- Write a PNG file.
-- @param file string
-- @param tensor H x W or C x H x W, C from 1 to 4 (2 and 4: with alpha); 0..1, or bytes
-- @param[opt=8] bits 8 or 16 for a sample
function public.savePNG(file, tensor, bits)
   sources.write('image.savePNG', file, M.encode('image.savePNG', tensor, bits))
end

--- The picture in a PNG file's bytes.
-- @param bytes ByteTensor
-- @param[opt] depth as image.loadPNG
-- @param[opt] type as image.loadPNG
-- @return C x H x W
function public.decompressPNG(bytes, depth, type)
   return M.decode(sources.tensor('image.decompressPNG', bytes), depth, type)
end

--- A PNG file in memory.
-- @param tensor as image.savePNG
-- @param[opt=8] bits 8 or 16 for a sample
-- @return ByteTensor
-- @example image.decompressPNG(image.compressPNG(torch.ones(1, 2, 2))):sum() --> 4
function public.compressPNG(tensor, bits)
   return M.encode('image.compressPNG', tensor, bits)
end

--- Channels, height and width of a PNG file.
-- @param file string
-- @return LongTensor of 3
function public.getPNGsize(file)
   return M.size(sources.file('image.getPNGsize', file))
end

return M
