local lfs = require 'lfs'
local paths = require 'paths'

describe('paths.basename', function()
   -- the answers of the shell's basename
   local cases = {
      ['/a/b'] = 'b', ['/a/b/'] = 'b', ['/a//b//'] = 'b', ['b'] = 'b', ['/'] = '/', ['//'] = '/',
      ['..'] = '..', ['/a/.b'] = '.b', [''] = '',
   }

   for path, expected in pairs(cases) do
      it(('of %q is %q'):format(path, expected), function()
         assert.equal(expected, paths.basename(path))
      end)
   end

   it('strips a suffix with or without its dot, but never the whole name', function()
      assert.equal('set', paths.basename('/data/set.t7', 't7'))
      assert.equal('set', paths.basename('/data/set.t7', '.t7'))
      assert.equal('set.t7', paths.basename('/data/set.t7', '7'))
      assert.equal('.t7', paths.basename('/data/.t7', 't7'))
      assert.equal('a+b', paths.basename('a+b.c++', 'c++'))
   end)

   it('names the argument that is no string', function()
      local _, message = pcall(paths.basename, {})
      assert.matches(
         'names_spec%.lua:%d+: paths%.basename: argument 1 should be a string, got table', message)
   end)
end)

describe('paths.dirname', function()
   -- the answers of the shell's dirname
   local cases = {
      ['/a/b'] = '/a', ['/a/b/'] = '/a', ['/a'] = '/', ['/'] = '/', ['//'] = '/', ['a'] = '.',
      ['a/'] = '.', ['a/b'] = 'a', ['a//b'] = 'a', [''] = '.', ['../x'] = '..',
   }

   for path, expected in pairs(cases) do
      it(('of %q is %q'):format(path, expected), function()
         assert.equal(expected, paths.dirname(path))
      end)
   end
end)

describe('paths.extname', function()
   it('is what follows the last dot of the last component', function()
      assert.equal('gz', paths.extname('/a.b/c.tar.gz'))
   end)

   it('is nothing when there is none', function()
      for _, path in ipairs { '/a.b/c', 'c', '.bashrc', 'c.', '..', '' } do
         assert.equal(0, select('#', paths.extname(path)))
      end
   end)
end)

describe('paths.concat', function()
   it('without arguments is the current directory', function()
      assert.equal(lfs.currentdir(), paths.concat())
      assert.equal(lfs.currentdir(), paths.cwd())
   end)

   it('takes each argument relative to those before', function()
      assert.equal('/a/b/c', paths.concat('/a', 'b', 'c'))
      assert.equal(lfs.currentdir() .. '/x', paths.concat('x'))
      assert.equal('/c', paths.concat('/a', 'b', '/c'))
   end)

   it('normalises dots and slashes, and stays at the root', function()
      assert.equal('/a/c', paths.concat('/a//', './b/..', 'c/'))
      assert.equal('/', paths.concat('/a', '../../..'))
      assert.equal('/', paths.concat('/'))
   end)

   it('names the argument that is no string', function()
      local _, message = pcall(paths.concat, '/a', nil)
      assert.matches('paths.concat: argument 2 should be a string, got nil', message, 1, true)
   end)
end)
