--- Files of any format: by their first bytes where they are read, by their name where they are
-- written.
-- @module image.files.formats
local ffi = require 'ffi'
local errors = require 'torch.errors'
local native = require 'image.native'
local sources = require 'image.files.source'
local jpeg = require 'image.files.jpeg'
local png = require 'image.files.png'
local ppm = require 'image.files.ppm'

local byExtension = { jpg = jpeg, jpeg = jpeg, png = png, ppm = ppm, pgm = ppm, pnm = ppm }

local M = {}
local public = {}
M.public = public

--- What can be read and written: extension -> table of functions `loader` (file, depth, type),
-- `saver` (file, tensor) and `sizer` (file).
public.supported_filetypes = {}
for extension, functions in pairs {
   jpg = { jpeg.public.loadJPG, jpeg.public.saveJPG, jpeg.public.getJPGsize },
   png = { png.public.loadPNG, png.public.savePNG, png.public.getPNGsize },
   ppm = { ppm.public.loadPPM, ppm.public.savePPM, ppm.public.getPPMsize },
   pgm = { ppm.public.loadPPM, ppm.public.savePGM, ppm.public.getPPMsize },
} do
   public.supported_filetypes[extension] = {
      loader = functions[1], saver = functions[2], sizer = functions[3],
   }
end
public.supported_filetypes.jpeg = public.supported_filetypes.jpg
public.supported_filetypes.pnm = public.supported_filetypes.ppm

local function extensionOf(file)
   return type(file) == 'string' and (file:match '%.([^./]+)$' or ''):lower() or ''
end

local function formatOf(source)
   if sources.begins(source, jpeg.signature) then
      return jpeg
   elseif sources.begins(source, png.signature) then
      return png
   elseif source.size > 2 and ffi.string(source.data, 3):match '^P[1-6]%s' then
      return ppm
   end
   local format = byExtension[extensionOf(source.path)]
   if not format then
      sources.fail(source, 'unable to determine image type for file: it begins as no JPEG, PNG, '
         .. 'PPM or PGM does')
   end
   return format
end

--- Read a picture: JPEG, PNG, PPM or PGM, told apart by their first bytes whatever the file's name.
-- @param file string
-- @param[opt] depth 1 (grey) or 3 (colours); nil: as the file has it
-- @param[opt] type 'byte' (0..255), 'float' or 'double' (0..1); by default torch.Tensor's type
-- @return C x H x W
-- @raise where there is no such file, it is damaged, or says that it has more pixels than
-- image.maxPixels
function public.load(file, depth, type)
   local source = sources.file('image.load', file)
   return formatOf(source).decode(source, depth, type)
end

--- The picture in a file's bytes, of any format that image.load reads.
-- @param bytes ByteTensor
-- @param[opt] depth as image.load
-- @param[opt] type as image.load
-- @return C x H x W
function public.decompress(bytes, depth, type)
   local source = sources.tensor('image.decompress', bytes)
   return formatOf(source).decode(source, depth, type)
end

--- Write a picture, in the format that the file's name ends in: jpg, jpeg, png, ppm, pgm or pnm.
-- @param file string
-- @param tensor H x W, 1 x H x W or 3 x H x W; 0..1 (what is outside is limited to that), or bytes
function public.save(file, tensor)
   local format = public.supported_filetypes[extensionOf(file)]
   if not format then
      errors.raise(("image.save: %s, wanted a file's name that ends in .jpg, .jpeg, .png, .ppm, "
         .. '.pgm or .pnm'):format(native.describe(file)))
   end
   native.checkPicture('image.save', tensor)
   format.saver(file, tensor)
end

--- Channels, height and width of a picture in a file; its pixels are not read.
-- @param file string
-- @return LongTensor of 3
function public.getSize(file)
   local source = sources.file('image.getSize', file)
   return formatOf(source).size(source)
end

--- Whether a file's name ends as those do that image.save can write.
-- @param file string
-- @return boolean
-- @example image.is_supported 'cat.JPG' --> true
function public.is_supported(file)
   return public.supported_filetypes[extensionOf(file)] ~= nil
end

return M
