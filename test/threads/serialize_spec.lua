local torch = require 'torch'
local threads = require 'threads'
local serialize = require 'threads.serialize'
local shared = require 'threads.sharedserialize'
local tds = require 'tds'
local raises = require 'test.support.raises'
local ffi = require 'ffi'

local parcels = require('threads.ffi').C.threads_parcel_count

local function address(x)
   return tonumber(ffi.cast('intptr_t', x:storage():data()))
end

describe('threads.serialize', function()
   it('copies', function()
      local x = torch.range(1, 6):view(2, 3)
      local y = serialize.load(serialize.save { x = x, name = 'a' })
      assert.equal('a', y.name)
      assert.same(x:totable(), y.x:totable())
      y.x:zero()
      assert.equal(21, x:sum())
   end)

   it('says what it was given', function()
      raises('threads.serialize.save: a message between threads: Unwritable object', serialize.save,
         { print, coroutine.create(print) })
      raises('expected the CharStorage that `save` gave, got nil', serialize.load)
      raises('got one of other bytes', serialize.load, torch.CharStorage(3))
      local bytes = torch.CharStorage(80):fill(9)
      for i = 1, 8 do
         bytes[i] = 0 -- no parcel
      end
      raises('threads.serialize.load: a message between threads, byte', serialize.load, bytes)
   end)

   it('survives any bytes', function()
      local bytes = shared.save { torch.zeros(2), 'text', tds.Hash { a = 1 } }
      for n = 8, #bytes - 1 do
         local cut = torch.CharStorage(n):copy(torch.CharStorage(bytes, 1, n))
         for i = 1, 8 do
            cut[i] = 0 -- no parcel
         end
         assert.is_false((pcall(shared.load, cut)))
      end
      shared.load(bytes)
   end)
end)

describe('threads.sharedserialize', function()
   for _, name in ipairs { 'Byte', 'Short', 'Long', 'Half', 'Float', 'Double' } do
      it(('shares %s tensors and storages'):format(name), function()
         local before = parcels()
         local x = torch[name .. 'Tensor'](4, 3):fill(2)
         local view = x:narrow(1, 2, 2):t()
         local y = shared.load(shared.save { view, x:storage(), x })
         assert.equal(view:type(), y[1]:type())
         assert.same(view:size():totable(), y[1]:size():totable())
         assert.same(view:stride():totable(), y[1]:stride():totable())
         assert.equal(view:storageOffset(), y[1]:storageOffset())
         assert.equal(address(x), address(y[1]))
         y[2][4] = 7
         assert.equal(7, x[2][1])
         assert.equal(7, y[3][2][1])
         assert.equal(before, parcels())
      end)
   end

   it('shares tensors without memory, and views of views', function()
      local y = shared.load(shared.save { torch.FloatTensor(), torch.FloatStorage() })
      assert.same({ 0, 0 }, { y[1]:dim(), #y[2] })
      local base = torch.DoubleStorage(10):fill(1)
      local view = shared.load(shared.save(torch.DoubleStorage(base, 3, 4)))
      view[1] = 5
      assert.equal(5, base[3])
   end)

   it('keeps what it shares alive', function()
      local message = shared.save(torch.FloatTensor(1000):fill(3))
      collectgarbage()
      collectgarbage()
      assert.equal(3000, shared.load(message):sum())
   end)

   it('loads a message once', function()
      local message = shared.save(torch.zeros(2))
      shared.load(message)
      raises('it has been loaded before', shared.load, message)
   end)

   it('leaves shared memory where it is', function()
      local x = torch.zeros(4)
      shared.load(shared.save(x))
      raises('threads share', x.resize, x, 1000)
      x:resize(2, 2)
   end)

   it('leaves nothing behind when an object cannot be written', function()
      local before = parcels()
      raises('Unwritable object <thread> at object[2]', shared.save,
         { torch.zeros(2), coroutine.create(print) })
      assert.equal(before, parcels())
   end)

   it('shares tds', function()
      local hash = tds.Hash { list = { 1, torch.zeros(2) } }
      local vec, counter = tds.Vec(hash), tds.AtomicCounter(3)
      local y = shared.load(shared.save { hash, vec, counter })
      y[1].x = 5
      y[2][1].list[2]:fill(4)
      y[3]:inc()
      assert.same({ 5, 8, 4 }, { hash.x, hash.list[2]:sum(), counter:get() })
   end)

   it('is what a pool uses when it was chosen', function()
      assert.equal('threads.serialize', threads.Threads.serialization())
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(2)
      threads.Threads.serialization 'threads.serialize'
      local x, result = torch.zeros(1000), nil
      local hash = tds.Hash()
      pool:addjob(function()
         x:fill(2)
         hash[1] = x
         return x
      end, function(y)
         result = y
      end)
      pool:terminate()
      assert.equal(2000, x:sum())
      assert.equal(address(x), address(result))
      assert.equal(address(x), address(hash[1]))
   end)

   it('counts on several threads without losing one #slow', function()
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(4)
      threads.Threads.serialization 'threads.serialize'
      local counter, hash, vec = tds.AtomicCounter(), tds.Hash(), tds.Vec()
      for i = 1, 4 do
         pool:addjob(function()
            for k = 1, 5000 do
               counter:inc()
               hash[i * 10000 + k] = 'value ' .. k
               hash[k % 7] = torch.ones(3)
               vec:insert(k)
               local _ = hash[k % 7] and vec[k]
               if k % 3 == 0 then
                  hash[i * 10000 + k] = nil
               end
            end
         end)
      end
      pool:terminate()
      assert.same({ 20000, 20000 }, { counter:get(), #vec })
      assert.equal(4 * (5000 - 1666) + 7, #hash)
      for k = 0, 6 do
         assert.equal(3, hash[k]:sum())
      end
   end)
end)
