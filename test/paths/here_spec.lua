local lfs = require 'lfs'
local paths = require 'paths'

local function write(path, text)
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
end

describe('paths relative to the calling file', function()
   local root, cwd

   setup(function()
      cwd = lfs.currentdir()
      root = os.tmpname()
      os.remove(root)
      assert(lfs.mkdir(root))
      assert(lfs.mkdir(root .. '/sub'))
      write(root .. '/main.lua', [[
local paths = require 'paths'
local a, b = paths.dofile('sub/part.lua')
return { file = paths.thisfile(), beside = paths.thisfile('data.t7'), part = a, second = b }]])
      write(root .. '/sub/part.lua', [[
local function helper() -- a function that speaks for its caller
   local paths = require 'paths'
   return (paths.thisfile(nil, 3))
end
return require('paths').thisfile('x'), (helper())]])
      write(root .. '/bad.lua', 'local = 1')
      write(root .. '/include.lua', [[
local include = require('torch.packages').includeHere
local value = include('sub/value.lua')
return value]])
      write(root .. '/sub/value.lua', 'return 42, 43')
   end)

   teardown(function()
      os.execute('rm -rf ' .. root)
   end)

   it('thisfile and dofile go by the directory of the file that calls', function()
      local result = dofile(root .. '/main.lua')
      assert.equal(root .. '/main.lua', result.file)
      assert.equal(root .. '/data.t7', result.beside)
      assert.equal(root .. '/sub/x', result.part)
      assert.equal(root .. '/sub/part.lua', result.second)
   end)

   it('thisfile of code without a file is nil, and names are relative to the cwd', function()
      local chunk = assert(loadstring(
         'local p = require "paths"; local f, g = p.thisfile(), p.thisfile("x"); return f, g'))
      local file, beside = chunk()
      assert.is_nil(file)
      assert.equal(cwd .. '/x', beside)
   end)

   it('dofile of a missing or broken file is an error at the caller', function()
      local _, missing = pcall(paths.dofile, root .. '/absent.lua')
      assert.matches('here_spec%.lua:%d+: paths%.dofile: cannot open', missing)
      local _, broken = pcall(paths.dofile, root .. '/bad.lua')
      assert.matches('bad.lua:1:', broken, 1, true)
   end)

   it('include is relative to its caller too', function()
      assert.equal(42, dofile(root .. '/include.lua'))
   end)
end)
