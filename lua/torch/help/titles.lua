--- Headings of the reference.
-- @module torch.help.titles
local torch = require 'torch'
local class = require 'torch.class'
local signature = require('torch.help.entries').signature
local find = require 'torch.help.find'
local public = require 'torch.help.public'

local M = {}

local function isClass(file)
   return file.head ~= nil and (file.head.module or ''):match '^torch%.%u' ~= nil
end

-- A name as users write it: torch.add, t:apply, nn.Linear, :reset.
local function spelled(package, file, full)
   local owner, separator, bare = full:match '^([%w_]+)([.:])([%w_]+)$'
   local name = bare or full
   if full:match '^[%w_]+%.[%w_]+:' then -- @function torch.Tester:eq
      return full:match ':.*'
   end
   local ofClass = isClass(file) and (owner == 'methods' or owner == file.name:match '[^.]+$')
   local own = file.name:match '^torch%.(%l%w*)$'
   if own and owner == own and rawequal(torch[own], _G.package.loaded[file.name]) then
      return file.name .. '.' .. name -- torch.profiler.start
   elseif package == 'torch' and separator ~= ':' and not ofClass then
      if type(torch[name]) == 'function' or not find.tensorMethods()[name] then
         return 'torch.' .. name
      end
      return 't:' .. name
   elseif full:match '%..*%.' or owner == 'table' or owner == 'string' or owner == package then
      return full -- @function string.split
   elseif name == '__init' then
      return file.head and file.head.module or package .. '.' .. owner
   elseif separator == ':' or ofClass or owner == 'methods'
      or (owner and class.getmetatable(file.name)) then
      return ':' .. name
   elseif owner and file.name:match('%.' .. owner .. '$') then
      return file.name .. '.' .. name -- nn.Jacobian.forward
   end
   local home = _G.package.loaded[package]
   local module = type(home) == 'table' and home[file.name:match '[^.]+$']
   return (type(module) == 'table' and file.name or package) .. '.' .. name
end

-- The best of the names that a function goes by.
local function chosen(package, titles)
   for _, name in ipairs(titles) do
      if name:sub(1, #package + 1) == package .. '.' and not name:match ':' then
         return name
      end
   end
   local first = titles[1]
   for i = #titles, 1, -1 do
      first = titles[i]:match ':__' and first or titles[i] -- :size rather than :__len__
   end
   local owner, method = first:match '^(.*):(.*)$'
   if owner and method == 'new' and #titles == 1 then
      return owner
   elseif owner then
      return (owner:match '^torch%..*Tensor$' and 't:' or ':') .. method
   end
   return first
end

-- Whether a function is known as a method of some class only, other than tensors.
local function ofClass(titles)
   for _, name in ipairs(titles) do
      if name:match '^torch%..*Tensor:' or name:match '^torch%.%l[^:]*$' then
         return false
      end
   end
   return true
end

--- The heading of a docstring in the reference: its name as users write it, with the arguments.
-- @param package string
-- @param file what docs.package tells of the file
-- @param entry the docstring
-- @return string, in Markdown
function M.of(package, file, entry)
   if entry.type then
      return '`' .. entry.type .. signature(entry) .. '`'
   elseif entry.class then
      local method = entry.names[1]:match '[%w_]+$'
      return ('`%s:%s%s`'):format(entry.class, method, signature(entry))
   elseif #entry.functions == 0 then
      local titles = public.names(package, entry)
      if titles and (package ~= 'torch' or ofClass(titles)) then
         local name, arguments = chosen(package, titles), signature(entry)
         local writtenAsMethod = entry.code:match '^%s*function [%w_.]+:'
            or entry.names[1]:match '^methods%.' -- without self by then
         if name:match ':' and #entry.params == 0 and not writtenAsMethod then
            arguments = arguments:gsub('^%([%w_]+,?%s*', '(')
         end
         return ('`%s%s`'):format(name, arguments)
      end
   end
   local names = {}
   for i, full in ipairs(entry.names) do
      local arguments = i == #entry.names and signature(entry) or ''
      names[i] = '`' .. spelled(package, file, full) .. arguments .. '`'
   end
   return table.concat(names, ', ')
end

return M
