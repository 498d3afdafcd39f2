local torch = require 'torch'
local class = require 'torch.class'
local t7 = require 'test.support.t7'
local raises = require 'test.support.raises'

local data = t7.data
local setContent = t7.setContent
local copyOf = t7.copyOf
local messageOf = t7.messageOf
local int = t7.int
local text = t7.text
local storageBytes = t7.storageBytes
local testClass = t7.testClass
local list = t7.list

describe('torch.serialize', function()
   for _, mode in ipairs { 'binary', 'ascii' } do
      it('gives back what went in, ' .. mode, function()
         local t = { 1, 2.5, 'three', false, { x = { y = { 'z' } } }, [-1] = 'a', [0.5] = 'b',
            [true] = 'c', ['\0\n "'] = ('x'):rep(100000), [5e-324] = -1e308, [''] = {} }
         t[{ 'key' }] = 'of a table'
         local copy = copyOf(t, mode)
         local keyOfTable
         for key, value in pairs(copy) do
            if type(key) == 'table' then
               keyOfTable = key
               assert.equal('of a table', value)
            end
         end
         assert.same({ 'key' }, keyOfTable)
         copy[keyOfTable] = nil
         for key in pairs(t) do
            if type(key) == 'table' then
               t[key] = nil
            end
         end
         assert.same(t, copy)
      end)

      it('keeps references and cycles, ' .. mode, function()
         local shared = { 'shared' }
         local point = class.factory 't7test.Point'()
         point.own, point.shared = point, shared
         local t = { shared, shared, point, list(shared, point) }
         t[5], t[t] = t, point
         local copy = copyOf(t, mode)
         assert.equal(copy[1], copy[2])
         assert.equal(copy, copy[5])
         assert.equal(copy[3], copy[copy])
         assert.equal(copy[3], copy[3].own)
         assert.equal(copy[1], copy[3].shared)
         assert.equal(copy[1], copy[4].values[1])
         assert.equal(copy[3], copy[4].values[2])
         assert.equal('t7test.Point', torch.typename(copy[3]))
         assert.not_equal(shared, copy[1])
      end)

      it('gives back tensors and storages of every type, ' .. mode, function()
         for _, name in ipairs {
            'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float', 'Double',
         } do
            local storage = torch[name .. 'Storage'] { 1, 2, 3, 100 }
            local copy = copyOf(storage, mode)
            assert.equal('torch.' .. name .. 'Storage', torch.typename(copy))
            assert.same({ 1, 2, 3, 100 }, copy:totable())
            local tensor = torch[name .. 'Tensor'](storage, 2, torch.LongStorage { 2, 1 },
               torch.LongStorage { 2, 1 })
            copy = copyOf(tensor, mode)
            assert.equal(torch.typename(tensor), torch.typename(copy))
            assert.same({ 2, 1 }, copy:size():totable())
            assert.same({ 2, 1 }, copy:stride():totable())
            assert.equal(2, copy:storageOffset())
            assert.same({ 1, 2, 3, 100 }, copy:storage():totable())
         end
      end)

      it('keeps expanded tensors, many dimensions and empty tensors, ' .. mode, function()
         local expanded = torch.DoubleTensor(torch.DoubleStorage { 7 }, 1,
            torch.LongStorage { 3, 4 }, torch.LongStorage { 0, 0 })
         local copy = copyOf(expanded, mode)
         assert.equal(12, copy:nElement())
         assert.equal(1, #copy:storage())
         assert.equal(7, copy[3][4])
         local sizes = torch.LongStorage(16):fill(1)
         copy = copyOf(torch.FloatTensor(sizes), mode)
         assert.equal(16, copy:dim())
         copy = copyOf({ torch.IntTensor(), torch.IntStorage() }, mode)
         assert.equal(0, copy[1]:dim())
         assert.equal(0, #copy[2])
      end)
   end

   it('treats two handles of one storage as one object', function()
      local tensor = torch.FloatTensor { 1, 2 }
      local copy = copyOf { tensor:storage(), tensor:storage(), tensor }
      copy[1][1] = 9
      assert.equal(9, copy[2][1])
      assert.equal(9, copy[3][1])
   end)

   it('keeps the exact bits of numbers in binary, and of doubles as text', function()
      local values = { 0.1, -1 / 3, 5e-324, 2 ^ 1023, -0.0, 1 / 0, -1 / 0, 2 ^ 53 + 2 }
      assert.same(values, copyOf(values))
      assert.same(values, copyOf(values, 'ascii'))
      assert.equal(-1 / 0, 1 / copyOf(values)[5])
      local nan = copyOf(0 / 0)
      assert.is_true(nan ~= nan)
   end)

   it('writes long tables: a million numbers', function()
      local t = {}
      for i = 1, 1e6 do
         t[i] = i * 0.5
      end
      local copy = copyOf(t)
      assert.equal(1e6, #copy)
      assert.equal(5e5, copy[1e6])
   end)

   it('goes to and from a CharStorage', function()
      local t = { 1, 'two', { 3 } }
      for _, mode in ipairs { 'binary', 'ascii' } do
         local storage = torch.serializeToStorage(t, mode)
         assert.equal('torch.CharStorage', torch.typename(storage))
         assert.equal(torch.serialize(t, mode), storage:string())
         assert.same(t, torch.deserializeFromStorage(storage, mode))
      end
      raises('torch.deserializeFromStorage: expected a torch.CharStorage or the elements of a '
         .. 'torch.CharTensor, got string', torch.deserializeFromStorage, 'x')
      raises('torch.CharTensor, got torch.ByteStorage', torch.deserializeFromStorage,
         torch.ByteStorage(4))
      raises('torch.CharTensor, got an empty one', torch.deserializeFromStorage, torch.CharTensor())
   end)

   -- torchnet keeps many objects in one tensor of bytes.
   it('reads an object out of a tensor of bytes', function()
      local bytes = torch.CharTensor(torch.serializeToStorage { 'a', 1 })
      local n = bytes:nElement()
      local both = torch.cat(torch.CharTensor(3):fill(9), bytes)
      assert.same({ 'a', 1 }, torch.deserializeFromStorage(both:narrow(1, 4, n)))
      local strided = torch.CharTensor(n, 2)
      strided:select(2, 2):copy(bytes)
      assert.same({ 'a', 1 }, torch.deserializeFromStorage(strided:select(2, 2)))
   end)

   it('refuses modes and options it does not know', function()
      for _, call in ipairs {
         function() torch.serialize(1, 'text') end,
         function() torch.serialize(1, 'b32') end,
         function() torch.deserialize('', 'text') end,
         function() torch.deserialize(5) end,
         function() torch.deserialize(torch.serialize(1), nil, { functions = true }) end,
         function() torch.deserialize(torch.serialize(1), nil, { loadFunctions = 1 }) end,
         function() torch.load(5) end,
         function() torch.save(nil, 5) end,
         function() torch.save(data .. 'never', 5, nil, 'yes') end,
      } do
         assert.matches('serialize_spec.lua:%d+: torch%.', messageOf(call))
      end
   end)
end)

describe('torch.load', function()
   local path

   before_each(function()
      path = os.tmpname()
   end)

   after_each(function()
      os.remove(path)
   end)

   it('closes the file, also after an error', function()
      local function descriptors()
         local pipe = io.popen('ls -l /proc/$PPID/fd 2>/dev/null | grep -c ' .. path)
         local n = pipe:read '*n'
         pipe:close()
         return n
      end
      local file = assert(io.open(path, 'w'))
      if descriptors() == 0 then
         return pending 'this system does not list the open files of a process'
      end
      file:close()
      collectgarbage 'stop' -- the collector would close what we forgot
      for _ = 1, 5 do
         torch.save(path, { 1 })
         torch.load(path)
         pcall(torch.load, path, 'ascii')
         pcall(torch.save, path, print)
      end
      local left = descriptors()
      collectgarbage 'restart'
      assert.equal(0, left)
   end)

   it('says which file, which byte, what is wrong and what to do', function()
      setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'zoo.Lion' .. int(0))
      local line = debug.getinfo(1, 'l').currentline + 1
      local message = messageOf(function() torch.load(path) end)
      assert.matches('serialize_spec.lua:' .. line .. ": torch.load: '" .. path
         .. "', byte 28: unknown Torch class <zoo.Lion>: require 'zoo'", message, 1, true)
      setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'torch.CudaLion' .. int(0))
      message = messageOf(torch.load, path)
      assert.matches("unknown Torch class <torch.CudaLion>: require 'cutorch'", message, 1, true)
      setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'nn.Lion' .. int(0))
      assert.matches("require 'nn'", messageOf(torch.load, path), 1, true)
      setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'cudnn.Lion' .. int(0))
      assert.matches("require 'cudnn' before loading, in a build with CUDA; or save "
         .. 'cudnn.convert(net, nn)', messageOf(torch.load, path), 1, true)
      if not torch.getmetatable 'nn.DataParallelTable' then -- where cunn is loaded, it is known
         setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'nn.DataParallelTable' .. int(0))
         message = messageOf(torch.load, path)
         assert.matches("require 'cunn' before loading", message, 1, true)
         assert.matches('save net:get(1) there', message, 1, true)
      end
      setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'dataset.Lion' .. int(0))
      assert.matches("require 'dataset' (or what defines", messageOf(torch.load, path), 1, true)
      setContent(path, int(4) .. int(1) .. text 'V 1' .. text 'Lion' .. int(0))
      assert.matches('define it with torch.class', messageOf(torch.load, path), 1, true)
   end)

   it('guesses the right mode when the given one is wrong', function()
      torch.save(path, { 1 }, 'ascii')
      assert.matches("mode 'ascii'", messageOf(torch.load, path), 1, true)
      torch.save(path, { 1 })
      assert.matches("mode 'binary'", messageOf(torch.load, path, 'ascii'), 1, true)
   end)

   it('reads from a pipe, of which the size is not known', function()
      local tensor = torch.DoubleTensor(300000):fill(3)
      torch.save(path, { tensor, ('x'):rep(3000000), torch.ByteTensor(5000000):fill(1) })
      local pipe = torch.PipeFile('cat ' .. path):binary()
      local copy = pipe:readObject()
      pipe:close()
      assert.equal(3, copy[1][300000])
      assert.equal(3000000, #copy[2])
      assert.equal(1, copy[3][5000000])
      setContent(path, storageBytes('Double', 1e12, ('x'):rep(1000)))
      pipe = torch.PipeFile('cat ' .. path):binary()
      assert.matches('read error', messageOf(pipe.readObject, pipe), 1, true)
      setContent(path, int(2) .. int(2 ^ 31 - 1) .. ('x'):rep(1000))
      pipe = torch.PipeFile('cat ' .. path):binary()
      assert.matches('read error', messageOf(pipe.readObject, pipe), 1, true)
   end)

   it('reads on after an error, from where it was', function()
      local file = torch.MemoryFile():binary()
      local object = class.factory 't7test.Point'()
      object.x = 1
      file:writeObject 'before'
      local place = file:position()
      file:writeObject { object, 'after' }
      local bytes = file:storage():string():gsub('t7test.Point', 't7test.Later')
      file = torch.MemoryFile(torch.CharStorage():string(bytes), 'r'):binary()
      assert.equal('before', file:readObject())
      assert.matches('t7test.Later', messageOf(file.readObject, file), 1, true)
      assert.equal(place, file:position())
      assert.is_true(file:hasError())
      testClass 'Later'
      local t = file:readObject()
      assert.equal('t7test.Later', torch.typename(t[1]))
      assert.equal('after', t[2])
      raises('byte 128: read error: read 0 blocks instead of 1', file.readObject, file)
      assert.is_nil(file:quiet():readObject())
      class.classes['t7test.Later'] = nil -- unknown again, should the file run twice
   end)
end)
