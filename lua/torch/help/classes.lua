--- Help on classes and modules.
-- @module torch.help.classes
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local docs = require 'torch.docs'
local entries = require 'torch.help.entries'
local find = require 'torch.help.find'

local add = entries.add

local M = {}

-- Where a class or module is described: its file, or the entry of its @type; nil if nowhere. A
-- class may be in another package than its name says, as nn.DataParallelTable is.
local function described(name)
   local own, bare = name:match '^[^.]+', name:match '[^.]+$'
   local list = { own, unpack(find.packages()) }
   for _, package in ipairs(list) do
      local index = docs.package(package)
      if index and index.types[name] then
         return nil, index.types[name], index
      elseif index and index.modules[name] then
         return index.modules[name], nil, index
      end
   end
   local index = docs.package(own)
   for _, file in ipairs(index and index.files or {}) do
      if file.path:match('/' .. bare .. '%.lua$') then
         return file, nil, index
      end
   end
end

-- Title and docstring of each entry that `wanted` gives a title for.
local function addEntries(lines, list, wanted)
   for _, entry in ipairs(list) do
      local title = wanted(entry, entry.names[1] and entry.names[1]:match '[%w_]+$')
      if title then
         add(lines, '', { '', title .. entries.signature(entry) })
         for _, line in ipairs(entries.lines(entry)) do
            lines[#lines + 1] = line == '' and '' or '  ' .. line
         end
      end
   end
end

-- What a class has from classes between it and the root of its family (nn.Weighted, say).
local function addInherited(lines, name)
   local parent = registry.parents[registry.classes[name] or '']
   while parent and registry.parents[parent] do
      local file = described(registry.names[parent])
      for _, entry in ipairs(file and file.entries or {}) do
         local method = entry.names[1] and entry.names[1]:match ':([%w_]+)$'
         if method and rawget(parent, method) and not method:match '^_' then
            lines[#lines + 1] = ('\n:%s%s, of %s'):format(method, entries.signature(entry),
               registry.names[parent])
         end
      end
      parent = registry.parents[parent]
   end
end

--- The docstrings of a class or a module, as far as they are about its fields.
-- @param name string
-- @param[opt] fields table: the module; none for a class
-- @return string, nil where there are none
function M.text(name, fields)
   local file, section, index = described(name)
   local methods = fields or class.getmetatable(name) or {}
   if not (file or section) then
      local parent = registry.names[registry.parents[registry.classes[name] or ''] or '']
      local text = parent and M.text(parent)
      return text and ('%s: a %s\n\n%s'):format(name, parent, text) or nil
   elseif name == 'torch.Tensor' then
      methods = find.tensorMethods()
   end
   local lines, bare, shown = { name, '' }, name:match '[^.]+$', {}
   local head = section or file.head
   add(lines, '', (section or head) and entries.lines(section or head) or {})
   addEntries(lines, file and file.entries or section.home.entries, function(entry, method)
      local mine = section and entry.class == name and methods[method]
         or file and (method == bare or methods[method or ''])
      if not mine then
         return nil
      end
      shown[method] = true
      local isConstructor = method == '__init' or method == bare
      return isConstructor and name or (fields and name .. '.' or ':') .. method
   end)
   for _, other in ipairs(not fields and index.files or {}) do -- its methods in files beside it
      addEntries(lines, other.entries, function(entry, method)
         local f = method and not shown[method] and rawget(methods, method)
         if type(f) == 'function' and not method:match '^_' and find.defines(entry, f) then
            return ':' .. method
         end
      end)
   end
   if not fields then
      addInherited(lines, name)
   end
   return table.concat(lines, '\n')
end

return M
