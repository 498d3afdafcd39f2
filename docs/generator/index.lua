-- The index by name: every public name, its place in the reference and one line.
local paths = require 'paths'
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local docs = require 'torch.docs'
local find = require 'torch.help.find'
local public = require 'torch.help.public'

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
local markdown = dofile(paths.concat(here, 'markdown.lua'))

local M = {}

-- A function that is its file's subject may be described at the top of the file, and only its
-- parameters at its definition.
local function oneLine(entry)
   local text = entry
   if #entry.text == 0 and entry.home and entry.home.head
      and not (entry.names[1] or ''):match ':%a' then
      text = entry.home.head
   end
   text = table.concat(text.text, ' ')
   text = text:match '^(.-%.)%s' or text
   return markdown.escape((text:gsub('%.$', '')))
end

-- torch.DoubleTensor:add -> Tensor:add. All types of tensors have the methods of one.
local function general(title)
   return (title:gsub('^torch%.%w*(Tensor):', '%1:'):gsub('^torch%.%w*(Storage):', '%1:'))
end

local function isPublicName(title)
   local bare = title:match '[%w_]+$'
   return not bare:match '^_' and not title:match ':new$'
end

-- Tables with functions are listed by these.
local function isConstant(value)
   for key, f in pairs(type(value) == 'table' and value or {}) do
      if type(f) == 'function' and isPublicName(tostring(key)) then
         return false
      end
   end
   return type(value) ~= 'function' and not registry.constructors[value]
end

-- The docstring of a class: its file's, or one with @type.
local function ofClass(name)
   for _, package in ipairs(find.packages()) do
      local index = docs.package(package)
      if index and (index.types[name] or index.modules[name]) then
         return index.types[name] or index.modules[name].head
      end
   end
end

-- Docstrings that may be a function's, the likeliest first, and its row.
local function candidates(title, f)
   local package, bare = title:match '^[^.:]+', title:match '[%w_]+$'
   local list, row = { find.atDefinition(f) }, nil
   local ofTensors = title:match '^torch%..*Tensor:'
   if ofTensors or not title:match ':' then
      list[#list + 1], row = find.entry(package, bare, f, ofTensors and 'T' or 'F')
   end
   -- Methods made by a loop, fields that are functions of another file.
   local source = debug.getinfo(f, 'S').source
   for _, other in ipairs(find.packages()) do
      local index = docs.package(other)
      for _, entry in ipairs(index and index.names[bare] or {}) do
         local file = '/' .. entry.file:match '[^/]+/[^/]+$'
         if ('/' .. source:sub(2)):sub(-#file) == file or entry.code:match('^[%w_]+%.' .. bare .. ' = ')
            and other == package then
            list[#list + 1] = entry
         end
      end
   end
   return list, row
end

--- Every public field of a package that is no function.
-- @param visit function: name, docstring, value
function M.constants(package, visit)
   local index = docs.package(package)
   for name, value in pairs(_G.package.loaded[package] or {}) do
      if isPublicName(tostring(name)) and isConstant(value) then
         for _, entry in ipairs(index and index.names[name] or {}) do
            if entry.code:match('^%s*[%w_]+%.' .. name .. ' = ') then
               visit(package .. '.' .. name, entry, value)
            end
         end
      end
   end
end

--- Every public function and class of the packages that are loaded, by the name of the index.
-- @param visit function: name, docstrings that may be its (the likeliest first), row of lib/TH/ops
function M.walk(visit)
   public.walk(function(title, f)
      if isPublicName(title) then
         local list, row = candidates(title, f)
         visit(general(title), list, row)
      end
   end)
end

--- Classes that scripts can make.
-- @param visit function: name, docstring, whether the docstring is its parent's, parent's name
function M.classes(visit)
   for name, methods in pairs(registry.classes) do
      if class.getconstructortable(name) ~= nil then
         local title = name:gsub('^torch%.%w+Tensor$', 'torch.Tensor')
            :gsub('^torch%.%w+Storage$', 'torch.Storage')
         local parent = registry.names[registry.parents[methods] or '']
         local own = ofClass(title)
         visit(title, own or parent and ofClass(parent), not own, parent)
      end
   end
end

--- Lines of the index for what a package documents, sorted by name.
-- @param places docstring -> link, for the pages of the package
-- Under `rows` and `compare` it has links to the tables of generated operations.
-- @param package string
-- @param everywhere docstring -> link, for all packages so far
function M.lines(places, package, everywhere)
   local found = {}
   local function note(name, place, text)
      if place and not found[name] then
         found[name] = ('* [`%s`](%s): %s'):format(name, place, text)
      end
   end
   M.walk(function(name, list, row)
      for _, entry in ipairs(list) do
         note(name, places[entry], oneLine(entry))
      end
      if row then
         note(name, places[row.family == 'compare' and 'compare' or 'rows'],
            ('`%s`'):format(row.formula))
      end
   end)
   M.constants(package, function(name, entry)
      note(name, places[entry], oneLine(entry))
   end)
   M.classes(function(name, entry, inherited)
      if entry and not inherited then
         found[name] = nil -- not its constructor's arguments: what it is
         note(name, places[entry], oneLine(entry))
      end
   end)
   M.classes(function(name, entry, inherited, parent) -- cudnn.ReLU
      if entry and inherited and name:match '^[^.]+' == package then
         note(name, everywhere[entry], 'a ' .. parent)
      end
   end)
   local names = {}
   for name in pairs(found) do
      names[#names + 1] = name
   end
   table.sort(names, function(a, b)
      local x, y = a:lower(), b:lower()
      return x < y or x == y and a < b
   end)
   local lines = {}
   for i, name in ipairs(names) do
      lines[i] = found[name]
   end
   return lines
end

return M
