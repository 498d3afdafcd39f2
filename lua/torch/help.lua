--- help(): what the sources say about a function, a class or a package.
-- @module torch.help
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local docs = require 'torch.docs'
local errors = require 'torch.errors'
local classes = require 'torch.help.classes'
local contents = require 'torch.help.contents'
local deferred = require 'torch.class.deferred'
local entries = require 'torch.help.entries'
local find = require 'torch.help.find'
local rows = require 'torch.help.rows'

local M = {}

local add, signature, entryLines = entries.add, entries.signature, entries.lines

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
         lines[#lines + 1] = title .. (entry and signature(entry) or '')
         lines[#lines + 1] = ''
         if entry and #entry.text == 0 and entry.home.head then
            add(lines, '', entry.home.head.text)
         end
         add(lines, '', entry and entryLines(entry) or {})
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

local function packageText(name)
   local lines = contents.lines(name)
   return lines and table.concat(lines, '\n') or nothing(name)
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
      return classes.text(typename) or nothing(typename)
   end
   for _, name in ipairs(find.packages()) do
      if package.loaded[name] == value and docs.package(name) then
         return packageText(name)
      end
   end
   for name, module in pairs(type(value) == 'table' and package.loaded or {}) do
      if module == value and type(name) == 'string' and name:match '%.' then
         return classes.text(name, value) or nothing(name) -- nn.utils
      end
   end
   return nothing(title or ('a ' .. class.type(value)))
end

-- 'torch.add', 'Tensor:add', 'nn.Linear', 'nn.Linear:reset', 'add', 'torch'
local function named(text)
   if docs.within[text] and package.loaded[text] then -- torch.train
      return packageText(text)
   end
   local owner, name = text:match '^([%w_]+)[.:]([%w_]+)$'
   if owner == 'Tensor' or owner == 'tensor' then
      local f = find.tensorMethods()[name]
      return f and functionText { { text, 'torch', name, f, 'T' } } or nothing(text)
   elseif owner then
      local home = package.loaded[owner]
      local value = type(home) == 'table' and home[name]
      local index = not value and docs.package(owner)
      if index and index.modules[text] then
         return classes.text(text, {}) or nothing(text) -- torch.indexing
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
   deferred.finish() -- what is looked for may not have been used yet
   if type(x) == 'string' then
      return named(x)
   end
   return valueText(x)
end

--- The text, or an error where there is nothing to explain.
function M.asked(x)
   if x == nil then
      errors.raise(nothing 'nil')
   end
   return M.text(x)
end

return M
