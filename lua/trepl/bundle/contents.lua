--- What goes into a bundle: the script's files, LuaTorch, the interpreter.
--
-- In the folder into which a bundle is unpacked: app (the script, its modules and data, as they lie
-- to each other), lua (packages), lib (libraries), bin/luajit, start.lua, which runs first.
-- @module trepl.bundle.contents
local lfs = require 'lfs'
local known = require 'torch.doctor.packages'
local paths = require 'paths.names'
local libraries = require 'trepl.bundle.libraries'
local modules = require 'trepl.bundle.modules'

local M = {}

-- Libraries of ours, and of others that are opened by name. The first are small, and always there,
-- the others where the script or `--add` names the package.
local ALWAYS = { ours = { 'TH', 'THimage', 'THpng', 'tds', 'threads' },
   others = { 'libz.so.1', 'libturbojpeg.so.0' } }
local NAMED = {
   onnx = { ours = { 'THonnx' } },
   cutorch = { ours = { 'THC' } }, cunn = { ours = { 'THC' } }, cudnn = { ours = { 'THC' } },
   hdf5 = { others = { 'libhdf5_serial.so.103', 'libhdf5_serial.so.310', 'libhdf5.so.103',
      'libhdf5.so.200', 'libhdf5.so.310' } },
}

local Contents = {}
Contents.__index = Contents

local function mode(path)
   return lfs.attributes(path, 'mode')
end

local function read(path)
   local file = assert(io.open(path, 'rb'))
   local text = file:read '*a'
   file:close()
   return text or ''
end

-- f(path, inner) for all files below a folder.
local function walk(folder, inner, f)
   local names = {}
   for name in lfs.dir(folder) do
      if name ~= '.' and name ~= '..' then
         names[#names + 1] = name
      end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local path, within = folder .. '/' .. name, inner .. '/' .. name
      if mode(path) == 'directory' then
         walk(path, within, f)
      elseif mode(path) == 'file' then
         f(path, within)
      end
   end
end

function Contents:__put(name, from, executable)
   if not self.names[name] then
      self.names[name] = true
      table.insert(self.files, { name = name, from = from, executable = executable })
   end
end

-- A library under the name by which it is asked for, and what it is linked with.
function Contents:__library(path, name)
   self:__put('lib/' .. name, path)
   for linked, target in pairs(libraries.linked(path)) do
      self:__put('lib/' .. linked, target)
   end
end

-- LuaTorch's own Lua files; a build has the generated ones in a second folder.
function Contents:__luatorch()
   local seen = {}
   for _, module in ipairs { 'trepl.main', 'torch.gen.cdef' } do
      local path = package.searchpath(module, package.path)
      local root = path:sub(1, -#module - 6) -- less '/' .. module .. '.lua'
      for _, name in ipairs(known.ours) do
         local folder = root .. '/' .. name
         if not seen[folder] and not name:find '%.' and mode(folder) == 'directory' then
            seen[folder] = true
            walk(folder, 'lua/' .. name, function(from, inner)
               if from:find '%.lua$' or from:find '/assets/' then
                  self:__put(inner, from)
               end
            end)
         end
      end
   end
   for _, other in ipairs(known.others) do
      local kind, path, inner = modules.locate(other[1], '/')
      if kind == 'c' then
         self:__library(path, inner:match '^lib/(.*)$')
      elseif kind == 'lua' then
         walk(path:match '^(.*)/[^/]*$', 'lua/' .. other[1], function(from, name)
            self:__put(name, from)
         end)
      end
   end
end

function Contents:__package(name)
   local list = NAMED[name]
   if not list or self.packages[name] then
      return
   end
   self.packages[name] = true
   self:__libraries(list)
end

function Contents:__libraries(list)
   local folder = package.searchpath('libTH', package.cpath):match '^(.*)/'
   for _, name in ipairs(list.ours or {}) do
      local file = ('lib%s.so'):format(name)
      if mode(folder .. '/' .. file) == 'file' then
         self:__library(folder .. '/' .. file, file)
      end
   end
   for _, name in ipairs(list.others or {}) do
      local path = libraries.find(name)
      if path then
         self:__library(path, name)
      end
   end
end

function Contents:__note(text)
   if not self.notes[text] then
      self.notes[text] = true
      table.insert(self.notes, text)
   end
end

local OURS = { dataset = true, train = true }
for _, name in ipairs(known.ours) do
   OURS[name] = true
end

-- A module, by its name, as the file `asker` would get it.
function Contents:__module(name, folder, asker)
   local package_name = name:match '^[^./]+'
   if package_name and OURS[package_name] then
      self:__package(package_name)
      if package_name == 'distributed' then
         self:__note 'distributed works in one process: MPI is not bundled'
      end
      return true
   end
   local kind, path, inner = modules.locate(name, folder)
   if kind == 'script' then
      self:__script(path)
   elseif kind == 'lua' then
      self:__put(inner, path)
      self:__scan(path)
   elseif kind == 'c' then
      self:__library(path, inner:match '^lib/(.*)$')
   elseif not kind and asker then
      self:__note(("%s asks for '%s', which is not here"):format(asker, name))
   end
   return kind ~= nil
end

function Contents:__scan(path)
   if self.scanned[path] then
      return
   end
   self.scanned[path] = true
   local folder = path:match '^(.*)/[^/]*$'
   for _, asked in ipairs(modules.asked(read(path))) do
      if asked.file then
         local file = paths.concat(folder .. '/' .. asked.name)
         if mode(file) == 'file' then
            self:__script(file)
         end
      else
         self:__module(asked.name, folder, path)
      end
   end
end

-- A file that keeps its place beside the script; of Lua, with what it asks for.
function Contents:__script(path)
   path = paths.concat(path)
   if not self.scripts[path] then
      self.scripts[path] = true
      table.insert(self.scripts, path)
      if path:find '%.lua$' or path == self.script then
         self:__scan(path)
      end
   end
end

--- What `--add` names: a file, a folder with all below it, or a module.
function Contents:add(what)
   local kind = mode(what)
   if kind == 'file' then
      self:__script(what)
   elseif kind == 'directory' then
      walk(paths.concat(what), '', function(from)
         self:__script(from)
      end)
   elseif not self:__module(what, paths.cwd()) then
      error(("'%s' is no file, no folder and no module that `require` finds"):format(what), 0)
   end
end

-- The longest folder that all paths have in common, with a '/' at its end.
local function common_folder(list)
   local folder = list[1]:match '^(.*/)'
   for _, path in ipairs(list) do
      while path:sub(1, #folder) ~= folder do
         folder = folder:match '^(.*/)[^/]+/$'
      end
   end
   return folder
end

--- The files in the order in which they are packed; the script's come last.
-- @return list for trepl.bundle.archive
function M.collect(script, additions)
   local self = setmetatable({ files = {}, names = {}, packages = {}, scanned = {}, scripts = {},
      notes = {} }, Contents)
   self.script = paths.concat(script)
   self:__put('start.lua', package.searchpath('trepl.bundle.start', package.path))
   self:__put('bin/luajit', lfs.symlinkattributes('/proc/self/exe', 'target'), true)
   for name, path in pairs(libraries.linked '/proc/self/exe') do
      self:__put('lib/' .. name, path)
   end
   self:__luatorch()
   self:__libraries(ALWAYS)
   local openblas = require('torch.gen.build').openblas
   local path = mode(openblas) == 'file' and openblas or libraries.find 'libopenblas.so.0'
   if path then
      self:__library(path, 'libopenblas.so.0')
   end
   self:__script(self.script)
   for _, what in ipairs(additions) do
      self:add(what)
   end

   local folder = common_folder(self.scripts)
   for _, file in ipairs(self.scripts) do
      local runs = lfs.attributes(file, 'permissions'):sub(3, 3) == 'x'
      self:__put('app/' .. file:sub(#folder + 1), file, runs)
   end
   local about = 'return { script = %q, openblas = %s }\n'
   table.insert(self.files, { name = 'bundle.lua', text = about:format(
      self.script:sub(#folder + 1), path and '"libopenblas.so.0"' or 'nil') })
   return self.files, self.notes
end

return M
