local errors = require 'torch.errors'

-- A library on disk, whose functions raise from two levels deep.
local function makeLibrary(dir)
   assert(os.execute('mkdir -p ' .. dir .. '/deep') == 0)
   local file = assert(io.open(dir .. '/deep/lib.lua', 'w'))
   file:write [[
local errors = require 'torch.errors'
local lib = {}
local function inner(message)
   errors.raise(message)
end
function lib.fail(message)
   inner(message)
   return lib
end
function lib.calling(f)
   f()
   return lib
end
return lib
]]
   file:close()
   return assert(loadfile(dir .. '/deep/lib.lua'))()
end

local function thisLine()
   return debug.getinfo(2, 'l').currentline
end

describe('torch.errors.trace.finally', function()
   local trace = require 'torch.errors.trace'

   it('gives what the function returns, and calls what is to come behind it once', function()
      local told = {}
      local function behind(ok)
         told[#told + 1] = ok
      end
      assert.same({ 3, nil, 5 }, { trace.finally(behind, function(a, b)
         assert.same({}, told)
         return a, nil, b
      end, 3, 5) })
      assert.same({ true }, told)
   end)

   it('raises the error again, behind it', function()
      local told = {}
      local mistake = { 'mine' }
      local ok, err = pcall(trace.finally, function(fine)
         told[#told + 1] = fine
      end, error, mistake)
      assert.is_false(ok)
      assert.equal(mistake, err)
      assert.same({ false }, told)
   end)
end)

describe('torch.errors', function()
   local dir, lib

   setup(function()
      dir = os.tmpname()
      os.remove(dir)
      lib = makeLibrary(dir)
      errors.library(dir)
   end)

   teardown(function()
      os.execute('rm -rf ' .. dir)
   end)

   it('blames the line that called into the library, however deep the raise', function()
      local line
      local ok, message = pcall(function()
         line = thisLine() + 1
         lib.fail('wrong size')
         return true
      end)
      assert.is_false(ok)
      assert.matches('errors_spec%.lua:' .. line .. ': wrong size$', message)
   end)

   it('passes over C frames to the line that called them', function()
      local line = thisLine() + 1
      local _, message = pcall(lib.fail, 'through pcall')
      assert.matches('errors_spec%.lua:' .. line .. ': through pcall$', message)
   end)

   it('blames a user callback that a library called, not the outer user line', function()
      local line
      local _, message = pcall(function()
         return lib.calling(function()
            line = thisLine() + 1
            lib.fail('in callback')
            return true
         end)
      end)
      assert.matches('errors_spec%.lua:' .. line .. ': in callback$', message)
   end)

   it('counts code given as a string as the user\'s', function()
      local chunk = assert(loadstring('local lib = ...\n\nlib.fail("typed")\nreturn 1'))
      local _, message = pcall(chunk, lib)
      assert.equal('[string "local lib = ......"]:3: typed', message)
   end)

   it('takes a chunk source and odd spellings for the same directory', function()
      local source = '@' .. dir .. '/./other//init.lua'
      assert(os.execute('mkdir -p ' .. dir .. '/other') == 0)
      errors.library(source)
      local chunk = assert(loadstring(
         'local e = require "torch.errors"; return function() return e.where(), 1 end',
         '@' .. dir .. '/other/x.lua'))
      local line = thisLine() + 1
      local where = chunk()()
      assert.matches('errors_spec%.lua:' .. line .. ': $', where)
   end)

   it('does not take a directory for library code because its name starts alike', function()
      local chunk = assert(loadstring(
         'local e = require "torch.errors"; return function() return e.where(), 1 end',
         '@' .. dir .. 'x/user.lua'))
      assert.matches('user%.lua:1: $', (chunk()()))
   end)

   it('gives no position when the whole stack is library code', function()
      local thread = coroutine.create(lib.fail)
      local _, message = coroutine.resume(thread, 'alone')
      assert.equal('alone', message)
   end)

   it('raises values other than strings untouched', function()
      local object = {}
      local _, raised = pcall(lib.fail, object)
      assert.equal(object, raised)
   end)
end)
