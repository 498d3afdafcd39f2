--- help(): what the sources say about a function, a class or a package.
-- @module torch.help
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local docs = require 'torch.docs'
local errors = require 'torch.errors'
local find = require 'torch.help.find'
local rows = require 'torch.help.rows'

local M = {}

-- --- docstrings ---------------------------------------------------------------------------------

local function add(lines, prefix, list)
   for _, text in ipairs(list) do
      lines[#lines + 1] = prefix .. text
   end
end

--- A docstring as lines of text.
function M.entryLines(entry)
   local lines = {}
   add(lines, '', entry.text)
   if #entry.usage > 0 then
      lines[#lines + 1] = ''
      add(lines, '    ', entry.usage)
   end
   if #entry.params + #entry.returns + #entry.raises > 0 then
      lines[#lines + 1] = ''
   end
   for _, p in ipairs(entry.params) do
      lines[#lines + 1] = ('  %s: %s'):format(p.name, p.text)
   end
   add(lines, '  returns ', entry.returns)
   add(lines, '  raises ', entry.raises)
   return lines
end

--- The call as the docstring's parameters give it: (a, [b]).
function M.signature(entry)
   local list = {}
   for _, p in ipairs(entry.params) do
      list[#list + 1] = p.optional and '[' .. p.name .. ']' or p.name
   end
   if #list > 0 then
      return '(' .. table.concat(list, ', ') .. ')'
   elseif #entry.usage > 0 then -- the forms say it all
      return ''
   end
   local given = entry.code:match '^%s*local function%s*[%w_]+%s*(%b())'
      or entry.code:match '^%s*function%s*[%w_.:]+%s*(%b())' or ''
   if (entry.names[1] or ''):match '^methods%.' then
      given = given:gsub('^%(self,?%s*', '(')
   end
   return given:match '^%([_, ]+%)$' and '(...)' or given
end

-- --- texts -------------------------------------------------------------------------------------

local function nothing(what)
   return ('no help on %s. Ask with a function, a class or a name: help(torch.add), '
      .. "help 'nn.Linear', help 'torch'"):format(what)
end

local function functionText(names)
   local lines, shown = {}, {}
   for _, it in ipairs(names) do
      local title, package, name, f, owner = unpack(it)
      local entry, row = find.entry(package, name, f, owner)
      local key = entry or row
      if key and not shown[key] then
         shown[key] = true
         add(lines, '', #lines > 0 and { '' } or {})
         lines[#lines + 1] = title .. (entry and M.signature(entry) or '')
         lines[#lines + 1] = ''
         if entry and #entry.text == 0 and entry.home.head then
            add(lines, '', entry.home.head.text)
         end
         add(lines, '', entry and M.entryLines(entry) or {})
         if row then
            add(lines, '', entry and { '' } or {})
            add(lines, '', rows.lines(name, row))
         end
      end
   end
   if #lines == 0 then
      local info = debug.getinfo(names[1][4], 'S')
      return ('%s has no docstring; it is defined in %s'):format(names[1][1], info.short_src)
   end
   return table.concat(lines, '\n')
end

local function firstSentence(entry)
   local text = table.concat(entry.text, ' ')
   return text:match '^(.-%.)%s' or text
end

-- Where a class or module is described: its file, or the entry of its @type; nil if nowhere. A
-- class may be in another package than its name says, as nn.DataParallelTable is.
local function described(name)
   local own, bare = name:match '^[^.]+', name:match '[^.]+$'
   local list = find.packages()
   table.insert(list, 1, own)
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
local function addEntries(lines, entries, wanted)
   for _, entry in ipairs(entries) do
      local title = wanted(entry, entry.names[1] and entry.names[1]:match '[%w_]+$')
      if title then
         add(lines, '', { '', title .. M.signature(entry) })
         for _, line in ipairs(M.entryLines(entry)) do
            lines[#lines + 1] = line == '' and '' or '  ' .. line
         end
      end
   end
end

-- A class or a module: its file's docstrings, as far as they are about its fields.
local function classText(name, fields)
   local file, section, index = described(name)
   local methods = fields or class.getmetatable(name) or {}
   if not (file or section) then
      local parent = registry.names[registry.parents[registry.classes[name] or ''] or '']
      local text = parent and M.text(parent)
      return text and ('%s: a %s\n\n%s'):format(name, parent, text) or nothing(name)
   elseif name == 'torch.Tensor' then
      methods = find.tensorMethods()
   end
   local lines, bare, shown = { name, '' }, name:match '[^.]+$', {}
   local head = section or file.head
   add(lines, '', (section or head) and M.entryLines(section or head) or {})
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
   return table.concat(lines, '\n')
end

local function packageText(name)
   local index = docs.package(name)
   if not index then
      return nothing(name)
   end
   local lines = { name, '' }
   for _, file in ipairs(index.files) do
      local module = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
      if module == 'init' then
         add(lines, '', file.head and file.head.text or {})
         lines[#lines + 1] = ''
      end
   end
   for _, file in ipairs(index.files) do
      local module = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
      if file.head and module ~= 'init' then
         lines[#lines + 1] = ('  %-24s %s'):format(module, firstSentence(file.head))
      end
   end
   return table.concat(lines, '\n')
end

local function valueText(value, title)
   if type(value) == 'function' then
      local names = find.names(value)
      if #names == 0 then
         return nothing(title or tostring(value))
      end
      return functionText(names)
   end
   local meta = type(value) == 'table' and getmetatable(value)
   local typename = type(meta) == 'table' and rawget(meta, '__typename') or class.typename(value)
   if typename then
      if typename:match '^torch%..*Tensor$' then
         typename = 'torch.Tensor'
      elseif typename:match '^torch%..*Storage$' then
         typename = 'torch.Storage'
      end
      return classText(typename)
   end
   for name, module in pairs(type(value) == 'table' and package.loaded or {}) do
      if module == value and type(name) == 'string' and name:match '%.' then
         return classText(name, value) -- nn.utils
      end
   end
   for _, name in ipairs(find.packages()) do
      if package.loaded[name] == value and docs.package(name) then
         return packageText(name)
      end
   end
   return nothing(title or ('a ' .. class.type(value)))
end

-- 'torch.add', 'Tensor:add', 'nn.Linear', 'nn.Linear:reset', 'add', 'torch'
local function named(text)
   local owner, name = text:match '^([%w_]+)[.:]([%w_]+)$'
   if owner == 'Tensor' or owner == 'tensor' then
      local f = find.tensorMethods()[name]
      return f and functionText { { text, 'torch', name, f, 'T' } } or nothing(text)
   elseif owner then
      local home = package.loaded[owner]
      local value = type(home) == 'table' and home[name]
      local index = not value and docs.package(owner)
      if index and index.modules[text] then
         return classText(text, {}) -- torch.indexing
      end
      return value and valueText(value, text) or nothing(text)
   end
   local home, method = text:match '^([%w_]+%.[%w_]+)[.:]([%w_]+)$' -- nn.Linear:reset
   local inClass = home and registry.classes[home]
   if inClass then
      local f = inClass[method] -- own or inherited
      return type(f) == 'function' and valueText(f, text) or nothing(text)
   elseif package.loaded[text] and docs.package(text) then
      return packageText(text)
   end
   local names = {}
   local functions, methods = package.loaded.torch, find.tensorMethods()
   if type(functions[text]) == 'function' then
      names[1] = { 'torch.' .. text, 'torch', text, functions[text], 'F' }
   end
   if type(methods[text]) == 'function' then
      names[#names + 1] = { 'Tensor:' .. text, 'torch', text, methods[text], 'T' }
   end
   if #names > 0 then
      return functionText(names)
   end
   for _, owning in ipairs(find.packages()) do
      local value = rawget(package.loaded[owning], text)
      if type(value) == 'function' or type(value) == 'table' then
         return valueText(value, text)
      end
   end
   return nothing(text)
end

--- The text that help(x) prints.
function M.text(x)
   if type(x) == 'string' then
      return named(x)
   end
   return valueText(x)
end

--- Print what the sources say about a function, a class, an object's class or a package.
-- At the prompt of `th` it is the global `help` as well.
-- @function help
-- @param x function, class, object, package table, or one of their names as a string
-- @usage help(torch.add)
-- help 'add'
-- help(nn.Linear)
function M.help(x)
   if x == nil then
      errors.raise(nothing 'nil')
   end
   print(M.text(x))
end

return M
