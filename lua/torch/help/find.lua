--- Which docstring belongs to a function, and which names it goes by.
-- @module torch.help.find
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local docs = require 'torch.docs'
local rows = require 'torch.help.rows'

local M = {}

-- The file of an entry from its package's folder on: the search path may spell the rest in another
-- way than the index does.
local function within(index, entry)
   return entry.file:sub(#index.directory + 1)
end

-- A line of a file by its folder and name: the search path may spell the rest in another way.
local function place(file, line)
   return ('%s:%d'):format(file:match '[^/]+/[^/]+$' or file, line)
end

--- Whether a docstring stands at the definition of a function.
function M.defines(entry, f)
   local info = debug.getinfo(f, 'S')
   return place(entry.file, entry.codeLine) == place(info.source, info.linedefined)
end

-- The entry for a function: at best from its own file and of the wanted table (T or F).
local function entryFor(package, name, f, owner)
   local index = docs.package(package)
   local list = index and index.names[name] or {}
   local source = debug.getinfo(f, 'S').source
   local best, rank = nil, 0
   for _, entry in ipairs(list) do
      local file = within(index, entry)
      local own = source:sub(-#file) == file
      local points = own and 5 or 1
      for _, full in ipairs(entry.names) do
         local prefix = full:match '^([%w_.]+)[.:][%w_]+$'
         if prefix == owner or (owner == 'T' and prefix == 'methods') then
            points = points + 2
         elseif prefix and (prefix == 'T' or prefix == 'F') then
            points = points + 1
         end
      end
      -- Outside of torch's many modules, the name alone will do.
      if points > rank and (points > 1 or package ~= 'torch') then
         best, rank = entry, points
      end
   end
   return best
end

-- Docstrings by the place of what they stand before, of the packages that are loaded.
local definitions = { packages = nil, byPlace = {} }
local function defined()
   local packages = M.packages()
   if packages ~= definitions.packages then
      local byPlace = {}
      for _, package in ipairs(packages) do
         local index = docs.package(package)
         for _, file in ipairs(index and index.files or {}) do
            for _, entry in ipairs(file.entries) do
               if not entry.isHead then
                  local at = place(entry.file, entry.codeLine)
                  byPlace[at] = byPlace[at] or entry
               end
            end
         end
      end
      definitions = { packages = packages, byPlace = byPlace }
   end
   return definitions.byPlace
end

--- The docstring at a function's definition, in whatever package and by whatever name; or nil.
function M.atDefinition(f)
   local info = debug.getinfo(f, 'S')
   return defined()[place(info.source, info.linedefined)]
end

--- What is known about a function.
-- @param package string: where the docstrings are
-- @param name string: the function's bare name
-- @param f function
-- @param owner string: 'T' for a method of tensors, 'F' for a function of torch, a class's name
-- @return entry, row: each may be nil
function M.entry(package, name, f, owner)
   local entry = M.atDefinition(f) or entryFor(package, name, f, owner)
   local row = package == 'torch' and rows.row(name) or nil
   return entry, row
end

--- The methods of a class of tensors.
function M.tensorMethods()
   return class.getmetatable 'torch.DoubleTensor'
end

local known = { loaded = {}, count = 0, list = {} }

-- Whether the modules that are loaded are those of the list. A name alone does not tell: while a
-- module loads, something else stands in its place.
local function isKnown()
   local count = 0
   for name, value in pairs(package.loaded) do
      if not rawequal(known.loaded[name], value) then
         return false
      end
      count = count + 1
   end
   return count == known.count
end

--- Packages that may hold what help is asked about: torch first. Who walks over all functions asks
-- for each, so the list is made anew only after modules have come or gone; it is not the caller's.
function M.packages()
   if not isKnown() then
      local list, loaded, count = {}, {}, 0
      for name, value in pairs(package.loaded) do
         loaded[name], count = value, count + 1
         if type(name) == 'string' and (name:match '^%w+$' or docs.within[name])
            and type(value) == 'table' and name ~= '_G' and name ~= 'torch' then
            list[#list + 1] = name
         end
      end
      table.sort(list)
      table.insert(list, 1, 'torch')
      known = { loaded = loaded, count = count, list = list }
   end
   return known.list
end

--- Every name a function goes by.
-- @return list of { title, package, bare name, f, owner }
function M.names(f)
   local found = {}
   for _, package in ipairs(M.packages()) do
      local names = {}
      for name, value in pairs(_G.package.loaded[package]) do
         if value == f and type(name) == 'string' then
            names[#names + 1] = name
         end
      end
      table.sort(names)
      for _, name in ipairs(names) do
         found[#found + 1] = { package .. '.' .. name, package, name, f, 'F' }
      end
      if package == 'torch' then
         for name, value in pairs(M.tensorMethods()) do
            if value == f and not name:match '^__%w+$' then
               found[#found + 1] = { 'Tensor:' .. name, 'torch', name, f, 'T' }
            end
         end
      end
   end
   if #found == 0 then -- nn.utils.x
      for module, home in pairs(_G.package.loaded) do
         local package = type(home) == 'table' and tostring(module):match '^(%w+)%.'
         for name, value in pairs(package and docs.package(package) and home or {}) do
            local field = module:match '[^.]+$'
            if value == f and rawget(_G.package.loaded[package] or {}, field) == home then
               found[#found + 1] = { module .. '.' .. name, package, name, f, field }
            end
         end
      end
   end
   if #found == 0 then -- a method of a class in Lua
      for name, methods in pairs(registry.classes) do
         local package, bare = name:match '^(%w+)%.([%w_]+)$'
         for method, value in pairs(package and docs.package(package) and methods or {}) do
            if value == f and type(method) == 'string' and not method:match '^__%w+$' then
               found[#found + 1] = { name .. ':' .. method, package, method, f, bare }
            end
         end
      end
      table.sort(found, function(a, b)
         return a[1] < b[1]
      end)
   end
   return found
end

return M
