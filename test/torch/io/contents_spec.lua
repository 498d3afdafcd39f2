-- Parts of files as storages: read, or mapped and viewed as elements of another type.
local torch = require 'torch'
local ffi = require 'ffi'
local contents = require 'torch.io.contents'
local storages = require 'torch.Storage'
local types = require 'torch.types'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local FLOAT, SHORT = types.numbers['torch.FloatStorage'], types.numbers['torch.ShortStorage']

describe('torch.io.contents', function()
   local path

   before_each(function()
      path = os.tmpname()
      local out = assert(io.open(path, 'wb'))
      out:write('abcd', ffi.string(ffi.new('float[3]', 1.5, -2, 3), 12), '\1\2\3')
      out:close()
   end)

   after_each(function()
      os.remove(path)
   end)

   local function elements(number, at, count, map)
      local file = contents.open('reading', path)
      local storage = file:elements(number, at, count, map)
      file:close()
      return storage
   end

   -- Large blocks go round C's own buffer, whose position is to follow.
   it('reads large blocks between small ones, and says where a file has become shorter', function()
      local n = 5 * 2 ^ 20 + 1
      local out = assert(io.open(path, 'wb'))
      out:write('head')
      local x = torch.ShortTensor(n):random(-32768, 32767)
      out:write(ffi.string(x:data(), 2 * n), 'tail')
      out:close()
      local file = contents.open('reading', path)
      for _ = 1, 2 do
         assert.equal('he', file:text(0, 2))
         local s = file:elements(SHORT, 4, n, false)
         assert.is_true(torch.ShortTensor(s):equal(x))
         assert.equal('tail', file:text(4 + 2 * n, 4))
      end
      assert.equal(0, os.execute(("truncate -s 9000000 '%s'"):format(path)))
      raises(('the data end before byte %d'):format(4 + 2 * n), file.elements, file, SHORT, 4, n)
   end)

   it('gives bytes and elements by their places', function()
      local file = contents.open('reading', path)
      assert.equal(19, file.size)
      assert.equal('cd', file:text(2, 2))
      for _, map in ipairs { false, true, 'shared' } do
         local s = file:elements(FLOAT, 4, 3, map)
         assert.equal('torch.FloatStorage', torch.type(s))
         assert.same({ 1.5, -2, 3 }, s:totable())
      end
      file:close()
      assert.same({}, elements(FLOAT, 0, 0, true):totable())
   end)

   it('reads elements that lie between their places, which cannot be shared', function()
      assert.same({ 513 }, elements(SHORT, 16, 1, true):totable())
      assert.same({ 770 }, elements(SHORT, 17, 1, true):totable())
      raises('elements of 2 bytes begin at byte 17, no multiple of it', elements, SHORT, 17, 1,
         'shared')
   end)

   it('says when the file is shorter than it was', function()
      local file = contents.open('reading', path)
      assert(os.execute(("truncate -s 10 '%s'"):format(path)) == 0)
      raises(("reading: '%s': it became shorter while it was read"):format(path), file.elements,
         file, FLOAT, 4, 3, true)
      file = contents.open('reading', path)
      file.size = 19
      raises("read error: the data end before byte 16", file.elements, file, FLOAT, 4, 3)
   end)

   it('refuses what has no size', function()
      raises('reading: expected a file name, got nil', contents.open, 'reading')
      raises('cannot open <none>', contents.open, 'reading', 'none')
      local text = shell.run(("echo x | '%s' -e \"require('torch.io.contents').open('reading', "
         .. "'/dev/stdin')\""):format(os.getenv 'TH_EXECUTABLE'))
      assert.matches("reading: '/dev/stdin': it is a pipe or a terminal", text, 1, true)
   end)
end)

describe('a storage seen as another type', function()
   it('has the same memory, and a reference to it', function()
      local bytes = torch.ByteStorage(16):fill(0)
      local floats = storages.viewAs(FLOAT, bytes, 4, 2)
      floats[1], floats[2] = 1, -2
      assert.same({ 0, 0, 128, 63, 0, 0, 0, 192 }, torch.ByteStorage(bytes, 5, 8):totable())
      local x = torch.FloatTensor(floats)
      bytes, floats = nil, nil -- luacheck: ignore 311
      collectgarbage()
      assert.equal(-1, x:sum())
   end)

   it('counts writes together', function()
      local bytes = torch.ByteStorage(16)
      local floats = storages.viewAs(FLOAT, bytes, 0, 4)
      local before = bytes.store.version[0]
      torch.FloatTensor(floats):fill(1)
      assert.is_true(bytes.store.version[0] > before)
   end)

   it('stays inside, and where its elements can lie', function()
      local bytes = torch.ByteStorage(16)
      raises('8 bytes from byte 12 on are not within a storage of 16', storages.viewAs, FLOAT,
         bytes, 12, 2)
      raises('are not within a storage of 16', storages.viewAs, FLOAT, bytes, -4, 1)
      raises('are not within a storage of 16', storages.viewAs, FLOAT, bytes, 20, 0)
      raises('no Float can lie at byte 2', storages.viewAs, FLOAT, bytes, 2, 1)
      raises('cannot have -1 elements', storages.viewAs, FLOAT, bytes, 0, -1)
   end)
end)
