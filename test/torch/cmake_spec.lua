-- find_package(Torch): packages of others that install themselves by CMake.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local HEAD = [[
CMAKE_MINIMUM_REQUIRED(VERSION 2.6 FATAL_ERROR)
PROJECT(guest C)
FIND_PACKAGE(Torch REQUIRED)
]]

-- Configure, build and install a project of these files under `prefix`, in a folder of the call's.
-- @return output, status
local function install(folder, prefix)
   return shell.run(('cd %s && mkdir build && unset LD_PRELOAD && Torch_DIR=%s/lua/torch/cmake '
      .. 'cmake -S . -B build -Wno-dev -DCMAKE_INSTALL_PREFIX=%s/%s && cmake --build build '
      .. '&& cmake --install build'):format(folder, lfs.currentdir(), folder, prefix))
end

local function exists(path)
   return lfs.attributes(path, 'mode') == 'file'
end

describe('find_package(Torch)', function()
   local LUA = {
      ['CMakeLists.txt'] = HEAD .. [[
FILE(GLOB luasrc *.lua)
ADD_SUBDIRECTORY(test)
ADD_TORCH_PACKAGE(guest "${src}" "${luasrc}" "A guest")
INSTALL(DIRECTORY "doc" DESTINATION "${Torch_INSTALL_LUA_PATH_SUBDIR}/guest")
]],
      ['test/CMakeLists.txt'] = 'ADD_TORCH_PACKAGE(guest/test "${src}" "test.lua")\n',
      ['init.lua'] = 'return { add = require "guest.add" }',
      ['add.lua'] = 'return function(x, y) return x + y end',
      ['test/test.lua'] = 'return 3',
      ['doc/guest.md'] = 'Guest',
   }

   it('installs packages of Lua files', function()
      shell.with_folder(function(folder)
         local output, status = install(folder, 'prefix')
         assert.equal(0, status, output)
         local lua = folder .. '/prefix/share/lua/5.1/'
         for _, name in ipairs { 'init.lua', 'add.lua', 'test/test.lua', 'doc/guest.md' } do
            assert.is_true(exists(lua .. 'guest/' .. name), name)
         end
         local path = ('%s?/init.lua;%s?.lua;;'):format(lua, lua)
         local sum = shell.run(('LUA_PATH=%s luajit -e %s'):format(shell.quoted(path),
            shell.quoted 'print(require("guest").add(2, 3))'))
         assert.equal('5\n', sum)
      end, LUA)
   end)

   it('installs into the folder that LuaRocks has for a rock', function()
      shell.with_folder(function(folder)
         local rock = 'tree/lib/luarocks/rocks-5.1/guest/scm-1'
         local output, status = install(folder, rock)
         assert.equal(0, status, output)
         assert.is_true(exists(('%s/%s/lua/guest/init.lua'):format(folder, rock)))
      end, LUA)
   end)

   it("builds C that LuaJIT's FFI calls", function()
      shell.with_folder(function(folder)
         local output, status = install(folder, 'prefix')
         assert.equal(0, status, output)
         local answer = shell.run('luajit -e ' .. shell.quoted(([[
            local ffi = require 'ffi'
            ffi.cdef 'int guest_answer(void);'
            local path = package.searchpath('libguest', '%s/prefix/lib/lua/5.1/?.so')
            print(ffi.load(path).guest_answer())
         ]]):format(folder)))
         assert.equal('42\n', answer)
      end, {
         ['CMakeLists.txt'] = HEAD .. 'ADD_TORCH_PACKAGE(guest "guest.c" "init.lua")\n',
         ['guest.c'] = 'int guest_answer(void) { return 42; }\n',
         ['init.lua'] = 'return true',
      })
   end)

   it('finds headers beside CMakeLists.txt, by both macros', function()
      for _, line in ipairs {
         'ADD_TORCH_PACKAGE(guest "src/guest.c" "init.lua")',
         'ADD_TORCH_LIBRARY(guest SHARED "src/guest.c")',
      } do
         shell.with_folder(function(folder)
            local output, status = install(folder, 'prefix')
            assert.equal(0, status, output)
         end, {
            ['CMakeLists.txt'] = HEAD .. line .. '\n',
            ['guest.h'] = 'int guest_answer(void);\n',
            ['src/guest.c'] = '#include "guest.h"\nint guest_answer(void) { return 42; }\n',
            ['init.lua'] = 'return true',
         })
      end
   end)

   it("says which source wants Torch7's C interface, and which macro", function()
      for text, expected in pairs {
         ['ADD_TORCH_PACKAGE(guest "guest.c" "init.lua")'] =
            'guest%.c has #include "TH%.h", Torch7\'s C interface',
         ['ADD_TORCH_LIBRARY(guest SHARED "guest.c")'] = 'guest%.c has #include "TH%.h"',
         ['ADD_TORCH_WRAP(guest wrap.lua)'] = 'ADD_TORCH_WRAP%(guest%)',
      } do
         shell.with_folder(function(folder)
            local output, status = install(folder, 'prefix')
            assert.equal(1, status)
            assert.matches(expected, (output:gsub('%s+', ' ')))
         end, {
            ['CMakeLists.txt'] = HEAD .. text .. '\n',
            ['guest.c'] = '#include "TH.h"\nint guest_answer(void) { return 42; }\n',
            ['init.lua'] = 'return true',
         })
      end
   end)
end)
