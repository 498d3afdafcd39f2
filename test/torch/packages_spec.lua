local packages = require 'torch.packages'

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
end)
