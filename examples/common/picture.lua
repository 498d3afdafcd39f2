--- Writes images as one picture, side by side, each with words below it if there are some.

local torch = require 'torch'
local image = require 'image'

local picture = {}

local LETTER, LINE = 6, 9 -- pixels that a letter is wide, and from one line to the next

-- An image in three channels with room below, where its words stand: a line for each of `lines`.
local function captioned(pixels, lines)
   local height, width = pixels:size(2), pixels:size(3)
   local cell = torch.FloatTensor(3, height + #lines * LINE, width):fill(1)
   cell:narrow(2, 1, height):copy(pixels:expand(3, height, width))
   for i, words in ipairs(lines) do
      local left = math.max(0, math.floor((width - #words * LETTER) / 2))
      image.drawText(cell, words, left, height + (i - 1) * LINE + 1,
         { color = { 0, 0, 0 }, inplace = true, wrap = false })
   end
   return cell
end

--- Images as one picture, twice as large: small ones are hard to see.
-- @tparam Tensor images N x H x W or N x channels x H x W, from 0 (black) to 1 (white)
-- @int columns images in a row
-- @tparam[opt] table captions for each image a list of lines of text
-- @treturn FloatTensor
function picture.compose(images, columns, captions)
   local height, width = images:size(images:dim() - 1), images:size(images:dim())
   images = images:float():clamp(0, 1):reshape(images:size(1), images:nElement()
      / (images:size(1) * height * width), height, width)
   local cells = {}
   for i = 1, images:size(1) do
      local pixels = image.scale(images[i], 2 * width, 2 * height, 'simple')
      cells[i] = captions and captioned(pixels, captions[i]) or pixels
   end
   return image.toDisplayTensor { input = cells, padding = 4, nrow = columns, min = 0, max = 1 }
end

--- Write `compose(images, columns, captions)` to a .png.
function picture.save(path, ...)
   image.save(path, picture.compose(...))
   print('written: ' .. path)
end

return picture
