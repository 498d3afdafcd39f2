-- Files that are cut off, changed, or say what cannot be: an error or a picture, and bounded
-- memory.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'
local mutations = require 'test.image.mutations'
local support = require 'test.image.support'
local read = require 'test.support.shell'.read

local files = support.files
local names, tensor, be = mutations.names, mutations.tensor, mutations.number

-- The most memory that the process has had, in MiB.
local function peak()
   return tonumber(read('/proc/self/status'):match 'VmHWM:%s*(%d+)') / 1024
end

-- Reads the bytes; what comes is a picture or a message that names the function.
local function try(bytes)
   local ok, x = pcall(image.decompress, bytes)
   if ok then
      assert.equal(3, x:dim())
      assert.is_true(x:min() >= 0 and x:max() <= 1)
   else
      assert.matches('image.decompress', x, 1, true)
   end
   return ok
end

describe('an empty file', function()
   it('is said to be one, whatever its name', function()
      for _, ending in ipairs { 'jpg', 'png', 'ppm' } do
         local name = os.tmpname() .. '.' .. ending
         assert(io.open(name, 'w')):close()
         raises(("image.load: '%s': the file is empty"):format(name), image.load, name)
         os.remove(name)
      end
   end)
end)

describe('damaged pictures', function()
   local limit

   setup(function()
      limit = image.maxPixels
      image.maxPixels = 2 ^ 22
   end)
   teardown(function()
      image.maxPixels = limit
   end)

   it('cut off anywhere are errors, or pictures but for the end', function()
      for _, name in ipairs(names) do
         local text = read(files .. name)
         for n = 1, #text - 1, math.max(1, math.floor(#text / 150)) do
            local ok = try(tensor(text:sub(1, n)))
            assert.is_true(not ok or n > #text - 14, ('%s, %d of %d bytes'):format(name, n, #text))
         end
      end
   end)

   it('changed anywhere are errors or pictures, in bounded memory', function()
      local before, read_well = peak(), 0
      math.randomseed(7)
      for _ = 1, 6000 do
         read_well = read_well + (try(tensor((mutations.random()))) and 1 or 0)
      end
      assert.is_true(read_well > 500) -- else only refusals were seen
      assert.is_true(peak() - before < 500, ('%d MiB more'):format(peak() - before))
   end)
end)

describe('pictures that say they are 60000 x 60000', function()
   -- With another size in its header.
   local function jpeg(name)
      local text = read(files .. name)
      local at = text:find '\255[\192\194]%z'
      return tensor(text:sub(1, at + 4) .. be(60000, 2) .. be(60000, 2) .. text:sub(at + 9))
   end

   local function png(name)
      local text = read(files .. name)
      local header = 'IHDR' .. be(60000, 4) .. be(60000, 4) .. text:sub(25, 29)
      return tensor(mutations.repaired(text:sub(1, 12) .. header .. text:sub(30)))
   end

   local cases = { jpeg 'baseline.jpg', jpeg 'progressive.jpg', png 'colours.png',
      png 'interlaced.png',
      tensor 'P6\n60000 60000\n255\nabc', tensor 'P3\n60000 60000\n255\n1 2 3',
      tensor 'P5 60000 60000 65535 ab' }

   it('are damaged, for they have not as many bytes', function()
      local before = peak()
      for i, bytes in ipairs(cases) do
         local message = raises('60000 x 60000 pixels', image.decompress, bytes)
         assert.matches('cannot hold: it is damaged', message, 1, true, i)
      end
      assert.is_true(peak() - before < 100)
   end)

   it('or more than image.maxPixels', function()
      -- As many bytes as such a picture might have.
      local filled = torch.ByteTensor(4e6):zero()
      filled:narrow(1, 1, cases[1]:size(1)):copy(cases[1])
      raises('60000 x 60000 pixels (width x height), more than image.maxPixels (268435456) allows',
         image.decompress, filled)
      local limit = image.maxPixels
      image.maxPixels = 100
      raises('34 x 21 pixels (width x height), more than image.maxPixels (100) allows', image.load,
         files .. 'baseline.jpg')
      image.maxPixels = limit
   end)
end)

describe('headers of PPM', function()
   for title, case in pairs {
      ['without an end'] = { 'P6\n1 1', 'no number' },
      ['of a comment'] = { 'P6\n# x', 'does not end' },
      ['with letters'] = { 'P6\nx 1 255\n', 'no number' },
      ['with numbers too long'] = { 'P6\n1 99999999999999999999 255\n', 'no number' },
      ['with a value of 0'] = { 'P6\n1 1 0\nabc', 'largest value is 0' },
      ['with a value too large'] = { 'P5\n1 1 65536\nabc', 'largest value is 65536' },
      ['of no pixels'] = { 'P5\n0 1 255\nabc', '0 x 1 pixels' },
      ['with samples missing'] = { 'P6\n1 1 255\nab', 'ends early' },
      ['with letters missing'] = { 'P2\n2 1 9\n1 ', 'ends early' },
      ['with letters among the samples'] = { 'P2\n2 1 9\n1 x', "'x' among its samples" },
      ['with a sample too large'] = { 'P2\n2 1 9\n1 10', "'10' among its samples" },
   } do
      it(title .. ' are errors', function()
         raises(case[2], image.decompress, tensor(case[1]))
      end)
   end
end)
