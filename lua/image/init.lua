--- Pictures: files, geometry, colours, filters, drawing, and showing them.
--
-- A picture is a tensor on the CPU of C x H x W (C = 3: red, green, blue; 1: grey), or of H x W.
-- Values are 0..1 in tensors of floats, 0..255 in those of bytes. Functions take sizes and
-- positions as (width, height) and (x, y). Where a form is `f([dst,] src)`, the result goes into
-- `dst` and is returned; dst may be src. Requiring it defines the global `image`.
--
-- JPEG takes libjpeg-turbo (Debian's libturbojpeg0), PNG takes libpng (libpng16-16, and libpng- dev
-- when LuaTorch is built); PPM and PGM take nothing.
-- @module image
-- @usage local x = image.load('cat.jpg', 3, 'float')
-- image.save('small.png', image.scale(x, 224, 224))
require 'torch'
-- Scripts that say `require 'image'` find these as well.
require 'paths'
require 'sys'
require 'xlua'
require 'dok'
require('torch.errors').library()

local image = {}
-- The files below say `require 'image'` too: give them the namespace while it is being filled.
package.loaded.image = image
rawset(_G, 'image', image)

local rooms = {
   { 'files', 'formats', 'jpeg', 'png', 'ppm' },
   { 'shape', 'crop', 'flip', 'scale', 'warp' },
   { 'colour', 'spaces', 'maps', 'range' },
   { 'filter', 'windows', 'convolve', 'morphology', 'pyramid' },
   { 'show', 'grid', 'text', 'rectangle', 'display', 'samples' },
}
for _, room in ipairs(rooms) do
   for i = 2, #room do
      for name, value in pairs(require(('image.%s.%s'):format(room[1], room[i])).public) do
         image[name] = value
      end
   end
end

--- The most pixels that a file may say it has, 2^28 (16384 x 16384): a few bytes can claim far more
-- than there is memory. Set it where a picture is larger and the file can be trusted.
image.maxPixels = 2 ^ 28

require 'image.methods'

return image
