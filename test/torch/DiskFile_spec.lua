local torch = require 'torch'
local t7 = require 'test.support.t7'

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
