local torch = require 'torch'
local class = require 'torch.class'
local packages = require 'torch.packages'

describe('Lua', function()
   it('has what scripts for Torch7 take for granted', function()
      local pack = rawget(table, 'pack')
      assert.same({ 1, nil, 3, n = 3 }, pack(1, nil, 3))
      assert.same({ n = 0 }, pack())
      assert.equal(rawget(table, 'unpack'), unpack)
      assert.equal(string.gfind, string.gmatch)
   end)
end)

describe('torch packages', function()
   local root, before

   setup(function()
      before = package.path
      root = os.tmpname()
      os.remove(root)
      os.execute('mkdir -p ' .. root .. '/specpack/deep')
      for file, text in pairs {
         ['specpack/init.lua'] = 'return {}',
         ['specpack/deep/init.lua'] = 'return {}',
         ['specpack/part.lua'] = 'return ...',
         ['specpack/value.lua'] = 'return 7, 8',
         ['specpack/classes.lua'] = [[
local free = not nn.Vacated and not nn.Mentioned and nn.Kept ~= nil
local Class = torch.class('nn.Vacated', 'nn.Module')
function Class:__init() self.theirs = true end
if false then torch.class "nn.Mentioned" end
return free, 9]],
         ['specpack/here.lua'] = "local free = include 'classes.lua' return free",
         ['specsingle.lua'] = 'return {}',
      } do
         local handle = assert(io.open(root .. '/' .. file, 'w'))
         handle:write(text)
         handle:close()
      end
      package.path = root .. '/?.lua;' .. root .. '/?/init.lua;' .. package.path
   end)

   teardown(function()
      package.path = before
      os.execute('rm -rf ' .. root)
   end)

   it('packageLuaPath finds what require would load', function()
      assert.equal(root .. '/specpack', packages.packageLuaPath('specpack'))
      assert.equal(root .. '/specpack/deep', packages.packageLuaPath('specpack.deep'))
      assert.equal(root, packages.packageLuaPath('specsingle'))
   end)

   it('packageLuaPath names a package that is not there', function()
      local _, message = pcall(packages.packageLuaPath, 'absent_package')
      assert.matches('packages_spec%.lua:%d+: .*no package absent_package', message)
   end)

   it('include runs a file of the package', function()
      assert.same({ 7, 8 }, { packages.include('specpack', 'value.lua') })
   end)

   -- As the package rnn does: assert(not nn.LSTM), then torch.class('nn.LSTM', ...).
   it('include frees the names of classes that give way to those of the file', function()
      local nn = require 'nn'
      local names = { 'Vacated', 'Kept', 'Mentioned' }
      for _, run in ipairs {
         function() return torch.include('specpack', 'classes.lua') end,
         function() return dofile(root .. '/specpack/here.lua') end,
      } do
         for _, name in ipairs(names) do
            nn.declare('nn.' .. name, {})
            class.yields('nn.' .. name)
         end
         local mentioned = nn.Mentioned
         assert.is_true((run()))
         assert.is_true(nn.Vacated().theirs)
         assert.equal(mentioned, nn.Mentioned) -- put back: there was no such class
         for _, name in ipairs(names) do -- as if they had never been
            class.classes['nn.' .. name], nn[name] = nil, nil
         end
      end
      assert.is_nil(nn.Vacated)
   end)

   it('says each time why a module cannot be loaded', function()
      package.preload['spec.inner'] = function() error 'the reason' end
      package.preload['spec.outer'] = function() return require 'spec.inner' end
      package.preload['spec.asks'] = function() return { packages.try 'spec.outer' } end
      for _ = 1, 2 do
         local ok, reason = packages.try 'spec.outer'
         assert.is_false(ok)
         assert.matches('the reason', reason)
      end
      local found = require 'spec.asks' -- while a module is being loaded
      assert.matches('the reason', found[2])
      assert.is_true(rawequal(found, require 'spec.asks'))
      assert.same({}, packages.unfinished())
      for _, name in ipairs { 'inner', 'outer', 'asks' } do
         package.preload['spec.' .. name], package.loaded['spec.' .. name] = nil, nil
      end
   end)
end)
