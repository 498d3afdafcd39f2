local ffi = require 'ffi'
local paths = require 'paths'
local torch = require 'torch'
local scratch = require 'test.support.scratch'
local shell = require 'test.support.shell'

ffi.cdef [[
int native_spec_set(const char *name, const char *value, int overwrite) __asm__("setenv");
int native_spec_unset(const char *name) __asm__("unsetenv");
int native_spec_answer(void);
]]

local changed = {} -- variable -> value before

local function set(name, value)
   changed[name] = changed[name] or { os.getenv(name) }
   ffi.C.native_spec_set(name, value, 1)
end

local TH = os.getenv 'TH_EXECUTABLE'
local SOURCE = 'int native_spec_answer(void) { return 42; }'

-- The module as another process has it: nothing loaded.
local function fresh()
   package.loaded['torch.native.library'] = nil
   package.loaded['torch.native.compiler'] = nil
   return require 'torch.native.library'
end

local function answer(source)
   local library, reason = fresh().load('c', source or SOURCE, '-O1', '')
   return library and library.native_spec_answer(), reason
end

local function kept()
   local names = {}
   for name in paths.iterfiles(scratch.folder .. '/cache/luatorch') do
      names[#names + 1] = name
   end
   return names
end

-- How often the compiler has compiled, of which `gcc` in our folder keeps a list.
local function compilations()
   local list = io.open(scratch.folder .. '/calls')
   local count = list and select(2, list:read '*a':gsub('%-shared', '')) or 0
   if list then
      list:close()
   end
   return count
end

describe('libraries of generated sources', function()
   before_each(function()
      scratch.make()
      set('XDG_CACHE_HOME', scratch.folder .. '/cache')
      set('CC', '')
      paths.mkdir(scratch.folder .. '/bin')
      shell.programs(scratch.folder .. '/bin', {
         gcc = ('echo "$@" >> %s/calls\nexec %s "$@"'):format(scratch.folder,
            paths.findprogram 'gcc'),
      })
      set('PATH', scratch.folder .. '/bin:' .. os.getenv 'PATH')
   end)

   after_each(function()
      for name, before in pairs(changed) do
         if before[1] then
            ffi.C.native_spec_set(name, before[1], 1)
         else
            ffi.C.native_spec_unset(name)
         end
      end
      changed = {}
      fresh()
      scratch.remove()
   end)

   it('are compiled once', function()
      assert.equal(42, answer())
      assert.equal(1, compilations())
      assert.equal(1, #kept())
      assert.equal(42, answer())
      assert.equal(1, compilations())
      assert.equal(43, answer((SOURCE:gsub('42', '43'))))
      assert.equal(2, compilations())
      assert.equal(2, #kept())
   end)

   it('are compiled again where the file is damaged', function()
      answer()
      local path = scratch.folder .. '/cache/luatorch/' .. kept()[1]
      local whole = shell.read(path)
      for i, damaged in ipairs { whole:sub(1, #whole / 2), '', whole:sub(1, -2),
         'x' .. whole:sub(2),
         whole:sub(1, 5000) .. string.char((whole:byte(5001) + 1) % 256) .. whole:sub(5002) } do
         os.remove(path) -- what is mapped stays as it was
         local file = assert(io.open(path, 'wb'))
         file:write(damaged)
         file:close()
         assert.equal(42, answer())
         assert.equal(1 + i, compilations())
         assert.equal(whole, shell.read(path))
         assert.equal(1, #kept())
      end
   end)

   it('need no cache', function()
      for _, place in ipairs { '/proc/none', '/dev/null' } do
         set('XDG_CACHE_HOME', place)
         assert.equal(42, answer())
      end
      set('XDG_CACHE_HOME', 'not/absolute') -- counts as none, so that HOME has it
      set('HOME', scratch.folder .. '/home')
      assert.equal(42, answer())
      assert.is_true(paths.dirp(scratch.folder .. '/home/.cache/luatorch'))
      assert.is_false(paths.dirp 'not')
   end)

   it('are made by several processes at once', function()
      local script = scratch.write('one.lua', [[
         local ffi = require 'ffi'
         ffi.cdef 'int native_spec_answer(void);'
         local library = assert(require('torch.native.library').load('c', arg[1], '-O1', ''))
         io.write(library.native_spec_answer(), ' ')
      ]])
      local one = ('%s %s %s'):format(TH, script, shell.quoted(SOURCE))
      assert.equal('42 42 42 ', (shell.run(('%s & %s & %s & wait'):format(one, one, one))))
      assert.equal(1, #kept())
   end)

   it('are none without a compiler, or when it fails', function()
      local none, reason = answer 'int native_spec_answer(void) { return nothing; }'
      assert.is_nil(none)
      assert.matches('1:39: error: .nothing. undeclared', reason)
      set('PATH', '/nonexistent')
      none, reason = answer()
      assert.is_nil(none)
      assert.equal('no compiler is on the PATH (gcc, cc, clang)', reason)
      local f = torch.fuse 'y = 3 * a - 1 / a'
      local x = torch.DoubleTensor { 1, 2 }
      assert.same({ 2, 5.5 }, f(x):totable())
      local how, why = f:how(x)
      assert.equal('composed', how)
      assert.equal(reason, why)
   end)

   it('are loaded from elsewhere where their folder has none of it', function()
      local tried = {}
      local library = fresh().load('c', SOURCE, '-O1', '', function(path)
         tried[#tried + 1] = path
         if #tried == 1 then
            error 'failed to map segment from shared object'
         end
         return ffi.load(path)
      end)
      assert.equal(42, library.native_spec_answer())
      assert.equal(2, #tried)
      assert.is_false(paths.filep(tried[2])) -- and is not left behind
   end)
end)
