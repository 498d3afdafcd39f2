local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local cutorch = require 'cutorch'
local raises = require 'test.support.raises'

local ELEMENTS = {
   'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Double', Float = '',
}

local function messageOf(f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   return message
end

describe('CUDA tensors #cuda', function()
   for key, suffix in pairs(ELEMENTS) do
      local element = type(key) == 'string' and key or suffix
      local name = 'torch.Cuda' .. suffix .. 'Tensor'
      local host = 'torch.' .. element .. 'Tensor'

      it(name .. ' goes to the device and back', function()
         local x = torch.range(1, 24):view(2, 3, 4):type(host)
         local there = x['cuda' .. suffix](x)
         assert.equal(name, torch.typename(there))
         assert.equal(name, there:type())
         assert.equal(there, there:type(name))
         assert.same({ 2, 3, 4 }, there:size():totable())
         local back = there:type(host)
         assert.is_true(back:equal(x))
         assert.equal(host, torch.typename(there[element:lower()](there)))
         assert.same(x:totable(), there:totable())
         assert.same(x:storage():totable(), there:storage():totable())
         assert.equal(x:elementSize(), there:elementSize())
      end)

      it(name .. ' is made of sizes, tables, storages and tensors', function()
         local class = torch['Cuda' .. suffix .. 'Tensor']
         assert.same({ 2, 3 }, class(2, 3):size():totable())
         assert.same({ 3, 2 }, class(torch.LongStorage { 3, 2 }):size():totable())
         local x = class { { 1, 2 }, { 3, 4 } }
         assert.same({ { 1, 2 }, { 3, 4 } }, x:totable())
         local alias = class(x)
         alias[{ 1, 2 }] = 9
         assert.equal(9, x[1][2])
         local s = torch['Cuda' .. suffix .. 'Storage'] { 5, 6, 7 }
         assert.equal('torch.Cuda' .. suffix .. 'Storage', torch.typename(s))
         assert.same({ 6, 7 }, class(s, 2, 2):totable())
         s[2] = 8
         assert.equal(8, s[2])
         assert.same({ 5, 8, 7 }, s:totable())
         assert.equal(0, class():dim())
      end)

      it(name .. ' prints as on the CPU, under its own name', function()
         local x = torch.range(1, 6):view(2, 3):type(host)
         local there = x:type(name)
         assert.equal((tostring(x):gsub(element .. 'Tensor', 'Cuda' .. suffix .. 'Tensor')),
            tostring(there))
         assert.matches('torch.Cuda' .. suffix .. 'Storage of size 6', tostring(there:storage()), 1,
            true)
      end)

      it(name .. ' is saved and loaded', function()
         for _, mode in ipairs { 'binary', 'ascii' } do
            local x = torch.range(1, 12):view(3, 4):type(name)
            local two = { x, x:narrow(2, 2, 2), x:storage() }
            local loaded = torch.deserialize(torch.serialize(two, mode), mode)
            assert.equal(name, torch.typename(loaded[1]))
            assert.same(x:totable(), loaded[1]:totable())
            assert.same({ 4, 1 }, loaded[2]:stride():totable())
            loaded[1][{ 1, 2 }] = 77 -- the second is still a view of the first
            assert.equal(77, loaded[2][{ 1, 1 }])
            local onHost = torch.deserialize(torch.serialize(two, mode), mode, { device = 'cpu' })
            assert.equal(host, torch.typename(onHost[1]))
            assert.same(x:totable(), onHost[1]:totable())
            assert.equal('torch.' .. element .. 'Storage', torch.typename(onHost[3]))
         end
      end)
   end

   it('of every type copy from every type', function()
      local x = torch.FloatTensor { 1, 2, 3 }
      for key, suffix in pairs(ELEMENTS) do
         local a = x:type('torch.Cuda' .. suffix .. 'Tensor')
         for other, suffix2 in pairs(ELEMENTS) do
            local b = a:type('torch.Cuda' .. suffix2 .. 'Tensor')
            assert.same({ 1, 2, 3 }, b:totable(), suffix .. ' to ' .. suffix2)
            local element = type(other) == 'string' and other or suffix2
            assert.same({ 1, 2, 3 }, a:type('torch.' .. element .. 'Tensor'):totable(), key)
         end
      end
   end)

   it('give ByteTensors of comparisons, and take them as masks', function()
      local x = torch.CudaTensor { 3, 1, 2 }
      assert.equal('torch.CudaByteTensor', torch.typename(x:gt(1.5)))
      assert.same({ 1, 0, 1 }, x:gt(1.5):totable())
      assert.matches('CPU and CUDA',
         messageOf(x.maskedFill, x, torch.ByteTensor { 1, 0, 0 }, 1), 1, true)
   end)

   it('have the masked operations as functions too', function()
      local x, mask = torch.CudaTensor { 3, 1, 2 }, torch.CudaByteTensor { 1, 0, 1 }
      torch.maskedFill(x, mask, 7)
      assert.same({ 7, 1, 7 }, x:totable())
      assert.same({ 7, 7 }, torch.maskedSelect(x, mask):totable())
      assert.same({ 8, 1, 9 }, torch.maskedCopy(x, mask, torch.CudaTensor { 8, 9 }):totable())
   end)

   it('lend their elements to Lua functions, as exactly as they are', function()
      local x = torch.CudaDoubleTensor { 2 ^ 40 + 1, 1 / 3 }
      assert.equal(x, x:apply(function(v) return v + 1 end))
      assert.same({ 2 ^ 40 + 2, 1 / 3 + 1 }, x:totable())
   end)

   it('name the user\'s line in errors', function()
      local x = torch.CudaTensor(2)
      local line = debug.getinfo(1, 'l').currentline + 2
      local message = messageOf(function()
         x:add('one')
      end)
      assert.matches('tensors_spec.lua:' .. line, message, 1, true)
      assert.matches('CudaTensor string', message, 1, true)
      assert.matches('out of range', messageOf(function()
         return x[3]
      end), 1, true)
   end)

   it('can be the default type', function()
      torch.setdefaulttensortype 'torch.CudaTensor'
      local x = torch.Tensor { 1, 2 }
      local name = torch.getdefaulttensortype()
      torch.setdefaulttensortype 'torch.DoubleTensor'
      assert.equal('torch.CudaTensor', name)
      assert.equal('torch.CudaTensor', torch.typename(x))
   end)
end)

describe('pinned memory #cuda', function()
   it('holds CPU tensors', function()
      local x = cutorch.createCudaHostTensor(3, 4)
      assert.equal('torch.FloatTensor', torch.typename(x))
      assert.same({ 3, 4 }, x:size():totable())
      assert.is_true(cutorch.isPinned(x))
      assert.is_false(cutorch.isPinned(torch.FloatTensor(3)))
      assert.equal('torch.LongTensor', torch.typename(cutorch.createCudaHostLongTensor(2)))
      assert.is_true(cutorch.isPinned(cutorch.createCudaHostHalfTensor(torch.LongStorage { 2, 2 })))
      raises('createCudaHostTensor: size 2 is a string, wanted a number',
         cutorch.createCudaHostTensor, 3, 'x')
   end)

   it('may be empty, and stays pinned where it grows', function()
      local x = cutorch.createCudaHostTensor()
      assert.equal(0, x:dim())
      assert.is_true(cutorch.isPinned(x:resize(3, 4)))
      x:fill(7):resize(100, 4)
      assert.is_true(cutorch.isPinned(x))
      assert.equal(7, x[3][4])
      assert.is_true(cutorch.isPinned(cutorch.createCudaHostByteTensor(0, 3):resize(2)))
      local s = torch.IntStorage(cutorch.CudaHostAllocator)
      assert.is_true(cutorch.isPinned(torch.IntTensor(s:resize(5))))
      local before = cutorch.memoryStatistics(cutorch.PINNED).requested.current
      s:resize(1000)
      assert.equal(before + 4 * 995, cutorch.memoryStatistics(cutorch.PINNED).requested.current)
   end)

   it('costs little more than its size where it grows step by step', function()
      collectgarbage()
      collectgarbage()
      cutorch.emptyCache()
      local before = cutorch.memoryStatistics(cutorch.PINNED)
      local x = cutorch.createCudaHostByteTensor(2 ^ 16)
      for i = 1, 128 do
         x:resize(2 ^ 16 * i)
      end
      local after = cutorch.memoryStatistics(cutorch.PINNED)
      assert.is_true(after.reserved.current - before.reserved.current < 4 * 128 * 2 ^ 16)
      assert.is_true(after.blocks.total - before.blocks.total < 16)
   end)

   it('is collected and asked for again when it has run out, and says what it lacks', function()
      collectgarbage()
      collectgarbage()
      cutorch.emptyCache()
      local reserved = cutorch.memoryStatistics(cutorch.PINNED).reserved.current
      cutorch.setMemoryLimit(reserved + 6 * 2 ^ 20, cutorch.PINNED)
      collectgarbage 'stop'
      local made = {}
      for _, sizes in ipairs { { 2 ^ 22 }, { 2 ^ 22, 0 }, { 2 ^ 11, 2 ^ 11 } } do
         made[#made + 1] = cutorch.createCudaHostByteTensor(unpack(sizes)):dim()
      end
      collectgarbage 'restart'
      local message = messageOf(cutorch.createCudaHostTensor, 2 ^ 28)
      cutorch.setMemoryLimit(0, cutorch.PINNED)
      assert.same({ 1, 1, 2 }, made)
      assert.matches('out of pinned memory: asked 1.00 GiB; .*, limit [%d.]+ MiB$', message)
      raises('a tensor of 1099511627776x1099511627776 does not fit into any memory',
         cutorch.createCudaHostTensor, 2 ^ 40, 2 ^ 40)
   end)

   it('comes from another Lua state\'s garbage, too', function()
      collectgarbage()
      collectgarbage()
      cutorch.emptyCache()
      local reserved = cutorch.memoryStatistics(cutorch.PINNED).reserved.current
      cutorch.setMemoryLimit(reserved + 6 * 2 ^ 20, cutorch.PINNED)
      local threads = require 'threads'
      local flags = require('tds').Hash()
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(1)
      threads.Threads.serialization 'threads.serialize'
      pool:addjob(function()
         collectgarbage 'stop'
         require('cutorch').createCudaHostByteTensor(2 ^ 22)
         flags.littered = true
         while not flags.done do
            require('torch').FloatTensor(10)
         end
      end)
      local start = os.time()
      while not flags.littered and os.time() - start < 20 do
         cutorch.synchronize()
      end
      local ok, x = pcall(cutorch.createCudaHostByteTensor, 2 ^ 22)
      flags.done = true
      pool:terminate()
      cutorch.setMemoryLimit(0, cutorch.PINNED)
      assert.is_true(ok, x)
   end)

   it('keeps what it gets from a composite', function()
      local C = require('torch.ffi').C
      local x, w = torch.rand(6, 64, 32):float(), torch.rand(128, 32):float()
      local expected, y = torch.FloatTensor(), cutorch.createCudaHostTensor()
      for _, r in ipairs { expected, y } do
         assert.equal(0, C.TH_lstm(r, torch.FloatTensor(), torch.FloatTensor(), x, nil, nil, w, w,
            nil, nil, nil, false))
      end
      assert.is_true(cutorch.isPinned(y))
      assert.is_true(y:equal(expected))
   end)

   it('is a storage\'s by its allocator, as in Torch7', function()
      local before = cutorch.memoryStatistics(cutorch.PINNED).requested.current
      local s = torch.IntStorage(cutorch.CudaHostAllocator, 5)
      assert.equal('torch.IntStorage', torch.typename(s))
      assert.equal(5, #s)
      assert.equal(before + 20, cutorch.memoryStatistics(cutorch.PINNED).requested.current)
      assert.is_true(cutorch.isPinned(torch.IntTensor(s)))
      assert.equal(0, #torch.FloatStorage(cutorch.CudaHostAllocator))
      assert.equal('torch.Allocator', torch.typename(cutorch.CudaHostAllocator))
      raises('page-locked memory is the host\'s', torch.CudaStorage, cutorch.CudaHostAllocator, 5)
      raises('a storage cannot have -1 elements', torch.FloatStorage, cutorch.CudaHostAllocator, -1)
   end)

   it('is copied from and to without waiting', function()
      local x = cutorch.createCudaHostTensor(1000):copy(torch.range(1, 1000))
      local there = torch.CudaTensor(1000):copyAsync(x)
      there:mul(2)
      local back = cutorch.createCudaHostTensor(1000):copyAsync(there)
      cutorch.synchronize()
      assert.is_true(back:equal(torch.range(2, 2000, 2):float()))
      assert.matches('invalid arguments', messageOf(there.copyAsync, there, 3), 1, true)
   end)

   it('are calls like any other, whose result is written', function()
      local host = cutorch.createCudaHostTensor(4):fill(7)
      local there = torch.CudaTensor(4):fill(1)
      for _, pair in ipairs { { there, host }, { host, there }, { there, there:clone() } } do
         local r, x = unpack(pair)
         local version, read = r:storage().store.version[0], x:storage().store.version[0]
         local calls = torch.calls(r.copyAsync, r, x)
         assert.equal(1, #calls)
         assert.equal('copy', calls[1].name)
         assert.are_not.equal(version, r:storage().store.version[0])
         assert.equal(read, x:storage().store.version[0])
      end
      local version = there:storage().store.version[0]
      local calls = torch.calls(pcall, there.copyAsync, there, torch.FloatTensor(5))
      assert.is_true(calls[1].failed)
      assert.equal(version, there:storage().store.version[0])
   end)

   it('has a pool of its own', function()
      local before = cutorch.memoryStatistics(cutorch.PINNED).requested.current
      local x = cutorch.createCudaHostTensor(1000)
      assert.is_true(
         cutorch.memoryStatistics(cutorch.PINNED).requested.current >= before + 4000)
      assert.equal(1000, x:nElement())
   end)
end)
