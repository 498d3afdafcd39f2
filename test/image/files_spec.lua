-- Files against Pillow: oracle.py wrote them, and oracle.lua has what Pillow reads.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'
local support = require 'test.image.support'
local shell = require 'test.support.shell'

local expected, near, with_file = support.expected, support.near, support.with_file
local files, read = support.files, shell.read

local function bytes_of(path)
   local text = read(path)
   return torch.ByteTensor(torch.ByteStorage():string(text))
end

describe('image.load', function()
   for _, name in ipairs { 'colours.png', 'grey.png', 'alpha.png', 'grey_alpha.png', 'palette.png',
      'bits.png', 'interlaced.png' } do
      it('reads ' .. name .. ' as Pillow does', function()
         near(expected((name:gsub('%.', '_'))), image.load(files .. name, nil, 'byte'), 0)
      end)
   end

   for _, name in ipairs { 'baseline.jpg', 'full_chroma.jpg', 'progressive.jpg', 'restarts.jpg',
      'grey.jpg', 'rgb.jpg' } do
      it('reads ' .. name .. ' as Pillow does', function() -- decoders may differ by a bit
         near(expected((name:gsub('%.', '_'))), image.load(files .. name, nil, 'byte'), 1)
      end)
   end

   it('makes colours of inks', function()
      near(expected 'inks_jpg', image.load(files .. 'inks.jpg', nil, 'byte'), 2)
      near(expected 'inks_jpg' / 255, image.load(files .. 'inks.jpg', 3, 'double'), 2 / 255)
   end)

   it('gives 0 to 1 in floats', function()
      local x = image.load(files .. 'colours.png', 3, 'double')
      near(expected 'colours_png' / 255, x, 1e-15)
      near(x, image.load(files .. 'colours.png', 3, 'float'), 1e-7)
      assert.equal('torch.DoubleTensor', image.load(files .. 'colours.png'):type())
      near(expected 'deep_png' / 65535, image.load(files .. 'deep.png', nil, 'double'), 1e-15)
      near((expected 'deep_png' / 256):floor(), image.load(files .. 'deep.png', nil, 'byte'), 0)
   end)

   it("follows torch.Tensor's type", function()
      torch.setdefaulttensortype 'torch.FloatTensor'
      local x = image.load(files .. 'grey.png')
      torch.setdefaulttensortype 'torch.DoubleTensor'
      assert.equal('torch.FloatTensor', x:type())
   end)

   it('gives the channels asked for', function()
      local colours = expected 'colours_png'
      near(colours:narrow(1, 1, 3), image.load(files .. 'alpha.png', 3, 'byte'), 0)
      local y = colours[1] * 0.299 + colours[2] * 0.587 + colours[3] * 0.114
      near(y:view(1, 6, 9), image.load(files .. 'colours.png', 1, 'byte'), 0.5 + 1e-6)
      near(y:view(1, 6, 9) / 255, image.load(files .. 'alpha.png', 1, 'double'), 1e-12)
      local grey = expected 'grey_png'
      near(grey:expand(3, 6, 9), image.load(files .. 'grey.png', 3, 'byte'), 0)
      near(grey, image.load(files .. 'grey_alpha.png', 1, 'byte'), 0)
      assert.same({ 1, 21, 34 }, image.load(files .. 'baseline.jpg', 1, 'byte'):size():totable())
      near(expected('grey_jpg'):expand(3, 21, 34), image.load(files .. 'grey.jpg', 3, 'byte'), 1)
      -- the colours' brightness: grey.jpg was coded from it once more
      near(expected 'grey_jpg' / 255, image.load(files .. 'baseline.jpg', 1), 6 / 255)
   end)

   it('reads PPM and PGM', function()
      near(expected 'colours_png', image.load(files .. 'colours.ppm', nil, 'byte'), 0)
      near(expected 'grey_png', image.load(files .. 'grey.pgm', nil, 'byte'), 0)
      local letters = image.load(files .. 'letters.ppm', nil, 'double')
      near(torch.DoubleTensor { 0, 5, 15, 10, 3, 15 }:resize(3, 1, 2) / 15, letters, 1e-15)
      near(torch.DoubleTensor { 0.25, 1 }:resize(1, 1, 2), image.load(files .. 'deep.pgm'), 1e-15)
      near(torch.DoubleTensor { 63, 255 }:resize(1, 1, 2),
         image.load(files .. 'deep.pgm', 1, 'byte'), 0)
   end)

   it('tells formats by their bytes, not by the name', function()
      with_file('.jpg', function(name)
         image.savePNG(name, torch.ones(3, 2, 2))
         assert.equal(12, image.load(name):sum())
      end)
      with_file('', function(name)
         image.saveJPG(name, torch.ones(3, 8, 8))
         assert.equal(1, image.load(name):min())
      end)
   end)

   it('reads bytes in memory', function()
      for _, name in ipairs { 'colours.png', 'baseline.jpg', 'letters.ppm' } do
         local bytes = bytes_of(files .. name)
         near(image.load(files .. name), image.decompress(bytes), 0)
         -- every second element of a tensor twice as long
         local apart = torch.ByteTensor(bytes:size(1), 2)
         apart:select(2, 1):copy(bytes)
         near(image.load(files .. name), image.decompress(apart:select(2, 1)), 0)
      end
      near(image.load(files .. 'baseline.jpg', 3, 'byte'),
         image.decompressJPG(bytes_of(files .. 'baseline.jpg'), 3, 'byte'), 0)
      near(image.load(files .. 'alpha.png', 3),
         image.decompressPNG(bytes_of(files .. 'alpha.png'), 3), 0)
   end)

   it('reads a file well after one that is cut off', function()
      local bytes = bytes_of(files .. 'baseline.jpg')
      raises('missing SOS marker', image.decompress, bytes:narrow(1, 1, 300))
      near(expected 'baseline_jpg', image.decompress(bytes, 3, 'byte'), 1)
   end)

   it('reads what has something between its parts, not what has an error after that', function()
      local text = read(files .. 'restarts.jpg')
      local second = text:find '\255\209'
      local extra = text:sub(1, second - 1) .. 'xyz' .. text:sub(second)
      near(expected 'restarts_jpg', image.decompress(torch.ByteTensor(torch.ByteStorage():string(
         extra)), 3, 'byte'), 1)
      local progressive = read(files .. 'progressive.jpg')
      -- a scan, a table: damaged after a warning
      for _, place in ipairs { '\255\218', '\255\196' } do
         local at = progressive:find(place, 400)
         local damaged = progressive:sub(1, at - 1) .. 'abc' .. progressive:sub(at, at + 3)
            .. ('\255'):rep(12) .. progressive:sub(at + 16)
         raises('cannot be read as JPEG', image.decompress,
            torch.ByteTensor(torch.ByteStorage():string(damaged)))
      end
   end)

   it('says what is wrong', function()
      raises('image.load: /nowhere/x.png: No such file or directory', image.load, '/nowhere/x.png')
      raises('image.load: wanted the name of a file, got nothing', image.load)
      raises('Is a directory', image.load, 'test')
      raises("the type is 'half', wanted 'byte', 'float' or 'double'", image.load,
         files .. 'grey.png', 1, 'half')
      raises('the depth is 2, wanted 1 (grey), 3 (colour)', image.load, files .. 'grey.png', 2)
      raises('unable to determine image type', image.load, 'README.md')
      raises('unsupported magic number P4', function()
         image.decompress(torch.ByteTensor(torch.ByteStorage():string 'P4\n1 1\n\1')) end)
      raises('wanted the bytes of a file as a ByteTensor, got a DoubleTensor of 3',
         image.decompressJPG, torch.zeros(3))
      raises('cannot be read as JPEG', image.loadJPG, files .. 'grey.png')
      raises('cannot be read as PNG: Error during init_io', image.loadPNG, files .. 'grey.jpg')
      assert.matches('files_spec.lua:%d+: image.load', raises('wanted', function()
         image.load(5)
      end))
   end)
end)

describe('image.save', function()
   local x = torch.rand(3, 13, 17)
   local rounded = (x * 255):add(0.5):floor() / 255

   it('keeps PNG and PPM to the nearest of 256 steps', function()
      for _, extension in ipairs { '.png', '.ppm', '.pnm', '.PNG' } do
         with_file(extension, function(name)
            image.save(name, x)
            near(rounded, image.load(name), 1e-15, extension)
            assert.same({ 3, 13, 17 }, image.getSize(name):totable())
         end)
      end
   end)

   it('keeps 16 bits, grey, alpha, bytes', function()
      near(x, image.decompressPNG(image.compressPNG(x, 16)), 0.5 / 65535 + 1e-12)
      near(rounded[1]:view(1, 13, 17), image.decompressPNG(image.compressPNG(x[1])), 1e-15)
      local four = torch.rand(4, 5, 6)
      near(four, image.decompressPNG(image.compressPNG(four)), 0.5 / 255 + 1e-12)
      local bytes = (x * 255):byte()
      near(bytes, image.decompressPNG(image.compressPNG(bytes), 3, 'byte'), 0)
      near(rounded, image.decompressPNG(image.compressPNG(x:transpose(2, 3):contiguous()
         :transpose(2, 3))), 1e-15)
   end)

   it('limits values, and takes every type', function()
      local wide = torch.Tensor { -1, 0, 0.5, 2, 0 / 0 }:view(1, 1, 5)
      assert.same({ 0, 0, 128, 255, 0 },
         image.decompressPNG(image.compressPNG(wide), 1, 'byte'):view(-1):totable())
      local ints = torch.IntTensor { -5, 0, 128, 300 }:view(1, 1, 4)
      assert.same({ 0, 0, 128, 255 },
         image.decompressPNG(image.compressPNG(ints), 1, 'byte'):view(-1):totable())
      near(rounded, image.decompressPNG(image.compressPNG(x:half())), 1.01 / 255)
   end)

   it('writes JPEG at a quality', function()
      local smooth = image.scale(torch.rand(3, 4, 4), 64, 48)
      local fine, coarse = image.compressJPG(smooth, 100), image.compressJPG(smooth, 20)
      assert.is_true(coarse:size(1) < fine:size(1))
      assert.is_true((smooth - image.decompressJPG(fine)):abs():mean() < 3 / 255)
      with_file('.jpeg', function(name)
         image.save(name, smooth)
         near(image.decompressJPG(image.compressJPG(smooth, 75)), image.load(name), 0)
         image.saveJPG(name, smooth, 20)
         assert.equal(coarse:size(1), #read(name))
         assert.same({ 3, 48, 64 }, image.getJPGsize(name):totable())
      end)
      with_file('.jpg', function(name)
         image.save(name, smooth[1])
         assert.same({ 1, 48, 64 }, image.load(name):size():totable())
      end)
   end)

   it('writes PGM', function()
      with_file('.pgm', function(name)
         image.save(name, x[1])
         assert.equal('P5\n17 13\n255\n', read(name):sub(1, 13))
         near(rounded[1]:view(1, 13, 17), image.loadPPM(name), 1e-15)
         raises('image.savePGM: a PGM is grey', image.save, name, x)
         image.savePPM(name, x[1])
         near(rounded[1]:view(1, 13, 17):expand(3, 13, 17), image.loadPPM(name), 1e-15)
         assert.same({ 3, 13, 17 }, image.getPPMsize(name):totable())
      end)
   end)

   it('leaves the former picture where the new one cannot be stored', function()
      shell.with_folder(function(folder)
         local path = folder .. '/x.png'
         image.save(path, x)
         local former = shell.read(path)
         -- Files end at a few KiB: what a full disk does.
         local text = shell.run(("trap '' XFSZ; ulimit -f 8; %s -e %s"):format(
            shell.quoted(os.getenv 'TH_EXECUTABLE'), shell.quoted(("require 'image' "
               .. "print(pcall(image.save, '%s', torch.rand(3, 200, 200)))"):format(path))))
         assert.matches(("image.savePNG: '%s': write error: File too large"):format(path), text, 1,
            true)
         assert.equal(former, shell.read(path))
         assert.equal('x.png\n', (shell.run('ls -A ' .. folder)))
      end)
      raises("image.savePNG: '/dev/full': write error", image.savePNG, '/dev/full', x)
   end)

   it('says what is wrong', function()
      raises("image.save: 'x.bmp', wanted a file's name that ends in .jpg", image.save, 'x.bmp', x)
      raises('image.save: wanted a picture', image.save, 'x.png', nil)
      raises('/nowhere/x.png', image.save, '/nowhere/x.png', x)
      raises('got a DoubleTensor of 5x4x4', image.compressPNG, torch.zeros(5, 4, 4))
      raises('got a DoubleTensor of 2x4x4', image.compressJPG, torch.zeros(2, 4, 4))
      raises('the quality is 0, wanted 1 to 100', image.compressJPG, x, 0)
      raises('at most 65500 rows and columns', image.compressJPG, torch.ByteTensor(1, 1, 65501))
      raises('5 bits for a sample, wanted 8 or 16', image.compressPNG, x, 5)
   end)

   it('knows its formats', function()
      assert.is_true(image.is_supported 'a/b.c/x.JPeG')
      assert.is_false(image.is_supported 'png')
      assert.is_false(image.is_supported 'x.png/y')
      for _, extension in ipairs { 'jpg', 'jpeg', 'png', 'ppm', 'pgm' } do
         local format = image.supported_filetypes[extension]
         assert.is_truthy(format.loader and format.saver and format.sizer)
      end
   end)
end)

describe('the samples', function()
   it('are a portrait in colours and a grey picture', function()
      assert.same({ 3, 512, 512 }, image.lena():size():totable())
      assert.same({ 257, 271 }, image.fabio():size():totable())
   end)
end)
