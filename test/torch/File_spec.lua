local torch = require 'torch'

-- What a file holds, as text with ';' for newline and '_' for space.
local function shown(bytes)
   return (bytes:gsub('\n', ';'):gsub(' ', '_'))
end

local function contentOf(path)
   local file = assert(io.open(path, 'rb'))
   local bytes = file:read '*a'
   file:close()
   return bytes
end

local function setContent(path, bytes)
   local file = assert(io.open(path, 'wb'))
   file:write(bytes)
   file:close()
end

local function hex(bytes)
   return (bytes:gsub('.', function(c)
      return ('%02x'):format(c:byte())
   end))
end

local function written(write)
   local file = torch.MemoryFile()
   write(file)
   return file:storage():string():sub(1, -2)
end

-- A memory file to read, over text.
local function reading(text)
   return torch.MemoryFile(torch.CharStorage():string(text .. '\0'), 'r')
end

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
      assert.has_error(torch.File)
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

   describe('in ASCII mode', function()
      it('writes each type in its format, with a newline', function()
         local cases = {
            { 'Byte', 65, 'A;' }, { 'Char', 66, 'B;' }, { 'Short', -3, '-3;' },
            { 'Int', 2147483647, '2147483647;' }, { 'Long', 2 ^ 53, '9007199254740992;' },
            { 'Float', 0.1, '0.100000001;' }, { 'Double', 0.1, '0.10000000000000001;' },
            { 'Double', 1 / 0, 'inf;' }, { 'Double', -1 / 0, '-inf;' }, { 'Double', -0.0, '-0;' },
         }
         for _, case in ipairs(cases) do
            local name, value, expected = unpack(case)
            assert.equal(expected, shown(written(function(f)
               f['write' .. name](f, value)
            end)))
         end
         assert.matches('^%-?nan;$', shown(written(function(f)
            f:writeDouble(0 / 0)
         end)))
      end)

      it('puts one space between the numbers of a storage and one newline after', function()
         assert.equal('1_2_3;', shown(written(function(f)
            assert.equal(3, f:writeInt(torch.IntStorage { 1, 2, 3 }))
         end)))
         assert.equal('AB;', shown(written(function(f)
            f:writeByte(torch.ByteStorage { 65, 66 })
         end)))
         assert.equal('', written(function(f)
            assert.equal(0, f:writeInt(torch.IntStorage()))
            f:writeChar(torch.CharStorage())
         end))
      end)

      it('puts nothing in without auto-spacing', function()
         assert.equal('123', written(function(f)
            f:noAutoSpacing():writeInt(torch.IntStorage { 1, 2, 3 })
         end))
         assert.equal('12', written(function(f)
            f:noAutoSpacing()
            f:writeInt(1)
            f:writeInt(2)
         end))
      end)

      it('skips white space before numbers and takes one newline after each call', function()
         local f = reading ' \n\t 12 -7\n\nx'
         assert.equal(12, f:readInt())
         assert.equal(-7, f:readInt())
         assert.equal('', f:readString '*l')
         assert.equal('x', f:readString '*l')
      end)

      it('reads what scanf reads', function()
         local f = reading '+5 3.25e2 0x1p4 inf -nan infinity 1e400 .5 7.rest'
         assert.equal(5, f:readInt())
         for _, expected in ipairs { 325, 16, 1 / 0 } do
            assert.equal(expected, f:readDouble())
         end
         local nan = f:readDouble()
         assert.is_true(nan ~= nan)
         assert.equal(1 / 0, f:readDouble())
         assert.equal(1 / 0, f:readDouble())
         assert.equal(0.5, f:readDouble())
         assert.equal(7, f:readInt())
         assert.equal('.rest', f:readString '*a')
      end)

      it('keeps all bits of longs', function()
         local storage = reading('9223372036854775807 -9223372036854775807'):readLong(2)
         assert.equal('9223372036854775807LL', tostring(storage:data()[0]))
         assert.equal('-9223372036854775807LL', tostring(storage:data()[1]))
         assert.equal('9223372036854775807_-9223372036854775807;', shown(written(function(f)
            f:writeLong(storage)
         end)))
      end)

      it('reads back every double exactly', function()
         local values = torch.DoubleStorage { 0.1, -1 / 3, 5e-324, 2 ^ 1023, 123456789.125, -0.0 }
         local f = torch.MemoryFile()
         f:writeDouble(values)
         f:seek(1)
         assert.same(values:totable(), f:readDouble(#values):totable())
      end)
   end)

   describe('in binary mode', function()
      it('writes native little-endian numbers', function()
         local cases = {
            { 'Byte', 255, 'ff' }, { 'Char', -1, 'ff' }, { 'Short', -2, 'feff' },
            { 'Int', 1, '01000000' }, { 'Long', -2, 'feffffffffffffff' },
            { 'Float', 1, '0000803f' }, { 'Double', 5, '0000000000001440' },
         }
         for _, case in ipairs(cases) do
            local name, value, expected = unpack(case)
            assert.equal(expected, hex(written(function(f)
               f:binary()['write' .. name](f, value)
            end)))
         end
      end)

      it('wraps integers that do not fit, as C does', function()
         assert.equal('2cff05000000', hex(written(function(f)
            f:binary()
            f:writeByte(300)
            f:writeByte(-1)
            f:writeInt(2 ^ 32 + 5)
         end)))
      end)

      for _, size in ipairs { 4, 8 } do
         it(('writes and reads longs of %d bytes'):format(size), function()
            local f = torch.MemoryFile():binary():longSize(size)
            f:writeLong(-5)
            f:writeLong(torch.LongStorage { 1, -2, 2147483647 })
            assert.equal(4 * size + 1, f:position())
            f:seek(1)
            assert.equal(-5, f:readLong())
            assert.same({ 1, -2, 2147483647 }, f:readLong(3):totable())
         end)
      end

      it('refuses a long that 4 bytes cannot hold', function()
         local f = torch.MemoryFile():binary():longSize(4)
         assert.has_error(function()
            f:writeLong(2 ^ 31)
         end)
         assert.equal(1, f:position())
         f:longSize(0)
         f:writeLong(2 ^ 31)
         assert.equal(9, f:position())
      end)

      it('writes the byte order asked for', function()
         for _, order in ipairs { 'big', 'little', 'native' } do
            local f = torch.DiskFile(path, 'w'):binary()
            f[order .. 'EndianEncoding'](f)
            f:writeInt(1)
            f:writeShort(torch.ShortStorage { 2, -2 })
            f:writeDouble(5)
            f:longSize(4):writeLong(3)
            f:close()
            local big = '00000001' .. '0002fffe' .. '4014000000000000' .. '00000003'
            local little = '01000000' .. '0200feff' .. '0000000000001440' .. '03000000'
            local isBig = order == 'big' or order == 'native' and f:isBigEndianCPU()
            assert.equal(isBig and big or little, hex(contentOf(path)))

            f = torch.DiskFile(path, 'r'):binary()
            f[order .. 'EndianEncoding'](f)
            assert.equal(1, f:readInt())
            assert.same({ 2, -2 }, f:readShort(2):totable())
            assert.equal(5, f:readDouble())
            assert.equal(3, f:longSize(4):readLong())
         end
         assert.is_true(torch.DiskFile(path):isLittleEndianCPU() ~= torch.DiskFile(path)
            :isBigEndianCPU())
      end)
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
            assert.has_error(function()
               f:readString '*l'
            end)
            f:seek(1)
            assert.equal(text, f:readString '*a')
            assert.has_error(function()
               f:readString '*a'
            end)
            assert.has_error(function()
               f:readString '*x'
            end)
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
            assert.has_error(function()
               f:binary():readDouble(1e12)
            end)
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
         assert.has_error(function() f:readInt(bad) end)
      end
      assert.has_error(function() f:writeInt(nil) end)
      assert.has_error(function() f:readInt(-1) end)
      assert.has_error(function() f:readInt(1.5) end)
      assert.has_error(function() f:writeString {} end)
      assert.has_error(function() f:longSize(5) end)
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
         assert.has_error(function() f:writeInt(1) end)
         assert.has_error(function() f:writeObject(1) end)
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
            assert.has_error(function() f:seek(0) end)
            assert.has_error(function() f:seek 'x' end)
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
   end)
end)

describe('torch.DiskFile', function()
   local path

   before_each(function()
      path = os.tmpname()
   end)

   after_each(function()
      os.remove(path)
   end)

   it("raises 'cannot open', or returns nothing when quiet", function()
      local missing = path .. '/missing'
      local ok, message = pcall(torch.DiskFile, missing, 'r')
      assert.is_false(ok)
      assert.matches('cannot open <' .. missing .. '> in mode r ', message, 1, true)
      ok, message = pcall(torch.DiskFile, missing, 'w')
      assert.is_false(ok)
      assert.matches('cannot open <' .. missing .. '> in mode  w', message, 1, true)
      assert.equal(0, select('#', torch.DiskFile(missing, 'r', true)))
      assert.has_error(function() torch.DiskFile(path, 'a') end)
      assert.has_error(function() torch.DiskFile(5) end)
      assert.has_error(function() torch.DiskFile '/' end)
      assert.has_error(function() torch.DiskFile 'a\0b' end)
   end)

   it("empties in mode 'w', keeps and makes in mode 'rw'", function()
      setContent(path, 'abc')
      torch.DiskFile(path, 'rw'):close()
      assert.equal('abc', contentOf(path))
      torch.DiskFile(path, 'w'):close()
      assert.equal('', contentOf(path))
      os.remove(path)
      torch.DiskFile(path, 'rw'):close()
      assert.equal('', contentOf(path))
   end)

   it('shows its name and state', function()
      local f = torch.DiskFile(path, 'w')
      assert.equal(('torch.DiskFile on <%s> [status: open -- mode  w]'):format(path), tostring(f))
      f:close()
      assert.equal(('torch.DiskFile on <%s> [status: closed -- mode  w]'):format(path), tostring(f))
      assert.equal(('torch.DiskFile on <%s> [status: open -- mode r ]'):format(path),
         tostring(torch.DiskFile(path)))
      assert.equal(('torch.DiskFile on <%s> [status: open -- mode rw]'):format(path),
         tostring(torch.DiskFile(path, 'rw')))
      assert.equal('torch.DiskFile', torch.typename(f))
   end)

   it('can be made by new, as torch.DiskFile.new', function()
      assert.equal('torch.DiskFile', torch.typename(torch.DiskFile.new(path)))
   end)

   it('holds everything after synchronize, noBuffer and a forgotten close', function()
      local f = torch.DiskFile(path, 'w')
      f:writeString 'abc'
      f:synchronize()
      assert.equal('abc', contentOf(path))
      f:noBuffer()
      f:writeString 'def'
      assert.equal('abcdef', contentOf(path))
      f = torch.DiskFile(path, 'w') -- luacheck: ignore 311
      f:writeString 'kept'
      f = nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
      assert.equal('kept', contentOf(path))
   end)

   it('reports a full disk, and goes on when quiet', function()
      local full = io.open('/dev/full', 'w')
      if not full then
         return pending 'this system has no /dev/full'
      end
      full:close()
      local f = torch.DiskFile('/dev/full', 'w')
      local ok, message = pcall(function()
         f:writeString(('x'):rep(100000))
         f:synchronize()
      end)
      assert.is_false(ok)
      assert.matches('write error', message, 1, true)
      f = torch.DiskFile('/dev/full', 'w', true)
      f:writeString(('x'):rep(100000))
      f:synchronize()
      assert.is_true(f:hasError())
      f:close()
   end)
end)

describe('torch.PipeFile', function()
   it('reads what a command prints', function()
      local f = torch.PipeFile "printf 'one\\n2 3\\n'"
      assert.equal('torch.PipeFile', torch.typename(f))
      assert.matches('^torch.PipeFile on <.*> %[status: open %-%- mode r %]$', tostring(f))
      assert.equal('one', f:readString '*l')
      assert.same({ 2, 3 }, f:readInt(2):totable())
      assert.has_error(function() f:readInt() end)
      assert.has_error(function() f:seek(1) end)
      f:close()
   end)

   it('feeds a command', function()
      local path = os.tmpname()
      local f = torch.PipeFile('cat > ' .. path, 'w')
      f:writeString 'hello '
      f:writeInt(5)
      f:close()
      assert.equal('hello 5\n', contentOf(path))
      os.remove(path)
   end)

   it('lives on when the command stops reading, and reports its failure', function()
      local f = torch.PipeFile('exit 3', 'w')
      local ok, message = pcall(function()
         for _ = 1, 100 do
            f:writeString(('x'):rep(100000))
         end
      end)
      assert.is_false(ok)
      assert.matches('write error', message, 1, true)
      pcall(f.close, f)
      ok, message = pcall(function()
         torch.PipeFile('cat > /dev/null; exit 3', 'w'):close()
      end)
      assert.is_false(ok)
      assert.matches('status 3', message, 1, true)
      torch.PipeFile('exit 3', 'w', true):close()
   end)

   it('refuses other modes', function()
      assert.has_error(function() torch.PipeFile('true', 'rw') end)
   end)
end)

describe('torch.MemoryFile', function()
   it('works in the given storage, whose last character is a NUL', function()
      local storage = torch.CharStorage():string 'abc\0'
      local f = torch.MemoryFile(storage, 'rw')
      f:writeString 'X'
      assert.equal('Xbc\0', storage:string())
      f:seekEnd()
      f:writeString 'de'
      assert.equal('Xbcde\0', f:storage():string())
      assert.equal('Xbcde\0', storage:string())
      assert.has_error(function() torch.MemoryFile(torch.CharStorage():string 'abc') end)
      assert.has_error(function() torch.MemoryFile(torch.CharStorage()) end)
      assert.has_error(function() torch.MemoryFile(torch.ByteStorage(3):fill(0)) end)
      assert.has_error(function() torch.MemoryFile 'x' end)
   end)

   it("starts empty in mode 'w'", function()
      local f = torch.MemoryFile(torch.CharStorage():string 'abc\0', 'w')
      assert.equal('\0', f:storage():string())
   end)

   it('shows its state', function()
      local f = torch.MemoryFile()
      assert.equal('torch.MemoryFile [status: open -- mode: rw]', tostring(f))
      assert.equal('torch.MemoryFile [status: closed -- mode: rw]', tostring(f:close()))
      assert.equal('torch.MemoryFile [status: open -- mode: r ]', tostring(torch.MemoryFile 'r'))
   end)

   it('grows, and its storage can be asked for in between', function()
      local f = torch.MemoryFile():binary()
      for i = 1, 5000 do
         f:writeInt(i)
         if i % 1000 == 0 then
            assert.equal(4 * i + 1, #f:storage())
         end
      end
      f:seek(1)
      for i = 1, 5000 do
         assert(f:readInt() == i)
      end
   end)

   it('survives that somebody else shrinks its storage', function()
      local storage = torch.CharStorage():string(('a'):rep(100) .. '\0')
      local f = torch.MemoryFile(storage, 'rw')
      f:seek(90)
      storage:resize(10)
      assert.has_error(function() f:readByte() end)
      f:writeString(('b'):rep(1000))
      assert.has_error(function() f:readByte() end)
   end)
end)
