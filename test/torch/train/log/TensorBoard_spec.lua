local ffi = require 'ffi'
local torch = require 'torch'
local train = require 'torch.train'
local crc32c = require 'torch.train.log.events.crc32c'
local proto = require 'torch.train.log.events.protobuf'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

-- --- a reader that knows the format, and nothing of the writer ----------------------------------

local function u32(text, at)
   local a, b, c, d = text:byte(at, at + 3)
   return a + 256 * (b + 256 * (c + 256 * d))
end

local function as(kind, text)
   return tonumber(ffi.cast(kind .. ' *', ffi.cast('const char *', text))[0])
end

-- CRC-32C a bit at a time.
local function checksum(text)
   local crc = 0xffffffff
   for i = 1, #text do
      local byte = text:byte(i)
      for _ = 1, 8 do
         local bit = (crc + byte) % 2
         crc, byte = math.floor(crc / 2), math.floor(byte / 2)
         if bit == 1 then
            crc = tonumber(bit and ffi.cast('uint32_t', require('bit').bxor(crc, 0x82f63b78)))
         end
      end
   end
   return tonumber(ffi.cast('uint32_t', require('bit').bnot(crc)))
end

local function unmasked(crc)
   local rotated = (crc - 0xa282ead8) % 2 ^ 32
   return (math.floor(rotated / 2 ^ 17) + rotated % 2 ^ 17 * 2 ^ 15) % 2 ^ 32
end

local function records(text)
   local list, at = {}, 1
   while at <= #text do
      local n = u32(text, at)
      assert.equal(0, u32(text, at + 4))
      assert.equal(checksum(text:sub(at, at + 7)), unmasked(u32(text, at + 8)))
      local data = text:sub(at + 12, at + 11 + n)
      assert.equal(checksum(data), unmasked(u32(text, at + 12 + n)))
      list[#list + 1] = data
      at = at + 16 + n
   end
   return list
end

local function varint(text, at)
   local n, unit = 0, 1
   while true do
      local byte = text:byte(at)
      n, unit, at = n + byte % 128 * unit, unit * 128, at + 1
      if byte < 128 then
         return n, at
      end
   end
end

-- A message: field number -> list of values.
local function message(text)
   local fields, at = {}, 1
   while at <= #text do
      local key, value
      key, at = varint(text, at)
      local kind = key % 8
      if kind == 0 then
         value, at = varint(text, at)
      elseif kind == 2 then
         local n
         n, at = varint(text, at)
         value, at = text:sub(at, at + n - 1), at + n
      else
         local n = kind == 1 and 8 or 4
         value, at = as(n == 8 and 'double' or 'float', text:sub(at, at + n - 1)), at + n
      end
      local field = (key - kind) / 8
      fields[field] = fields[field] or {}
      table.insert(fields[field], value)
   end
   return fields
end

local function doubles(text)
   local list = {}
   for i = 1, #text, 8 do
      list[#list + 1] = as('double', text:sub(i, i + 7))
   end
   return list
end

local function events(path)
   local list = {}
   for i, data in ipairs(records(shell.read(path))) do
      list[i] = message(data)
   end
   return list
end

-- The only value of an event's summary.
local function value(event)
   return message(message(event[5][1])[1][1])
end

-- ------------------------------------------------------------------------------------------------

describe('CRC-32C', function()
   it('is that of RFC 3720, appendix B.4', function()
      assert.equal(0x8a9136aa, crc32c.of(('\0'):rep(32)))
      assert.equal(0x62a8ab43, crc32c.of(('\255'):rep(32)))
      local rising = {}
      for i = 0, 31 do
         rising[#rising + 1] = string.char(i)
      end
      assert.equal(0x46dd794e, crc32c.of(table.concat(rising)))
      assert.equal(0xe3069283, crc32c.of '123456789')
   end)
end)

describe('whole numbers of Protocol Buffers', function()
   it('are seven bits a byte, the lowest first', function()
      assert.equal('\0', proto.varint(0))
      assert.equal('\127', proto.varint(127))
      assert.equal('\172\2', proto.varint(300)) -- protobuf.dev, "Base 128 Varints"
      assert.equal(2 ^ 40 + 5, (varint(proto.varint(2 ^ 40 + 5), 1)))
   end)
end)

describe('train.TensorBoard', function()
   it('writes records with checksums, and scalars in them', function()
      shell.with_folder(function(folder)
         local board = train.TensorBoard(folder .. '/run', function() return 1e9 + 0.25 end)
         board:scalar('loss', 0.5, 1)
         board:scalar('validation/loss', -3e10, 70000)
         board:close()
         local list = events(board.path)
         assert.same({ 'brain.Event:2' }, list[1][3])
         assert.equal(3, #list)
         assert.same({ { 1e9 + 0.25 }, { 1 } }, { list[2][1], list[2][2] })
         assert.same({ { 'loss' }, [2] = { 0.5 } }, value(list[2]))
         assert.same({ 70000 }, list[3][2])
         assert.same({ 'validation/loss' }, value(list[3])[1])
         assert.near(-3e10, value(list[3])[2][1], 1e4)
      end)
   end)

   it('writes histograms', function()
      shell.with_folder(function(folder)
         local board = train.TensorBoard(folder)
         board:histogram('w', torch.Tensor { { 0, 1, 1 }, { 2, 3, 4 } }, 3, 4)
         board:histogram('constant', torch.ones(5), 3)
         board:close()
         local list = events(board.path)
         local h = message(value(list[2])[5][1])
         assert.same({ { 0 }, { 4 }, { 6 }, { 11 }, { 31 } }, { h[1], h[2], h[3], h[4], h[5] })
         assert.same({ 1, 2, 3, 4 }, doubles(h[6][1]))
         assert.same({ 1, 2, 1, 2 }, doubles(h[7][1])) -- the last bin has its end
         h = message(value(list[3])[5][1])
         assert.same({ { 1 }, { 5 } }, { doubles(h[6][1]), doubles(h[7][1]) })
      end)
   end)

   it('writes pictures', function()
      shell.with_folder(function(folder)
         local image = require 'image'
         local picture = torch.linspace(0, 1, 12):view(1, 3, 4)
         local board = train.TensorBoard(folder)
         board:image('x', picture, 1)
         board:close()
         local fields = message(value(events(board.path)[2])[4][1])
         assert.same({ { 3 }, { 4 }, { 1 } }, { fields[1], fields[2], fields[3] })
         local file = io.open(folder .. '/x.png', 'wb')
         file:write(fields[4][1])
         file:close()
         assert.is_true((image.load(folder .. '/x.png', 1, 'double') - picture):abs():max() < 3e-3)
      end)
   end)

   it('refuses what it cannot show', function()
      shell.with_folder(function(folder)
         local board = train.TensorBoard(folder)
         raises('histogram w: elements are from', board.histogram, board, 'w',
            torch.Tensor { 1, 1 / 0 }, 1)
         raises('image x is 3, expected a tensor', board.image, board, 'x', 3, 1)
         raises('train.TensorBoard: folder is nil, expected its name', train.TensorBoard)
         raises("train.TensorBoard: the folder '/proc/none' is not there, and cannot be made",
            train.TensorBoard, '/proc/none')
      end)
   end)

   -- The program itself, where there is one; PYTHON names its interpreter.
   local python = os.getenv 'PYTHON' or 'python3'
   local found = os.execute(python .. " -c 'import tensorboard' 2>/dev/null") == 0
   local try = found and it or pending
   try('is read by the package tensorboard of PyPI', function()
      shell.with_folder(function(folder)
         local board = train.TensorBoard(folder .. '/run')
         for step = 1, 3 do
            board:add { step = step * 10, epoch = step, loss = 1 / step,
               ['validation.accuracy'] = step / 4 }
         end
         board:goOn(20) -- what came behind step 20 does not count
         board:scalar('loss', 7, 30)
         board:histogram('w', torch.range(1, 10), 30, 5)
         board:image('x', torch.zeros(3, 5, 7), 30)
         board:close()
         local file = io.open(folder .. '/read.py', 'w')
         file:write([[
import sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
a = EventAccumulator(sys.argv[1], size_guidance={'histograms': 0, 'images': 0})
a.Reload()
for tag in sorted(a.Tags()['scalars']):
    print(tag, [(e.step, round(e.value, 4)) for e in a.Scalars(tag)])
for tag in a.Tags()['histograms']:
    h = a.Histograms(tag)[0].histogram_value
    print(tag, h.min, h.max, h.num, h.sum, list(h.bucket))
for tag in a.Tags()['images']:
    i = a.Images(tag)[0]
    print(tag, i.height, i.width)
]])
         file:close()
         local output = shell.run(('%s %s/read.py %s/run 2>/dev/null'):format(python, folder,
            folder))
         assert.equal(table.concat({
            'epoch [(10, 1.0), (20, 2.0)]',
            'loss [(10, 1.0), (20, 0.5), (30, 7.0)]',
            'validation/accuracy [(10, 0.25), (20, 0.5)]',
            'w 1.0 10.0 10.0 55.0 [2.0, 2.0, 2.0, 2.0, 2.0]', 'x 5 7', '',
         }, '\n'), output)
      end)
   end)
end)
