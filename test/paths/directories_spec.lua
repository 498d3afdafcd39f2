local lfs = require 'lfs'
local paths = require 'paths'

local function write(path, text)
   local file = assert(io.open(path, 'w'))
   file:write(text or '')
   file:close()
end

local function sorted(iterator, ...)
   local names = {}
   for name in iterator, ... do
      names[#names + 1] = name
   end
   table.sort(names)
   return names
end

describe('paths on a directory', function()
   local root

   before_each(function()
      root = os.tmpname()
      os.remove(root)
      assert(lfs.mkdir(root))
      assert(lfs.mkdir(root .. '/sub'))
      write(root .. '/one.lua')
      write(root .. '/two.txt')
   end)

   after_each(function()
      os.execute('rm -rf ' .. root)
   end)

   it('filep and dirp tell files from directories', function()
      assert.is_true(paths.filep(root .. '/one.lua'))
      assert.is_false(paths.filep(root .. '/sub'))
      assert.is_false(paths.filep(root .. '/absent'))
      assert.is_true(paths.dirp(root .. '/sub'))
      assert.is_false(paths.dirp(root .. '/one.lua'))
      assert.is_false(paths.dirp(root .. '/absent'))
   end)

   it('dir lists all names with . and ..', function()
      local names = paths.dir(root)
      table.sort(names)
      assert.same({ '.', '..', 'one.lua', 'sub', 'two.txt' }, names)
   end)

   it('dir of a missing directory returns nothing', function()
      assert.equal(0, select('#', paths.dir(root .. '/absent')))
      assert.equal(0, select('#', paths.dir(root .. '/one.lua')))
   end)

   it('files iterates over all names, those a pattern finds, or a function accepts', function()
      assert.same({ '.', '..', 'one.lua', 'sub', 'two.txt' }, sorted(paths.files(root)))
      assert.same({ 'one.lua' }, sorted(paths.files(root, '%.lua$')))
      assert.same({ 'sub' }, sorted(paths.files(root, function(name)
         return name == 'sub'
      end)))
   end)

   it('iterfiles and iterdirs leave out . and ..', function()
      assert.same({ 'one.lua', 'two.txt' }, sorted(paths.iterfiles(root)))
      assert.same({ 'sub' }, sorted(paths.iterdirs(root)))
   end)

   it('files of a missing directory is an error that names it', function()
      local _, message = pcall(paths.files, root .. '/absent')
      assert.matches('directories_spec%.lua:%d+: paths%.files: cannot read directory', message)
      assert.matches(root .. '/absent', message, 1, true)
   end)

   it('mkdir and rmdir return true or nothing', function()
      assert.is_true(paths.mkdir(root .. '/new'))
      assert.equal('directory', lfs.attributes(root .. '/new', 'mode'))
      assert.equal(0, select('#', paths.mkdir(root .. '/new')))
      assert.is_true(paths.rmdir(root .. '/new'))
      assert.is_nil(lfs.attributes(root .. '/new'))
      assert.equal(0, select('#', paths.rmdir(root)))
      assert.is_true(paths.filep(root .. '/one.lua'))
   end)

   it('rmall removes a tree, but not what its links point to', function()
      local outside = os.tmpname()
      assert(lfs.mkdir(root .. '/sub/deep'))
      write(root .. '/sub/deep/file')
      assert(lfs.link(outside, root .. '/sub/link', true))
      assert(lfs.link(root, root .. '/sub/loop', true))
      assert.is_true(paths.rmall(root, 'yes'))
      assert.is_nil(lfs.attributes(root))
      assert.equal('file', lfs.attributes(outside, 'mode'))
      os.remove(outside)
   end)

   it('rmall needs a yes, and returns nothing for what is not there', function()
      local ok, message = pcall(paths.rmall, root)
      assert.is_false(ok)
      assert.matches("should be the string 'yes'", message, 1, true)
      assert.is_true(paths.dirp(root))
      assert.equal(0, select('#', paths.rmall(root .. '/absent', 'yes')))
   end)

   it('tmpname gives writable names that go when Lua exits', function()
      local script = root .. '/tmp.lua'
      write(script, [[
         local paths = require 'paths'
         local a, b = paths.tmpname(), paths.tmpname()
         assert(a ~= b)
         local file = assert(io.open(a, 'w'))
         file:write('x')
         file:close()
         assert(paths.filep(a))
         print(a)]])
      local pipe = io.popen('luajit ' .. script)
      local name = pipe:read('*l')
      pipe:close()
      assert.matches('^/', name)
      assert.is_nil(lfs.attributes(name))
   end)

   it('tmpname leaves the names of a parent to it', function()
      local script = root .. '/fork.lua'
      write(script, [[
         local ffi = require 'ffi'
         ffi.cdef 'int fork(void); int wait(int *status);'
         local paths = require 'paths'
         local ours = paths.tmpname()
         if ffi.C.fork() == 0 then
            print(paths.tmpname())
            os.exit(0, true)
         end
         ffi.C.wait(nil)
         print(paths.filep(ours))]])
      local pipe = io.popen('luajit ' .. script)
      local name, kept = pipe:read('*l', '*l')
      pipe:close()
      assert.matches('^/', name)
      assert.is_nil(lfs.attributes(name))
      assert.equal('true', kept)
   end)
end)
