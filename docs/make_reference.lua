-- Write docs/reference/ from the docstrings in lua/ and the formulas in lib/TH/ops:
--
--     THC_SIM_DEVICES=1 build/sim/bin/th docs/make_reference.lua [directory]
--
-- One page per module of torch, one per other package; `help` prints the same text. The packages of
-- CUDA need a build with CUDA or simulated devices; without one their pages stay as they are.

local torch = require 'torch'
local lfs = require 'lfs'
local paths = require 'paths'
local class = require 'torch.class'
local docs = require 'torch.docs'
local public = require 'torch.help.public'
local rows = require 'torch.help.rows'
local titles = require 'torch.help.titles'

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
local target = arg[1] or paths.concat(here, 'reference')

local methods = torch.getmetatable 'torch.DoubleTensor'

local function add(out, lines)
   for _, line in ipairs(lines) do
      out[#out + 1] = line
   end
end

local function writeCode(out, lines)
   if #lines > 0 then
      add(out, { '', '```lua' })
      add(out, lines)
      add(out, { '```' })
   end
end

-- A docstring in Markdown: its text is that already, parameters become a list.
local function writeEntry(out, entry)
   local shift = '' -- four spaces make a block of code, docstrings may have three
   for i, line in ipairs(entry.text) do
      if (entry.text[i - 1] or '') == '' then
         shift = line:match '^   %S' and ' ' or ''
      end
      out[#out + 1] = (line == '' and '' or shift) .. line
   end
   writeCode(out, entry.usage)
   if #entry.params + #entry.returns + #entry.raises > 0 then
      out[#out + 1] = ''
   end
   for _, p in ipairs(entry.params) do
      out[#out + 1] = ('* `%s`: %s'):format(p.name, p.text)
   end
   for _, text in ipairs(entry.returns) do
      out[#out + 1] = '* returns ' .. text
   end
   for _, text in ipairs(entry.raises) do
      out[#out + 1] = '* raises ' .. text
   end
   writeCode(out, entry.example)
   out[#out + 1] = ''
end

-- Whether torch has a function under one of its names: what only sys has is on its page.
local function isDescribedHere(names)
   for _, name in ipairs(names) do
      if name:match '^torch%.' then
         return true
      end
   end
   return false
end

-- Whether a docstring is about something that scripts can reach, not about a helper.
local function isPublic(package, file, entry)
   if entry.type then
      return class.getmetatable(entry.type) ~= nil
   elseif entry.isHead or not entry.names[1] then
      return false
   end
   local names = public.names(package, entry)
   if names then
      local ours = package ~= 'torch' or isDescribedHere(names)
      return #names > 0 and ours
   end
   local bare = entry.names[1]:match '[%w_]+$'
   local home = _G[package] or {}
   local own = class.getmetatable(file.head and file.head.module or '')
   return home[bare] ~= nil or (own or package == 'torch' and methods or {})[bare] ~= nil
end

-- The operations of lib/TH/ops as a table.
local function writeRows(out)
   out[#out + 1] = '## Generated element-wise operations'
   out[#out + 1] = ''
   out[#out + 1] = 'As functions `torch.f([res,] ...)`, as methods in place `t:f(...)`, or into '
      .. '`res:f(...)`.'
   out[#out + 1] = ''
   out[#out + 1] = '| name | family | result | types |'
   out[#out + 1] = '| --- | --- | --- | --- |'
   local names = {}
   for name in pairs(methods) do
      if rows.row(name) then
         names[#names + 1] = name
      end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local row = rows.row(name)
      out[#out + 1] = ('| `%s` | %s | `%s` | %s |'):format(name, (row.family:gsub('_', ' ')),
         (row.formula:gsub('|', '\\|')), row.dtypes:lower())
   end
   out[#out + 1] = ''
end

local function writeFile(package, file, level, out)
   local entries = {}
   for _, entry in ipairs(file.entries) do
      if isPublic(package, file, entry) then
         entries[#entries + 1] = entry
      end
   end
   local head = file.head
   local tells = head and (#entries > 0 or #head.usage > 0 or file.path:match '/init%.lua$'
      or class.getmetatable(head.module or ''))
   if not tells then
      return false
   end
   out[#out + 1] = ('%s %s'):format(level, file.name)
   out[#out + 1] = ''
   writeEntry(out, file.head)
   for _, entry in ipairs(entries) do
      out[#out + 1] = ('%s# %s'):format(level, titles.of(package, file, entry))
      out[#out + 1] = ''
      writeEntry(out, entry)
   end
   if file.name == 'torch.pointwise' then
      writeRows(out)
   end
   return true
end

local function save(name, lines)
   local text = table.concat(lines, '\n'):gsub('\n\n\n+', '\n\n'):gsub('%s+$', '') .. '\n'
   local out = assert(io.open(paths.concat(target, name .. '.md'), 'w'))
   out:write(text)
   out:close()
end

local function firstLine(file)
   return file.head.text[1] or ''
end

lfs.mkdir(target)
local contents = {
   '# Reference', '',
   'Written by `th docs/make_reference.lua` from the docstrings; `help(torch.add)` prints the same '
      .. 'text at the prompt.', '',
}
for _, package in ipairs(public.packages) do
   local loaded = pcall(require, package) -- not before its turn: it may add to those before it
   public.refresh()
   local index = docs.package(package)
   local page, modules = {}, {}
   for _, file in ipairs(index and loaded and index.files or {}) do
      local relative = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
      local module = package .. '.' .. relative:gsub('/', '.'):gsub('%.?init$', '')
      file.name = file.head and file.head.module or module:gsub('%.$', '')
      if package == 'torch' then
         local lines = {}
         local hidden = relative:match '^cmdline/' -- methods of torch.CmdLine's page
         if not hidden and writeFile(package, file, '#', lines) then
            local name = module:gsub('%.$', '')
            save(name, lines)
            modules[#modules + 1] = ('* [%s](%s.md): %s'):format(name, name, firstLine(file))
         end
      elseif relative == 'init' then
         local lines = {}
         writeFile(package, file, '#', lines)
         for i = #lines, 1, -1 do
            table.insert(page, 1, lines[i])
         end
      else
         writeFile(package, file, '##', page)
      end
   end
   contents[#contents + 1] = '## ' .. package
   contents[#contents + 1] = ''
   if package == 'torch' then
      for _, line in ipairs(modules) do
         contents[#contents + 1] = line
      end
   elseif index then
      if loaded then
         save(package, page)
      end
      contents[#contents + 1] = ('* [%s](%s.md)'):format(package, package)
   end
   contents[#contents + 1] = ''
end
save('README', contents)
