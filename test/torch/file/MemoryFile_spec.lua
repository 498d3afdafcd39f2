local torch = require 'torch'
local raises = require 'test.support.raises'

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
      raises('CharStorage must be terminated by 0', torch.MemoryFile,
         torch.CharStorage():string 'abc')
      raises('CharStorage must be terminated by 0', torch.MemoryFile, torch.CharStorage())
      raises('torch.MemoryFile: expected a torch.CharStorage, got torch.ByteStorage',
         torch.MemoryFile, torch.ByteStorage(3):fill(0))
      raises("torch.MemoryFile: expected mode 'r', 'w' or 'rw', got 'x'", torch.MemoryFile, 'x')
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

   it('says what is wrong, and what helps', function()
      local f = torch.MemoryFile()
      for expected, call in pairs {
         ['read error: read 0 blocks instead of 1 at position 1 of the torch.MemoryFile: it ends'] =
            function() f:readInt() end,
         ['unable to seek at position 9 of the torch.MemoryFile: the content ends at position 1'] =
            function() f:seek(9) end,
         ["attempt to write in a read-only file: the torch.MemoryFile; open it with mode 'w' or"] =
            function() torch.MemoryFile('r'):writeInt(1) end,
         ['attempt to use a closed file: the torch.MemoryFile; open it again'] =
            function() torch.MemoryFile():close():readInt() end,
         ['provided CharStorage must be terminated by 0'] =
            function() torch.MemoryFile(torch.CharStorage(2):fill(1)) end,
      } do
         local ok, message = pcall(call)
         assert.is_false(ok)
         assert.matches('^[^:]*MemoryFile_spec.lua:%d+: ', message)
         assert.matches(expected, message, 1, true)
      end
   end)

   it('survives that somebody else shrinks its storage', function()
      local storage = torch.CharStorage():string(('a'):rep(100) .. '\0')
      local f = torch.MemoryFile(storage, 'rw')
      f:seek(90)
      storage:resize(10)
      raises('read 0 blocks instead of 1 at position 11', f.readByte, f)
      f:writeString(('b'):rep(1000))
      raises('read 0 blocks instead of 1 at position 1011', f.readByte, f)
   end)
end)
