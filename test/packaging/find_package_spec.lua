-- find_package(LuaTorch): examples that are built outside of the sources, against the build tree
-- and against a prefix.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local shell = require 'test.support.shell'
local support = require 'test.examples.support'

local th = assert(os.getenv 'TH_EXECUTABLE', 'run busted by way of th')
local tree = th:match '^(.*)/bin/th$'
local quoted, run, with_folder = shell.quoted, shell.run, shell.with_folder

-- The libraries that th preloads in builds with sanitizers are not for other programs.
local function succeeds(command, ...)
   local output, status = run('unset LD_PRELOAD\n' .. command:format(...))
   assert.equal(0, status, output)
   return output
end

local function build(example, folder, prefix, flags)
   succeeds('cmake -S examples/%s -B %s -DCMAKE_PREFIX_PATH=%s %s && cmake --build %s', example,
      folder, quoted(prefix), flags or '', folder)
end

local function installed(folder)
   succeeds('cmake --install %s --prefix %s/first && mv %s/first "%s/a prefix"', quoted(tree),
      folder, folder, folder)
   return folder .. '/a prefix'
end

describe('examples/custom_operation', function()
   local function passes(prefix, folder)
      build('custom_operation', folder .. '/build', prefix)
      local output = succeeds('ctest --test-dir %s/build --output-on-failure', folder)
      assert.matches('100%% tests passed, 0 tests failed out of 2', output)
   end

   it('builds against the build tree, and passes its own tests', function()
      with_folder(function(folder)
         passes(tree, folder)
      end)
   end)

   it('builds against an installation, passes, and is installed beside it', function()
      with_folder(function(folder)
         local prefix = installed(folder)
         passes(prefix, folder)
         succeeds('cmake --install %s/build --prefix "%s"', folder, prefix)
         assert.equal('1\t0\n', succeeds('cd / && "%s/bin/th" -e %s', prefix, quoted [[
            local y = require 'sparsemax'(torch.FloatTensor { 3, 1 }) print(y[1], y[2]) ]]))
      end)
   end)
end)

describe('find_package(LuaTorch)', function()
   it('says which versions there are, and what is missing', function()
      local project = 'cmake_minimum_required(VERSION 3.25)\nproject(guest LANGUAGES CXX)\n'
         .. 'find_package(LuaTorch %s)\nmessage(STATUS "found ${LuaTorch_FOUND}")\n'
      local version = shell.read 'CMakeLists.txt':match 'LuaTorch VERSION (%d+%.%d+)'
      for wanted, found in pairs { [version] = '1', ['99.0'] = '0' } do
         with_folder(function(folder)
            assert.matches('found ' .. found, succeeds('cd %s && cmake -S . -B build '
               .. '-DCMAKE_PREFIX_PATH=%s', folder, quoted(tree)))
         end, { ['CMakeLists.txt'] = project:format(wanted) })
      end
   end)
end)

describe('examples/embed', function()
   local folder, net
   local SIZES = { 6, 5, 3 }

   setup(function()
      folder = support.folder()
      -- The sanitizers look at the programs' memory, leaks included.
      local sanitize = '"-DCMAKE_C%s_FLAGS=-g -fsanitize=address,undefined" '
      build('embed', folder .. '/build', tree, sanitize:format '' .. sanitize:format 'XX')
      net = nn.Sequential():add(nn.Linear(6, 5)):add(nn.ReLU()):add(nn.Linear(5, 3))
         :add(nn.SoftMax()):float()
      torch.save(folder .. '/model.t7', net)
   end)

   teardown(function()
      support.remove(folder)
   end)

   local function floats(bytes)
      local t = torch.FloatTensor(#bytes / 4)
      ffi.copy(t:data(), bytes, #bytes)
      return t
   end

   -- What a program makes of rows, as a tensor; its status and what it says.
   local function fed(x, command, ...)
      local file = torch.DiskFile(folder .. '/rows', 'w'):binary()
      file:writeFloat(x:contiguous():storage())
      file:close()
      local said, status = run(('cd %s/build && unset LD_PRELOAD && %s < ../rows > ../results')
         :format(folder, command:format(...)))
      local results = shell.read(folder .. '/results')
      local y = #results > 0 and floats(results) or nil
      return y, status, said
   end

   local function near(expected, y)
      assert.is_true((expected:view(-1) - y):abs():max() < 1e-6)
   end

   describe('run_model', function()
      it('gives what the model gives, whatever the number of threads', function()
         local x = torch.FloatTensor(150, 6):normal()
         for _, threads in ipairs { 1, 3 } do
            local y, status, said = fed(x, './run_model ../model.t7 6 %d', threads)
            assert.same({ '', 0 }, { said, status })
            near(net:forward(x), y)
         end
      end)

      it("ends with Lua's message where the model or a batch is wrong", function()
         local x = torch.FloatTensor(4, 5):normal()
         local _, status, said = fed(x, './run_model ../model.t7 5 2')
         assert.equal(1, status)
         assert.matches('^run_model: .*nn%.Linear: input is 4?2?x5, expected N? x 6.*'
            .. 'stack traceback:', said)
         _, status, said = fed(x, './run_model ../nowhere.t7 5')
         assert.equal(1, status)
         assert.matches('nowhere%.t7', said)
         _, status, said = fed(x, './run_model ../model.t7 7')
         assert.same({ 'run_model: 20 numbers are no rows of 7\n', 1 }, { said, status })
      end)
   end)

   describe('mlp', function()
      setup(function()
         local sizes = support.succeeds('embed/export.lua',
            ('%s/model.t7 %s/weights.bin'):format(folder, folder))
         assert.equal(table.concat(SIZES, ' '), sizes:match '[^\n]+')
      end)

      it('gives what the model gives, and holds nothing at the end', function()
         local x = torch.FloatTensor(300, 6):normal() -- more than a batch
         local y, status, said = fed(x, './mlp ../weights.bin 6 5 3')
         assert.same({ '', 0 }, { said, status })
         near(net:forward(x), y)
      end)

      it('says what is wrong with its file, and holds nothing then', function()
         local x = torch.FloatTensor(2, 6):zero()
         local _, status, said = fed(x, './mlp ../weights.bin 6 4 3')
         assert.same({ 'mlp: ../weights.bin has 53 floats, wanted 43\n', 1 }, { said, status })
         _, status, said = fed(x, './mlp ../nowhere 6 5 3')
         assert.equal(1, status)
         assert.matches('^mlp: .*nowhere', said)
         _, status, said = fed(x, './mlp ../weights.bin 6 x 3')
         assert.equal(2, status)
         assert.matches('^usage: mlp', said)
      end)
   end)
end)
