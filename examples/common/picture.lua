--- Writes images as one picture, side by side in a grid, in the formats PGM (grey) and PPM (RGB).
-- Every viewer of pictures shows them, and `pnmtopng` of the package netpbm makes PNGs of them.
-- Source of the formats: netpbm's manual pages pgm(5) and ppm(5).

local torch = require 'torch'

local picture = {}

local GAP = 2 -- pixels between images, white

--- Images in rows, with a gap around each.
-- @tparam Tensor images N x H x W or N x channels x H x W, from 0 (black) to 1 (white)
-- @int columns images in a row
-- @treturn FloatTensor channels x height x width
function picture.grid(images, columns)
   if images:dim() == 3 then
      images = images:view(images:size(1), 1, images:size(2), images:size(3))
   end
   local count, channels, height, width = unpack(images:size():totable())
   local rows = math.ceil(count / columns)
   local grid = torch.FloatTensor(channels, rows * (height + GAP) + GAP,
      columns * (width + GAP) + GAP):fill(1)
   for i = 0, count - 1 do
      local top = math.floor(i / columns) * (height + GAP) + GAP
      local left = i % columns * (width + GAP) + GAP
      grid:narrow(2, top + 1, height):narrow(3, left + 1, width):copy(images[i + 1])
   end
   return grid
end

--- Write images to a file.
-- @string path ends in .pgm for grey images, in .ppm for those of three channels, by custom
-- @tparam Tensor images as for `grid`
-- @int[opt=8] columns
function picture.save(path, images, columns)
   local grid = picture.grid(images, columns or 8)
   local channels, height, width = unpack(grid:size():totable())
   if channels ~= 1 and channels ~= 3 then
      error(('%s: a picture has 1 or 3 channels, the images have %d'):format(path, channels), 0)
   end
   local bytes = grid:clamp(0, 1):mul(255):add(0.5):byte():permute(2, 3, 1):contiguous()
   local file = torch.DiskFile(path, 'w'):binary()
   file:writeString(('P%d\n%d %d\n255\n'):format(channels == 1 and 5 or 6, width, height))
   file:writeByte(bytes:storage())
   file:close()
end

return picture
