local torch = require 'torch'
local t7 = require 'test.support.t7'
local raises = require 'test.support.raises'

local contentOf = t7.contentOf
local setContent = t7.setContent
local written = t7.written
local reading = t7.reading

local names = { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double' }
local sizes = { Byte = 1, Char = 1, Short = 2, Int = 4, Long = 8, Float = 4, Double = 8 }

describe('torch.File', function()
   local path

   before_each(function()
      path = os.tmpname()
   end)

   after_each(function()
      os.remove(path)
   end)

   it('is abstract', function()
      raises('torch.File cannot be constructed: it is abstract', torch.File)
      assert.is_true(torch.isTypeOf(torch.MemoryFile(), 'torch.File'))
      assert.is_true(torch.isTypeOf(torch.DiskFile(path, 'w'), 'torch.File'))
   end)

   it('starts in ASCII mode, with auto-spacing, not quiet, referenced', function()
      for _, f in ipairs { torch.MemoryFile(), torch.DiskFile(path, 'rw') } do
         assert.is_false(f:isBinary())
         assert.is_true(f:isAutoSpacing())
         assert.is_false(f:isQuiet())
         assert.is_false(f:hasError())
         assert.is_true(f:isReferenced())
         assert.is_true(f:isReadable())
         assert.is_true(f:isWritable())
         assert.equal(f, f:binary())
         assert.is_true(f:isBinary())
         assert.is_false(f:ascii():isBinary())
         assert.is_false(f:noAutoSpacing():isAutoSpacing())
         assert.is_true(f:autoSpacing():isAutoSpacing())
         assert.is_true(f:quiet():isQuiet())
         assert.is_false(f:pedantic():isQuiet())
         assert.is_false(f:referenced(false):isReferenced())
      end
   end)

   for _, mode in ipairs { 'ascii', 'binary' } do
      it('reads back numbers and storages of every type, ' .. mode, function()
         for _, name in ipairs(names) do
            for _, f in ipairs { torch.MemoryFile(), torch.DiskFile(path, 'rw') } do
               f[mode](f)
               local storage = torch[name .. 'Storage'] { 1, 2, 100 }
               assert.equal(1, f['write' .. name](f, 7))
               assert.equal(3, f['write' .. name](f, storage))
               f:seek(1)
               assert.equal(7, f['read' .. name](f))
               local other = torch[name .. 'Storage'](3)
               assert.equal(3, f['read' .. name](f, other))
               assert.same({ 1, 2, 100 }, other:totable())
               f:seek(1)
               assert.same({ 7, 1, 2, 100 }, mode == 'binary' and f['read' .. name](f, 4):totable()
                  or { f['read' .. name](f), unpack(f['read' .. name](f, 3):totable()) })
               if mode == 'binary' then
                  assert.equal(4 * sizes[name] + 1, f:position())
               end
               f:close()
            end
         end
      end)

      it('keeps booleans as ints, ' .. mode, function()
         local f = torch.MemoryFile()
         f[mode](f)
         f:writeBool(true)
         f:writeBool(false)
         f:seek(1)
         assert.equal(1, f:readInt())
         assert.is_false(f:readBool())
      end)

      it('reads blocks longer than its buffer, ' .. mode, function()
         local n = 100003
         local storage = torch.IntStorage(n)
         for i = 1, n do
            storage[i] = i * 7 % 1000 - 500
         end
         local f = torch.DiskFile(path, 'w')
         f[mode](f)
         f:writeInt(42)
         f:writeInt(storage)
         f:close()
         f = torch.DiskFile(path)
         f[mode](f)
         assert.equal(42, f:readInt())
         local back = f:readInt(n)
         for i = 1, n do
            assert(back[i] == storage[i])
         end
         f:close()
      end)
   end

   describe('strings', function()
      it('are written as they are', function()
         assert.equal('a b\n\0c', written(function(f)
            assert.equal(6, f:writeString 'a b\n\0c')
         end))
      end)

      it('are read by lines or as a whole, from memory and from disk', function()
         local text = 'one\n\n' .. ('x'):rep(200000) .. '\nlast'
         setContent(path, text)
         for _, open in ipairs {
            function() return reading(text) end,
            function() return torch.DiskFile(path) end,
         } do
            local f = open()
            assert.equal('one', f:readString '*l')
            assert.equal('', f:readString '*l')
            assert.equal(200000, #f:readString '*l')
            assert.equal('last', f:readString '*l')
            raises('read 0 blocks instead of 1 at position 200011', f.readString, f, '*l')
            f:seek(1)
            assert.equal(text, f:readString '*a')
            raises('read 0 blocks instead of 1 at position 200011', f.readString, f, '*a')
            raises("readString: expected '*l' (a line) or '*a' (all), got *x", f.readString, f,
               '*x')
         end
      end)
   end)

   describe('at the end of the data', function()
      it('raises "read error: read 0 blocks instead of 1"', function()
         for _, f in ipairs { reading '', torch.DiskFile(path) } do
            for _, name in ipairs(names) do
               local ok, message = pcall(f['read' .. name], f)
               assert.is_false(ok)
               assert.matches('read error: read 0 blocks instead of 1', message, 1, true)
               assert.is_true(f:hasError())
               assert.is_false(f:clearError():hasError())
            end
         end
      end)

      it('names the file and the position, at the line of the caller', function()
         setContent(path, 'abc')
         local f = torch.DiskFile(path):binary()
         f:readShort()
         local line = debug.getinfo(1, 'l').currentline + 1
         local ok, message = pcall(function() f:readInt() end)
         assert.is_false(ok)
         assert.matches('File_spec.lua:' .. line .. ': ', message, 1, true)
         assert.matches('at position 3 of', message, 1, true)
         assert.matches(path, message, 1, true)
      end)

      it('notes the error and goes on when quiet', function()
         for _, f in ipairs { reading '1 2', torch.DiskFile(path, 'rw') } do
            if torch.type(f) == 'torch.DiskFile' then
               f:writeString '1 2'
               f:seek(1)
            end
            f:quiet()
            assert.same({ 1, 2 }, f:readInt(5):totable())
            assert.is_true(f:hasError())
            f:clearError()
            assert.equal(0, f:readInt())
            assert.is_true(f:hasError())
            f:seek(1):clearError()
            local s = torch.IntStorage(3):fill(9)
            assert.equal(2, f:readInt(s))
            assert.same({ 1, 2, 9 }, s:totable())
            assert.equal('', f:readString '*a')
         end
      end)

      it('says how much there was of a block', function()
         local ok, message = pcall(function()
            reading('1 2 3'):readDouble(5)
         end)
         assert.is_false(ok)
         assert.matches('read 3 blocks instead of 5', message, 1, true)
      end)

      it('takes no memory for what cannot be there', function()
         setContent(path, '12345678')
         for _, f in ipairs { reading '12345678', torch.DiskFile(path) } do
            f:binary()
            raises('read 1 blocks instead of 1000000000000', f.readDouble, f, 1e12)
            assert.equal(1, #f:quiet():readDouble(1e12))
         end
      end)
   end)

   it('refuses wrong arguments and stays as it was', function()
      local f = torch.MemoryFile():binary()
      for _, bad in ipairs { 'x', {}, torch.FloatStorage(2), torch.IntTensor() } do
         local ok, message = pcall(f.writeInt, f, bad)
         assert.is_false(ok)
         assert.matches('writeInt: expected a number or a torch.IntStorage', message, 1, true)
         raises('readInt: expected a number or a torch.IntStorage, got ' .. torch.type(bad),
            f.readInt, f, bad)
      end
      raises('writeInt: expected a number or a torch.IntStorage, got nil', f.writeInt, f, nil)
      raises('readInt: expected a count of elements, got -1', f.readInt, f, -1)
      raises('readInt: expected a count of elements, got nan', f.readInt, f, 0 / 0)
      raises('writeString: expected a string, got table', f.writeString, f, {})
      raises('longSize: expected 4, 8, or 0 for the native size, got 5', f.longSize, f, 5)
      assert.equal(1, f:position())
   end)

   it('refuses the wrong direction even when quiet', function()
      setContent(path, 'abc')
      local r, w = torch.DiskFile(path, 'r', true), torch.MemoryFile('w'):quiet()
      for _, call in ipairs {
         function() r:writeInt(1) end, function() w:readInt() end,
         function() r:writeString 'x' end, function() w:readString '*l' end,
         function() r:writeObject(1) end, function() w:readObject() end,
      } do
         local ok, message = pcall(call)
         assert.is_false(ok)
         assert.matches('-only file', message, 1, true)
      end
      assert.equal('abc', contentOf(path))
   end)

   it('refuses to be used after close, and closes twice', function()
      for _, f in ipairs { torch.DiskFile(path, 'w'), torch.MemoryFile() } do
         assert.equal(f, f:close())
         f:close()
         for _, call in ipairs { 'position', 'seekEnd', 'synchronize' } do
            local ok, message = pcall(f[call], f)
            assert.is_false(ok)
            assert.matches('closed file', message, 1, true)
         end
         raises('closed file', f.writeInt, f, 1)
         raises('closed file', f.writeObject, f, 1)
      end
   end)

   describe('positions', function()
      it('count from 1', function()
         for _, f in ipairs { torch.MemoryFile(), torch.DiskFile(path, 'rw') } do
            assert.equal(1, f:position())
            f:binary():writeInt(torch.IntStorage { 1, 2, 3 })
            assert.equal(13, f:position())
            f:seek(5)
            assert.equal(5, f:position())
            assert.equal(2, f:readInt())
            f:seek(5)
            f:writeInt(20)
            assert.equal(3, f:readInt())
            f:seekEnd()
            assert.equal(13, f:position())
            f:writeInt(4)
            f:seek(1)
            assert.same({ 1, 20, 3, 4 }, f:readInt(4):totable())
            raises('seek: expected a position of at least 1, got 0', f.seek, f, 0)
            raises('seek: expected a position of at least 1, got x', f.seek, f, 'x')
         end
      end)

      it('past the end are an error in memory', function()
         local f = reading 'abc'
         f:seek(4)
         local ok, message = pcall(function() f:seek(5) end)
         assert.is_false(ok)
         assert.matches('unable to seek at position 5', message, 1, true)
         f:quiet():seek(5)
         assert.is_true(f:hasError())
         assert.equal(4, f:position())
      end)

      it('mix reading and writing on disk in any order', function()
         -- The model: a Lua string changed the same way.
         local model, position = '', 0
         local f = torch.DiskFile(path, 'rw'):binary()
         local state = 12345
         local function random(n)
            state = (state * 16807) % 2147483647
            return state % n
         end
         for _ = 1, 3000 do
            local action = random(4)
            if action == 0 then
               position = random(#model + 1)
               f:seek(position + 1)
            elseif action == 1 then
               local text = string.char(97 + random(26)):rep(random(50) == 0 and 70000 or random(9))
               f:writeString(text)
               model = model:sub(1, position) .. text .. model:sub(position + #text + 1)
               position = position + #text
               if #model > 400000 then
                  break
               end
            elseif action == 2 and position < #model then
               local n = math.min(1 + random(random(40) == 0 and 80000 or 12), #model - position)
               local got = f:readChar(n):string()
               assert(got == model:sub(position + 1, position + n), 'a wrong block was read')
               position = position + n
            end
            assert(f:position() == position + 1, 'a wrong position')
         end
         f:close()
         assert.equal(model, contentOf(path))
      end)

      it('take numbers as text, and cut fractions off, as Torch7 does', function()
         local f = torch.MemoryFile()
         assert.equal(1, f:writeInt('3'))
         f:writeInt(4.9)
         f:writeDouble('3.5')
         f:seek('1')
         assert.same({ 3, 4 }, f:readInt('2'):totable())
         assert.equal(3.5, f:readDouble())
         f:seek(1.9)
         assert.equal(1, f:position())
         assert.same({ 3 }, f:readInt(1.9):totable())
         f:longSize('4')
         for _, bad in ipairs { '0', 0.9, 'x', 0 / 0, -1 } do
            local ok, message = pcall(f.seek, f, bad)
            assert.is_false(ok)
            assert.matches('expected a position of at least 1, got ' .. tostring(bad), message, 1,
               true)
         end
         for _, bad in ipairs { 0 / 0, -1, '-3' } do
            assert.matches('readInt: expected a count of elements',
               select(2, pcall(f.readInt, f, bad)), 1, true)
         end
      end)
   end)
end)
