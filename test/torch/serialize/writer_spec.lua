local torch = require 'torch'
local class = require 'torch.class'
local t7 = require 'test.support.t7'

local contentOf = t7.contentOf
local copyOf = t7.copyOf
local messageOf = t7.messageOf
local quietly = t7.quietly
local testClass = t7.testClass
local list = t7.list

describe('writeObject', function()
   it('numbers objects within a file, over several calls', function()
      local file = torch.MemoryFile()
      local t, u = {}, torch.LongTensor()
      file:writeObject(t)
      file:writeObject { t, u }
      file:writeObject(u)
      assert.equal('3;1;0;3;2;2;1;1;3;1;1;2;4;3;3;V 1;16;torch.LongTensor;0;1;0;4;3;\0',
         (file:storage():string():gsub('\n', ';')))
      file:seek(1)
      local t1, t2, t3 = file:readObject(), file:readObject(), file:readObject()
      assert.equal(t1, t2[1])
      assert.equal(torch.pointer(t2[2]), torch.pointer(t3))
   end)

   it('writes every object in full when not referenced', function()
      local t = {}
      local file = torch.MemoryFile():referenced(false)
      file:writeObject { t, t }
      assert.equal('3;1;2;1;1;3;2;0;1;2;3;3;0;\0', (file:storage():string():gsub('\n', ';')))
      file:seek(1)
      local copy = file:readObject()
      assert.not_equal(copy[1], copy[2])
      t.t = t
      assert.matches('nested more than', messageOf(file.writeObject, file, t), 1, true)
   end)

   it('asks a hook what to write', function()
      local file = torch.MemoryFile()
      local asked = 0
      local shared = { 'old' }
      file:writeObject({ shared, shared, 1, 'x' }, nil, function(object)
         if object == shared then
            asked = asked + 1
            return { 'new' }
         elseif object == 'x' then
            return nil
         end
         return object
      end)
      file:seek(1)
      local copy = file:readObject()
      assert.same({ { 'new' }, { 'new' }, 1 }, copy)
      assert.equal(copy[1], copy[2])
      assert.equal(1, asked)
   end)

   it('says what can be written', function()
      local file = torch.MemoryFile()
      for kind, object in pairs {
         [1] = 5, [2] = 'x', [3] = {}, [4] = torch.LongStorage(), [5] = false, [8] = function() end,
      } do
         assert.equal(kind, file:isWritableObject(object))
      end
      assert.equal(0, file:isWritableObject(nil))
      assert.equal(4, file:isWritableObject(list()))
      for _, object in ipairs { tonumber, coroutine.create(tonumber), io.stdout, 5LL, file } do
         assert.is_nil(file:isWritableObject(object))
      end
   end)

   it('names the way to what cannot be written, and leaves the file as it was', function()
      local file = torch.MemoryFile()
      file:writeObject { 'first' }
      local before = file:storage():string()
      for path, object in pairs {
         ['<function> at <?>'] = tonumber,
         ['<thread> at <?>.a.b[2]["c d"]'] = {
            a = { b = { 1, { ['c d'] = coroutine.create(tonumber) } } },
         },
         ['<userdata> at <?>.list'] = { list = list(1, io.stdout) },
         ['<cdata> at <?>.n'] = { n = 5LL },
         ['<torch.MemoryFile> at <?>.file'] = { file = file },
      } do
         local message = messageOf(file.writeObject, file, object)
         assert.matches('Unwritable object ' .. path .. ' (', message, 1, true)
         assert.matches('^[^:]*t7.lua:%d+: writeObject: ', message) -- where messageOf calls
         assert.equal(before, file:storage():string())
      end
      local inner = { call = tonumber }
      local message = messageOf(file.writeObject, file, function() return inner end)
      assert.matches('<function> at <?>.inner.call (', message, 1, true) -- by names of upvalues
      message = messageOf(file.writeObject, file, { fn = tonumber }, 'model')
      assert.matches(' at model.fn (', message, 1, true)
      file:seekEnd():writeObject { 'second' }
      file:seek(1)
      assert.same({ 'first' }, file:readObject())
      assert.same({ 'second' }, file:readObject())
   end)

   it('takes back a long failed object from disk, too', function()
      local path = os.tmpname()
      local file = torch.DiskFile(path, 'w'):binary()
      file:writeObject 'first'
      file:synchronize()
      local before = contentOf(path)
      messageOf(file.writeObject, file, { ('x'):rep(300000), tonumber })
      file:synchronize()
      assert.equal(before, contentOf(path))
      file:writeObject 'second'
      file:close()
      file = torch.DiskFile(path):binary()
      assert.equal('first', file:readObject())
      assert.equal('second', file:readObject())
      file:close()
      os.remove(path)
   end)

   it('leaves out fields of instances that cannot be written, with a warning', function()
      local object = class.factory 't7test.Point'()
      object.x, object.callback, object[io.stdout] = 1, tonumber, 2
      local warning, bytes = quietly(torch.serialize, object)
      assert.matches('field callback of a t7test.Point is left out', warning, 1, true)
      local copy = torch.deserialize(bytes)
      assert.equal(1, copy.x)
      assert.is_nil(copy.callback)
      assert.equal(tonumber, object.callback)
   end)

   it('calls write and read methods, own and inherited, with the version', function()
      local SubList = testClass('SubList', 't7test.List')
      SubList.__version = 7
      local object = class.factory 't7test.SubList'()
      object.values = { 1, { 2 } }
      local copy = copyOf { object, object }
      assert.equal('t7test.SubList', torch.typename(copy[1]))
      assert.equal(copy[1], copy[2])
      assert.equal(7, copy[1].version)
      assert.same({ 1, { 2 } }, copy[1].values)
   end)

   it('passes on what a write method raises, and is usable afterwards', function()
      local Failing = testClass 'Failing'
      function Failing.write()
         error { code = 5 }
      end
      local object = class.factory 't7test.Failing'()
      local file = torch.MemoryFile()
      local ok, reason = pcall(file.writeObject, file, { object })
      assert.is_false(ok)
      assert.same({ code = 5 }, reason)
      file:writeObject(5)
      assert.equal('1;5;\0', (file:storage():string():gsub('\n', ';')))
   end)
end)
