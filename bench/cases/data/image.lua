-- Pictures: 1000 JPEG files of 500x375 read and scaled to 224x224, and the steps of that. The files
-- are made from image.lena's on the first run and stay in BENCH_IMAGES
-- (/tmp/luatorch-bench-images), where the Python side finds them.
local torch = require 'torch'
local image = require 'image'
local paths = require 'paths'
local bench = require 'bench.harness'

local COUNT, WIDTH, HEIGHT, SIDE = 1000, 500, 375, 224
local folder = os.getenv 'BENCH_IMAGES' or '/tmp/luatorch-bench-images'

local names = {}
for i = 1, COUNT do
   names[i] = ('%s/%04d.jpg'):format(folder, i)
end

-- A piece of the portrait, mirrored now and then, with some noise: as large a file as a
-- photograph's.
local function make()
   paths.mkdir(folder)
   torch.manualSeed(1)
   local portrait = image.lena()
   for i = 1, COUNT do
      local w = math.floor(torch.uniform(200, 512))
      local h = math.floor(w * HEIGHT / WIDTH)
      local x, y = math.floor(torch.uniform(0, 512 - w)), math.floor(torch.uniform(0, 512 - h))
      local piece = image.scale(image.crop(portrait, x, y, x + w, y + h), WIDTH, HEIGHT)
      piece = i % 2 == 0 and image.hflip(piece) or piece
      image.saveJPG(names[i], piece + torch.randn(3, HEIGHT, WIDTH) * 0.02, 85)
   end
end

if not paths.filep(names[COUNT]) then
   make()
end

-- One file after the other, round and round.
local function each(f)
   local i = 0
   return function(n)
      for _ = 1, n do
         i = i % COUNT + 1
         f(names[i])
      end
   end
end

bench.case('JPEG 500x375 to 224x224', each(function(name)
   return image.scale(image.load(name, 3, 'byte'), SIDE, SIDE)
end), 1, 1)
bench.case('JPEG 500x375 to 224x224, planes of floats', each(function(name)
   return image.scale(image.load(name, 3, 'byte'), SIDE, SIDE):float():div(255)
end), 1, 1)
bench.case('JPEG 500x375', each(function(name)
   return image.load(name, 3, 'byte')
end), 1, 1)

local picture = image.load(names[1], 3, 'byte')
bench.case('scale 500x375 to 224x224, bytes', bench.loop(function()
   return image.scale(picture, SIDE, SIDE)
end), 1, 1)
local floats = image.load(names[1], 3, 'float')
bench.case('scale 500x375 to 224x224, floats', bench.loop(function()
   return image.scale(floats, SIDE, SIDE)
end), 1, 1)
bench.case('compress 500x375 as JPEG', bench.loop(function()
   return image.compressJPG(picture)
end), 1, 1)
