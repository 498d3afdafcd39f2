--- What a package has, by the names that scripts call.
-- @module torch.help.contents
local class = require 'torch.class'
local docs = require 'torch.docs'
local find = require 'torch.help.find'
local public = require 'torch.help.public'
local titles = require 'torch.help.titles'

local M = {}

local WIDTH = 100

local function firstSentence(entry)
   local text = table.concat(entry.text, ' ')
   return text:match '^(.-%.)%s' or text
end

-- What another package has by the same function is told there: sys.clock.
local function isOfAnother(package, name)
   local home = name:match '^(%w+)%.'
   local own = name:sub(1, #package + 1) == package .. '.' -- torch.train.freeze
   return home and not own and not class.getmetatable(name) and docs.package(home) ~= nil
end

-- Whether what a heading calls so is there.
local function isThere(package, name)
   local bare = name:match '[%w_]+$'
   local home = _G.package.loaded[package]
   return home[bare] ~= nil or package == 'torch' and find.tensorMethods()[bare] ~= nil
end

-- The names that a docstring stands for, without arguments; none if it is a helper's, or that of a
-- method whose class is listed.
local function namesOf(package, file, entry)
   if entry.isHead or entry.class then
      return {}
   elseif entry.type then
      return { class.getmetatable(entry.type) and entry.type or nil }
   end
   local reached = public.names(package, entry)
   if reached and #reached == 0 then
      return {}
   end
   local names = {}
   for name in titles.of(package, file, entry):gsub('%b()', ''):gmatch '`([^`]+)`' do
      if not name:match '^:' and not isOfAnother(package, name)
         and (reached or isThere(package, name)) then
         names[#names + 1] = name
      end
   end
   return names
end

-- The public names of a file, and the docstring of the last one.
local function namesIn(package, index, file)
   local relative = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
   file.name = file.head and file.head.module
      or (package .. '.' .. relative:gsub('/', '.')):gsub('%.init$', '')
   local names, seen, last = {}, {}, file.head
   local function add(name, entry)
      if not seen[name] then
         seen[name] = true
         last = #entry.text > 0 and entry or file.head
         names[#names + 1] = name
      end
   end
   local ofClass = class.getmetatable(file.name) ~= nil
   if ofClass then
      add(file.name, file.head)
   end
   for _, entry in ipairs(file.entries) do
      if not ofClass or entry.type then
         for _, name in ipairs(namesOf(package, file, entry)) do
            add(name, entry)
         end
      end
   end
   return names, last
end

local function wrapped(lines, names, indent)
   local line = indent
   for i, name in ipairs(names) do
      local word = name .. (i < #names and ', ' or '')
      if #line + #word > WIDTH and line ~= indent then
         lines[#lines + 1] = line:gsub(' $', '')
         line = indent
      end
      line = line .. word
   end
   lines[#lines + 1] = line
end

--- Lines about a package: what it is for, then a line for each file that has one public name, and
-- names below a line for one that has several. Files of helpers alone are left out.
-- @string package as `require` knows it, loaded
-- @treturn table of strings; nil for a package without sources
function M.lines(package)
   local index = docs.package(package)
   if not index then
      return nil
   end
   public.refresh()
   local lines, single, several = { package, '' }, {}, {}
   for _, file in ipairs(index.files) do
      local relative = file.path:sub(#index.directory + 2)
      if relative == 'init.lua' then
         for _, line in ipairs(file.head and file.head.text or {}) do
            lines[#lines + 1] = line
         end
         lines[#lines + 1] = ''
      end
      local names, entry = namesIn(package, index, file)
      if #names == 1 then
         single[#single + 1] = ('  %-30s %s'):format(names[1], entry and firstSentence(entry) or '')
      elseif #names > 1 then
         local title = relative ~= 'init.lua' and file.head and firstSentence(file.head)
         several[#several + 1] = { title = title or 'And', names = names }
      end
   end
   for _, line in ipairs(single) do
      lines[#lines + 1] = line
   end
   for _, part in ipairs(several) do
      lines[#lines + 1] = ''
      lines[#lines + 1] = '  ' .. part.title
      wrapped(lines, part.names, '     ')
   end
   return lines
end

return M
