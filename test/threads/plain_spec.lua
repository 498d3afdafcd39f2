local ffi = require 'ffi'
local torch = require 'torch'
local threads = require 'threads.ffi'
local plain = require 'threads.plain'
local serialize = require 'threads.serialize'
local shared = require 'threads.sharedserialize'
local raises = require 'test.support.raises'

local classes = {}

local function isPlain(message)
   return ffi.cast('int64_t *', message:data())[1] == -1
end

local function again(object)
   local message = shared.save(object)
   assert.is_true(isPlain(message))
   return shared.load(message)
end

describe('plain messages', function()
   local count

   before_each(function()
      count = threads.C.threads_parcel_count()
   end)

   after_each(function()
      assert.equal(count, threads.C.threads_parcel_count())
   end)

   it('carry nil, booleans, numbers and strings', function()
      for _, value in ipairs { true, false, 0, -1.5, 1e300, 1 / 0, -1 / 0, '', 'a', '7 chars',
         '8 chars.', '9 chars..', 'zero \0 in it', ('long'):rep(1e5) } do
         assert.equal(value, again(value))
      end
      assert.is_nil(again(nil))
      assert.equal(-1 / 0, 1 / again(-0))
      local nan = again(0 / 0)
      assert.are_not.equal(nan, nan)
   end)

   it('carry tables of them, by any key', function()
      local t = { 1, 'b', { c = { true, [0.5] = 'half' } }, [false] = {}, [-1 / 0] = -1, [10] = 10,
         nan = 'a name', ['0x10'] = '1' }
      assert.same(t, again(t))
      local list = {}
      for i = 1, 5000 do
         list[i] = { i, tostring(i) }
      end
      assert.same(list, again(list))
   end)

   it('share tensors, whatever their shape', function()
      local x = torch.range(1, 24):view(2, 3, 4)
      local came = again { x = x, view = x:narrow(3, 2, 2):transpose(1, 3),
         none = torch.IntTensor(), bytes = torch.ByteTensor { 7 },
         half = torch.HalfTensor(2):fill(0.5) }
      assert.equal(x:storage():data(), came.x:storage():data())
      assert.same(x:narrow(3, 2, 2):transpose(1, 3):totable(), came.view:totable())
      assert.same({ 'torch.IntTensor', 0 }, { came.none:type(), came.none:dim() })
      assert.same({ 'torch.ByteTensor', 7 }, { came.bytes:type(), came.bytes[1] })
      assert.same({ 'torch.HalfTensor', 1 }, { came.half:type(), came.half:sum() })
      came.x:fill(3)
      assert.equal(72, x:sum())
      assert.is_false(isPlain(serialize.save(x))) -- which copies
      assert.is_true(isPlain(serialize.save { 1 }))
   end)

   it('carry instances that are their fields', function()
      local Point = torch.class('PlainSpec.Point', classes)
      function Point:__init(x) self.x = x end
      function Point.__index__() return 'not there', true end
      local came = again { classes.Point(3) }
      assert.equal('PlainSpec.Point', torch.typename(came[1]))
      assert.equal(3, came[1].x)
      assert.equal('not there', came[1].y)
   end)

   it('are not made of what comes twice, nor of what has a way of its own to be written', function()
      local t, x = {}, torch.zeros(2)
      local cycle = {}
      cycle[1] = cycle
      local Own = torch.class('PlainSpec.Own', classes)
      function Own:write(file) file:writeInt(self.n) end
      function Own:read(file) self.n = file:readInt() + 1 end
      local own = classes.Own()
      own.n = 4
      local deep = {}
      for _ = 1, 100 do
         deep = { deep }
      end
      for _, object in ipairs { { t, t }, { x, x }, cycle, { own }, { print = function() end },
         x:storage(), deep } do
         local message = shared.save { x, object }
         assert.is_false(isPlain(message))
         shared.load(message)
      end
      local came = shared.load(shared.save { t, t, x, x, cycle, own })
      assert.equal(came[1], came[2])
      assert.is_true(torch.isequal(came[3], came[4]))
      assert.equal(came[5], came[5][1])
      assert.equal(5, came[6].n)
   end)

   it('carry tables as deep as can be read, and are not made of deeper ones', function()
      local most = 0
      for depth = 1, 60 do
         local deep = { 'bottom' }
         for _ = 2, depth do
            deep = { deep }
         end
         local message = shared.save(deep)
         most = isPlain(message) and depth or most
         local came = shared.load(message)
         for _ = 2, depth do
            came = came[1]
         end
         assert.equal('bottom', came[1])
      end
      assert.equal(50, most)
   end)

   it('leave nothing behind when they cannot be made', function()
      raises('Unwritable object <thread> at object', shared.save,
         { torch.zeros(1), { torch.zeros(2), coroutine.create(print) } })
   end)

   it('survive any bytes', function()
      -- Each copy has a parcel like the message's, so that tensors can be read.
      local function copyOf(size)
         local message = shared.save { torch.zeros(2, 3), 'text', { a = 1, b = false } }
         size = size or #message
         return torch.CharStorage(size):copy(torch.CharStorage(message, 1, size)), #message
      end
      local function fails(bytes)
         local ok = pcall(plain.read, bytes)
         threads.C.threads_parcel_drop(shared.parcelOf(bytes))
         return not ok
      end
      local first, length = copyOf()
      assert.is_false(fails(first))
      for n = 16, length - 8, 4 do
         assert.is_true(fails((copyOf(n))))
      end
      local generator = torch.Generator()
      torch.manualSeed(generator, 5)
      local failed = 0
      for _ = 1, 2000 do
         local bytes = copyOf()
         for _ = 1, torch.random(generator, 3) do
            bytes[torch.random(generator, 17, length)] = torch.random(generator, 0, 255) - 128
         end
         failed = failed + (fails(bytes) and 1 or 0)
      end
      assert.is_true(failed > 500 and failed < 2000)
      local deep = torch.LongStorage(4000):fill(5) -- tables of one entry, whose key is such a table
      for i = 2, 4000, 2 do
         deep[i] = 1
      end
      local bad = torch.CharStorage(32000)
      ffi.copy(bad:data(), deep:data(), 32000)
      ffi.cast('double *', bad:data())[0] = 0
      ffi.cast('int64_t *', bad:data())[1] = -1
      raises('tables are nested too deep', shared.load, bad)
      bad = shared.save { 1 }
      bad[17] = 99
      raises('threads.sharedserialize.load: a message between threads: an unknown kind of object',
         shared.load, bad)
   end)

   it('have no fields for what is no table', function()
      local Sixteen = torch.class('PlainSpec.Sixteen', classes)
      function Sixteen:__init() self.n = 1 end
      local message = shared.save(classes.Sixteen())
      local name = ffi.string(message:data(), #message):find('PlainSpec.Sixteen', 1, true)
      ffi.copy(message:data() + name - 1, 'torch.FloatTensor', #'torch.FloatTensor')
      raises('a class whose instances have no fields', shared.load, message)
   end)

   it('are read once', function()
      local message = shared.save { torch.zeros(2) }
      shared.load(message)
      raises('it has been loaded before', shared.load, message)
   end)
end)
