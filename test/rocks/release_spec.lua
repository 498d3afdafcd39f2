-- Binary rocks of what is built, installed elsewhere and used from an empty environment. Nothing is
-- compiled, but the one rock that is compiled on an installed torch.
local lfs = require 'lfs'
local release = require 'test.support.release'
local shell = require 'test.support.shell'
local packages = dofile 'rocks/tools/packages.lua'

local try, run = release.it(it, pending), shell.run
local folder, out, tree

local function alone(command)
   return release.alone(folder, command)
end

local function succeeds(command)
   local output, status = alone(command)
   assert.equal(0, status, output)
   return output
end

local function install(name, into)
   return succeeds(('luarocks install --only-server=%s --tree %s %s'):format(out, into, name))
end

-- Before the system's programs on the path of `alone`.
local function program(name, text)
   local path = folder .. '/bin/' .. name
   local file = assert(io.open(path, 'w'))
   file:write('#!/bin/sh\n', text, '\n')
   file:close()
   os.execute('chmod +x ' .. path)
   return path
end

setup(function()
   out = release.folder()
   if not out then
      return
   end
   folder = os.tmpname()
   os.remove(folder)
   tree = folder .. '/tree'
   assert(os.execute(('mkdir -p %s/bin'):format(folder)) == 0)
   for _, name in ipairs { 'cc', 'c++', 'g++', 'cmake', 'make', 'ninja' } do
      program(name, 'echo $0 >>' .. folder .. '/called; exit 1')
   end
   for _, package in ipairs(packages) do
      install(package[1], tree)
   end
end)

teardown(function()
   if folder then
      os.execute('rm -r ' .. folder)
   end
end)

-- { path -> rock } of what the rocks of a tree have put into its folders.
local function owners()
   local owner = {}
   local function walk(rock, path, files)
      for name, entry in pairs(files) do
         if type(entry) == 'table' then
            walk(rock, path .. name .. '/', entry)
         else
            assert.is_nil(owner[path .. name], ('%s is of %s and %s'):format(path .. name, rock,
               tostring(owner[path .. name])))
            owner[path .. name] = rock
         end
      end
   end
   local manifests = run(('ls %s/lib/luarocks/rocks-5.1/*/*/rock_manifest'):format(tree))
   for path in manifests:gmatch '[^\n]+' do
      local fields = {}
      setfenv(assert(loadfile(path)), fields)()
      for _, part in ipairs { 'lua', 'lib', 'bin' } do
         walk(path:match 'rocks%-5.1/([^/]+)', part .. '/', fields.rock_manifest[part] or {})
      end
   end
   return owner
end

describe('binary rocks', function()
   try('hold every file once, in the rock of its folder', function()
      local owner, inner = owners(), {}
      for _, package in ipairs(packages) do
         inner[package.folder or ''] = package[1]
      end
      for path in run "find lua -name '*.lua'":gmatch '[^\n]+' do
         local name = path:match '^lua/([^/]+)'
         local within = { paths = 'torch', sys = 'torch', xlua = 'torch', trepl = 'torch' }
         local rock = inner[path:match '^lua/([^/]+/[^/]+)/' or ' '] or within[name] or name
         assert.equal(rock, owner[path], path)
      end
      assert.same({ 'torch', 'torch', 'torch', 'image', 'tds', 'threads' }, { owner['bin/th'],
         owner['lua/torch/cmake/TorchConfig.cmake'], owner['lib/libTH.so'],
         owner['lib/libTHimage.so'], owner['lib/libtds.so'], owner['lib/libthreads.so'] })
   end)

   try('are installed without a compiler', function()
      assert.is_nil(lfs.attributes(folder .. '/called'))
   end)

   try("run by the tree's th, on its own libraries, without the sources", function()
      local output = succeeds(tree .. [[/bin/th -e '
         require "nngraph" require "tds" require "threads" require "image"
         local x = nn.Identity()()
         print(nn.gModule({ x }, { nn.MulConstant(3)(x) }):forward(torch.ones(2)):sum())
         image.scale(torch.rand(3, 4, 4), 2, 2)
         for line in io.lines "/proc/self/maps" do
            if line:find("/lib[Tt][hd]%a*%.so") then print(line:match "/.*") end
         end']])
      assert.matches('^6\n', output)
      local seen = 0
      for path in output:gmatch '/[^\n]*' do
         assert.equal(tree .. '/lib/lua/5.1/', path:match '^.*/')
         seen = seen + 1
      end
      assert.is_true(seen >= 4)
      local version = shell.read 'CMakeLists.txt':match 'LuaTorch VERSION (%d+%.%d+%.%d+)'
      assert.matches('^LuaTorch ' .. version .. ', LuaJIT', (succeeds(tree .. '/bin/th --version')))
   end)

   try('name all the rocks that they use', function()
      local by_name = {}
      for _, package in ipairs(packages) do
         by_name[package[1]] = package
      end
      local function needs(name, set)
         set[name] = true
         for _, need in ipairs(by_name[name][3]) do
            needs(need, set)
         end
         return set
      end
      local script = folder .. '/only.lua'
      local file = assert(io.open(script, 'w'))
      file:write [[
         local name, allowed, ours, inner = arg[1], arg[2], arg[3], arg[4]
         table.insert(package.loaders, 2, function(module)
            local folder, within = module:match '^([^.]*%.([^.]*))'
            local is_rock = folder and inner:find((' %s '):format(folder), 1, true)
            local root = (' %s '):format(is_rock and within or module:match '^[^.]*')
            if ours:find(root, 1, true) and not allowed:find(root, 1, true) then
               error(name .. ' wants' .. root)
            end
         end)
         require(name)
         print 'there']]
      file:close()
      local full, inner = {}, {}
      for _, package in ipairs(packages) do
         full[#full + 1] = not package.empty and package[1] or nil
         inner[#inner + 1] = package.folder and package.folder:gsub('/', '.') or nil
      end
      for _, name in ipairs(full) do
         local allowed = {}
         for need in pairs(needs(name, {})) do
            allowed[#allowed + 1] = need
         end
         local output = alone(("%s/bin/th %s %s ' %s ' ' %s ' ' %s '"):format(tree, script,
            ((by_name[name].folder or name):gsub('/', '.')),
            table.concat(allowed, ' '), table.concat(full, ' '), table.concat(inner, ' ')))
         if name:find '^cu' then -- whether there is a device or not
            assert.not_matches(' wants ', output)
         else
            assert.equal('there\n', output, name)
         end
      end
   end)

   try("bring along what they need, and no more", function()
      local other = folder .. '/other'
      install('nngraph', other)
      local listed = succeeds('luarocks list --porcelain --tree ' .. other)
      local names = {}
      for name in listed:gmatch '([^\t\n]+)\t[^\n]*' do
         names[#names + 1] = name
      end
      table.sort(names)
      assert.same({ 'graph', 'nn', 'nngraph', 'torch' }, names)
      for _, name in ipairs { 'nngraph', 'graph', 'nn', 'torch' } do
         succeeds(('luarocks remove --tree %s %s'):format(other, name))
      end
      assert.equal('', run(('find %s -type f ! -name "manifest*"'):format(other)))
   end)

   try("satisfy the rocks of Torch7's time", function()
      local file = assert(io.open(folder .. '/old.lua', 'w'))
      file:write "return require('torch').ones(3):sum()"
      file:close()
      file = assert(io.open(folder .. '/old-1.0-1.rockspec', 'w'))
      file:write [[package, version, source = 'old', '1.0-1', { url = '.' }
         dependencies = { 'torch >= 7.0', 'nn >= 1.0', 'paths', 'sys >= 1.0', 'xlua >= 1.0',
            'cwrap', 'luaffi', 'trepl', 'optim >= 1.0.5', 'image', 'threads >= 1.0', 'cutorch',
            'graph', 'tds', 'dok', 'class', 'env', 'gnuplot', 'hdf5' }
         build = { type = 'builtin', modules = { old = 'old.lua' } }]]
      file:close()
      local output = succeeds(('sh -c "cd %s && mkdir empty && '
         .. 'luarocks make --only-server=%s/empty --tree %s old-1.0-1.rockspec"'):format(folder,
         folder, tree))
      assert.matches('torch >= 7.0 %(%d+[%d.]*%-1 installed%)', output)
      assert.matches('old 1.0%-1 is now installed', output)
      assert.equal('3\n', succeeds(tree .. [[/bin/th -e 'print(require "old")']]))
      succeeds('luarocks remove --tree ' .. tree .. ' old')
   end)

   try('say what is missing of the system in a sentence, and are installed', function()
      local dpkg_query = program('dpkg-query',
         'case "$*" in *lua-filesystem) exit 1 ;; *) echo " installed " ;; esac')
      local output = install('torch', folder .. '/third')
      os.remove(dpkg_query)
      assert.matches('\ntorch wants Debian packages that are not installed here; as root: '
         .. 'apt%-get install %-%-no%-install%-recommends lua%-filesystem\n', output)
      assert.matches('torch [%d.]+%-1 is now installed', output)
   end)
end)

describe('a rock with C++', function()
   try('is compiled on the torch of the tree, and the core is not compiled again', function()
      local bare, own = folder .. '/bare', folder .. '/own'
      install('torch', bare)
      local make = ('env -i HOME="$HOME" PATH=/usr/bin:/bin TH_LIBRARY=%s/lib/lua/5.1/libTH.so '
         .. 'luarocks make --tree %s rocks/tds-scm-1.rockspec --deps-mode none'):format(bare, own)
      local output, status = run(make)
      assert.equal(0, status, output)
      assert.equal('', run 'find build.luarocks/tds -name "libTH*" -o -path "*TH/core*"')
      -- Its th is the other tree's.
      local script = folder .. '/vec.lua'
      local file = assert(io.open(script, 'w'))
      file:write "print(#require('tds').Vec({ 1, 2 }), package.searchpath('libtds', package.cpath))"
      file:close()
      output = succeeds(("LUA_PATH='%s/share/lua/5.1/?.lua;%s/share/lua/5.1/?/init.lua' "
         .. "LUA_CPATH='%s/lib/lua/5.1/?.so' %s/bin/th %s"):format(own, own, own, bare, script))
      assert.equal(('2\t%s/lib/lua/5.1/libtds.so\n'):format(own), output)
   end)
end)
