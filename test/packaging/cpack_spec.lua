-- What CPack is told, without and with devices, by a project that has nothing but the packaging.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local PROJECT = [[
cmake_minimum_required(VERSION 3.25)
project(LuaTorch VERSION 1.2.3 LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH %s/lib/cmake)
install(FILES CMakeLists.txt DESTINATION share)
include(packaging)
]]

-- The variables of CPackConfig.cmake.
local function configured(words)
   local values = {}
   shell.with_folder(function(folder)
      local output, status = shell.run(('env -u LD_PRELOAD cmake -S %s/project -B %s/build %s')
         :format(folder, folder, words))
      assert.equal(0, status, output)
      for name, value in shell.read(folder .. '/build/CPackConfig.cmake')
         :gmatch '\nset%(CPACK_([%u_]+) "([^"]*)"%)' do
         values[name] = value
      end
   end, { ['project/CMakeLists.txt'] = PROJECT:format(lfs.currentdir()) })
   return values
end

local function listed(list)
   local echo = "bash -c 'source lib/cmake/debian.sh; echo ${%s_packages[*]}'"
   return shell.run(echo:format(list))
end

describe('the Debian package, as CPack is told', function()
   local plain, devices
   setup(function()
      plain, devices = configured '-DTH_CUDA=OFF', configured '-DTH_CUDA=ON'
   end)

   it('is luatorch, or luatorch-cuda in its place', function()
      local function names(values)
         return { values.PACKAGE_NAME, values.PACKAGE_VERSION, values.DEBIAN_PACKAGE_PROVIDES,
            values.DEBIAN_PACKAGE_CONFLICTS, values.DEBIAN_PACKAGE_REPLACES }
      end
      assert.same({ 'luatorch', '1.2.3' }, names(plain))
      assert.same({ 'luatorch-cuda', '1.2.3', 'luatorch', 'luatorch', 'luatorch' }, names(devices))
   end)

   it("suggests NVIDIA's libraries with devices alone, and depends on the same", function()
      assert.equal(plain.DEBIAN_PACKAGE_DEPENDS, devices.DEBIAN_PACKAGE_DEPENDS)
      assert.matches('%f[%w]libturbojpeg0%f[,\n]', plain.DEBIAN_PACKAGE_DEPENDS .. '\n')
      local all = plain.DEBIAN_PACKAGE_SUGGESTS
      for name in listed 'cuda_run':gmatch '%S+' do
         assert.not_matches(name, plain.DEBIAN_PACKAGE_SUGGESTS, 1, true)
         all = all .. ', ' .. name
      end
      assert.equal(all, devices.DEBIAN_PACKAGE_SUGGESTS)
   end)
end)
