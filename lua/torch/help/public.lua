--- Which functions scripts can reach, and by which names.
--
-- A docstring belongs to a function where both are of one file and line, so that a helper that
-- happens to be called as a public function is not taken for it.
-- @module torch.help.public
local deferred = require 'torch.class.deferred'
local docs = require 'torch.docs'
local registry = require 'torch.class.registry'

local M = {}

--- The packages whose tables are public, in the order of the reference.
M.packages = {
   'torch', 'nn', 'graph', 'nngraph', 'optim', 'torch.train', 'torch.dataset', 'distributed',
   'paths', 'sys', 'xlua', 'trepl', 'threads', 'tds', 'image', 'npy', 'safetensors', 'pth', 'onnx',
   'hdf5',
   'gnuplot', 'class', 'dok', 'cutorch', 'cunn', 'cudnn',
}

local events = { __len = true, __call = true }

local function isPublicName(name)
   return type(name) == 'string'
      and (not name:match '^_' or name:match '^__%a+__$' or events[name]) and true or false
end

--- Call visit(title, f) for each public function: of a package, of a table in it (nn.utils.x), of a
-- class (nn.Linear:reset), and those that packages add to Lua's tables (table.splice).
function M.walk(visit)
   deferred.finish()
   local function functions(prefix, home)
      for name, f in pairs(home) do
         if type(f) == 'function' and isPublicName(name) then
            visit(prefix .. name, f)
         end
      end
   end
   for _, package in ipairs(M.packages) do
      local home = _G.package.loaded[package]
      local seen = package == 'cunn' -- require 'cunn' returns nn
      if type(home) == 'table' and not seen then
         functions(package .. '.', home)
         for name, value in pairs(home) do
            local plain = type(value) == 'table' and not registry.constructors[value]
            if plain and isPublicName(name) then
               functions(package .. '.' .. name .. '.', value)
            end
         end
      end
   end
   for name, class in pairs(registry.classes) do
      functions(name .. ':', class)
      if type(rawget(class, '__init')) == 'function' then
         visit(name, class.__init)
      end
   end
   for _, name in ipairs { 'table', 'string' } do
      for key, f in pairs(_G[name]) do
         if debug.getinfo(f, 'S').what ~= 'C' then
            visit(name .. '.' .. key, f)
         end
      end
   end
end

local byLine -- line -> list of { title, file }
local function collect()
   byLine = {}
   M.walk(function(title, f)
      local info = debug.getinfo(f, 'S')
      byLine[info.linedefined] = byLine[info.linedefined] or {}
      table.insert(byLine[info.linedefined], { title, info.source })
   end)
end

--- Forget what is public: packages were loaded since.
function M.refresh()
   byLine = nil
end

local function isDefinition(code)
   return code:match '^%s*local function' or code:match '^%s*function'
      or code:match '= function%f[%W]'
end

-- What a dotted name means, from the globals on.
local function value(name)
   local at = _G
   for part in name:gmatch '[^.]+' do
      at = type(at) == 'table' and at[part] or nil
   end
   return at
end

--- Public names of what a docstring describes, sorted; of methods with their class.
-- @param package string
-- @param entry a docstring, as docs.file gives it
-- @return list of strings; nil where the docstring is not one of a function's definition, so that
-- only its names can tell
function M.names(package, entry)
   if not byLine then
      collect()
   end
   if #entry.functions > 0 then
      local titles = {}
      for i, name in ipairs(entry.functions) do
         local owner, method = name:match '^(.*):(.*)$'
         local methods = registry.classes[owner or '']
         local reached = methods and methods[method] or name:match '%.' and value(name)
         titles[i] = reached ~= nil and reached ~= false and name or nil
      end
      return #titles > 0 and titles or nil
   elseif not isDefinition(entry.code) then
      return nil
   end
   local within = entry.file:sub(#docs.package(package).directory + 1)
   local file = '/' .. package:gsub('%.', '/') .. within
   local titles = {}
   for _, one in ipairs(byLine[entry.codeLine] or {}) do
      if ('/' .. one[2]:sub(2)):sub(-#file) == file then
         titles[#titles + 1] = one[1]
      end
   end
   table.sort(titles)
   return titles
end

return M
