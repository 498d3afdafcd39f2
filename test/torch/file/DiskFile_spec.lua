local ffi = require 'ffi'
local torch = require 'torch'
local reasons = require 'torch.io.reasons'
local t7 = require 'test.support.t7'
local raises = require 'test.support.raises'

local contentOf = t7.contentOf
local setContent = t7.setContent

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
      raises("torch.DiskFile: expected mode 'r', 'w' or 'rw', got 'a'", torch.DiskFile, path, 'a')
      raises('torch.DiskFile: expected a file name, got number', torch.DiskFile, 5)
      raises('cannot open </> in mode r  (Is a directory', torch.DiskFile, '/')
      raises('the name contains a NUL character', torch.DiskFile, 'a\0b')
   end)

   it('says why it cannot be opened and what helps, at the line of the call', function()
      local missing = path .. '/missing'
      for _, case in ipairs {
         { 'no-such-file.t7', 'r', 'cannot open <no-such-file.t7> in mode r  (No such file or '
            .. 'directory; check the name; it is looked for in /' },
         { '/no-such-file.t7', 'r', '(No such file or directory; check the name)' },
         { '/no/such/file.t7', 'w', 'in mode  w (No such file or directory; there is no directory '
            .. '/no/such: make it first)' },
         { '/no/such/file.t7', 'rw', 'in mode rw (No such file or directory; there is no' },
         { missing, 'r', 'Not a directory; there is no directory ' .. path },
         { '/', 'r', '(Is a directory; name a file in that directory)' },
         { '/', 'w', '(Is a directory; name a file in that directory)' },
         { ('x'):rep(300), 'w', 'File name too long; use a shorter name' },
         { 'a\0b', 'w', 'contains a NUL character; remove it' },
         { '', 'w', 'the name is empty' },
      } do
         local message = t7.messageOf(torch.DiskFile, case[1], case[2])
         assert.matches('^[^:]*t7.lua:%d+: torch.DiskFile: cannot open <', message)
         assert.matches(case[3], message, 1, true)
      end
      for operation, call in pairs {
         ['torch.load'] = function() torch.load '/no/such/file' end,
         ['torch.save'] = function() torch.save('/no/such/file', 1) end,
      } do
         local message = t7.messageOf(call)
         assert.matches('DiskFile_spec.lua:%d+: ' .. operation .. ': cannot open </no/such/file>',
            message)
         assert.matches('there is no directory /no/such: make it first', message, 1, true)
      end
   end)

   it('knows a remedy for the usual refusals', function()
      for code, expected in pairs {
         [13] = 'Permission denied; change its permissions (see ls -l), or use another place',
         [24] = 'Too many open files; close files that are no longer needed, or raise the limit',
         [28] = 'No space left on device; free some space there, or write elsewhere',
         [30] = 'Read-only file system; write elsewhere',
      } do
         ffi.errno(code)
         assert.matches(expected, reasons.last 'x', 1, true)
      end
      setContent(path, 'secret')
      assert(os.execute('chmod 000 ' .. path) == 0)
      local ok, message = pcall(torch.DiskFile, path, 'r')
      assert(os.execute('chmod 600 ' .. path) == 0)
      if not ok then -- the superuser may read it
         assert.matches('in mode r  (Permission denied; change its permissions', message, 1, true)
      end
   end)

   it('says where a file ends, and what stands there instead of a number', function()
      local f = torch.DiskFile(path)
      assert.matches("read error: read 0 blocks instead of 1 at position 1 of '" .. path
         .. "': it ends there", t7.messageOf(f.readInt, f), 1, true)
      f:close()
      assert.matches("attempt to use a closed file: '" .. path .. "'; open it again",
         t7.messageOf(f.readInt, f), 1, true)
      setContent(path, 'abc')
      f = torch.DiskFile(path)
      assert.matches('position 1 of .*: no number is there', t7.messageOf(f.readInt, f))
      f:binary()
      assert.matches('position %d of .*: it ends there', t7.messageOf(f.readInt, f))
      f:close()
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
      assert.matches("^[^:]*DiskFile_spec.lua:%d+: write error: '/dev/full': No space left on "
         .. 'device; free some space there, or write elsewhere$', message)
      assert.matches("^[^:]*t7.lua:%d+: torch.save: '/dev/full': write error: No space left on "
         .. 'device; free some space', t7.messageOf(torch.save, '/dev/full', ('x'):rep(100000)))
      f = torch.DiskFile('/dev/full', 'w')
      f:writeInt(1)
      assert.matches("close: '/dev/full': No space left on device; free some space",
         t7.messageOf(f.close, f), 1, true)
      f = torch.DiskFile('/dev/full', 'w', true)
      f:writeString(('x'):rep(100000))
      f:synchronize()
      assert.is_true(f:hasError())
      f:close()
   end)

   -- As Ctrl-C at the prompt does it.
   it('is where it was when a large block is interrupted', function()
      local C, SIGWINCH = require('torch.ffi').C, 28 -- ignored by who does not ask for it
      ffi.cdef 'void *DiskFile_spec_signal(int number, void *handler) __asm__("signal");'
      finally(function()
         C.TH_forgetInterrupts()
         ffi.C.DiskFile_spec_signal(SIGWINCH, nil)
      end)
      local size = 9 * 2 ^ 20
      local bytes = torch.ByteTensor(size):random(0, 255)
      local f = torch.DiskFile(path, 'w'):binary()
      f:writeByte(bytes:storage())
      f:close()
      f = torch.DiskFile(path, 'r'):binary()
      for _, first in ipairs { 5, 0, 100000 } do -- the rest of a window, or none, is read before
         f:seek(1)
         f:readByte(first)
         C.TH_interrupt(SIGWINCH)
         local message = t7.messageOf(f.readByte, f, size - first)
         C.TH_forgetInterrupts()
         assert.matches(': read: interrupted', message, 1, true)
         assert.is_false(f:hasError())
         assert.equal(first + 1, f:position())
         local rest = torch.ByteTensor(f:readByte(size - first))
         assert.is_true(rest:equal(bytes:narrow(1, first + 1, size - first)))
      end
      f:close()
   end)
end)
