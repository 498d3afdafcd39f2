-- Write docs/reference/ from the docstrings in lua/ and the formulas in lib/TH/ops:
--
--     THC_SIM_DEVICES=1 build/sim/bin/th docs/make_reference.lua [directory]
--
-- One page per module of torch, one per other package, and an index by name; `help` prints the same
-- text. The packages of CUDA need a build with CUDA or simulated devices; without one their pages
-- and their part of the index stay as they are.

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
local markdown = dofile(paths.concat(here, 'generator', 'markdown.lua'))
local index = dofile(paths.concat(here, 'generator', 'index.lua'))

local methods = torch.getmetatable 'torch.DoubleTensor'

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
   local home = _G.package.loaded[package] or {}
   local own = class.getmetatable(file.head and file.head.module or '')
   return home[bare] ~= nil or (own or package == 'torch' and methods or {})[bare] ~= nil
end

-- The operations of lib/TH/ops as a table.
local function writeRows(out)
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

-- The class that all names of a docstring are methods of, where that is one.
local function classOf(package, entry)
   local owner
   for _, name in ipairs(public.names(package, entry) or {}) do
      local this = name:match '^(.*):'
      if not this or owner and owner ~= this then
         return nil
      end
      owner = this
   end
   return owner
end

-- A class's methods are on its page, in whatever file they are.
local function gather(package, known)
   for _, file in ipairs(known.files) do
      local kept = {}
      for _, entry in ipairs(file.entries) do
         local owner = classOf(package, entry)
         local home = owner and known.modules[owner]
         table.insert(home and home ~= file and home.entries or kept, entry)
      end
      file.entries = kept
   end
end

-- A page's lines, and what its headings are about: docstrings, or 'rows'.
local function newPage()
   return { lines = {}, subjects = {} }
end

local function addHeading(page, level, text, subject)
   page.lines[#page.lines + 1] = level .. ' ' .. text
   page.lines[#page.lines + 1] = ''
   page.subjects[#page.subjects + 1] = subject
end

local function writeFile(package, file, level, page)
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
   addHeading(page, level, file.name, head)
   markdown.write(page.lines, head)
   for _, entry in ipairs(entries) do
      addHeading(page, level .. '#', titles.of(package, file, entry), entry)
      markdown.write(page.lines, entry)
   end
   if file.name == 'torch.pointwise' then
      addHeading(page, '##', 'Generated element-wise operations', 'rows')
      writeRows(page.lines)
   end
   return true
end

local written = {} -- names of pages

local function write(name, lines)
   written[name] = true
   local text = table.concat(lines, '\n'):gsub('\n\n\n+', '\n\n'):gsub('%s+$', '') .. '\n'
   local out = assert(io.open(paths.concat(target, name .. '.md'), 'w'))
   out:write(text)
   out:close()
   return text
end

-- Write a page, and note where its subjects are.
local function save(name, page, places)
   local anchors = markdown.anchors(write(name, page.lines))
   assert(#anchors == #page.subjects, name .. ': a docstring has a heading in it')
   for i, subject in ipairs(page.subjects) do
      places[subject] = ('%s.md#%s'):format(name, anchors[i])
   end
end

-- A section of the index as it was, for a package that is not there now.
local function formerSection(package)
   local file = io.open(paths.concat(target, 'index.md'))
   local text = file and file:read '*a' or ''
   if file then
      file:close()
   end
   local lines, section = {}, (text .. '\n'):match('\n## ' .. package .. '\n\n(%*.-)\n\n')
   for line in (section or ''):gmatch '[^\n]+' do
      lines[#lines + 1] = line
   end
   return lines
end

-- torch's modules have a page each.
local function writeTorch(known, contents, places)
   for _, file in ipairs(known.files) do
      local page = newPage()
      if writeFile('torch', file, '#', page) then
         save(file.module, page, places)
         contents[#contents + 1] = ('* [%s](%s.md): %s'):format(file.module, file.module,
            file.head.text[1] or '')
      end
   end
end

-- A package whose classes lie in folders begins with a table of them.
local function writeChapters(page, known)
   local chapters, classes = {}, {}
   for _, file in ipairs(known.files) do
      local chapter = file.path:sub(#known.directory + 2):match '^([%w_/]+)/'
      local name = file.head and file.head.module
      if chapter and name and class.getmetatable(name) then
         if not classes[chapter] then
            classes[chapter] = {}
            chapters[#chapters + 1] = chapter
         end
         local link = ('[%s](#%s)'):format(name:match '[^.]+$', markdown.slug(name))
         table.insert(classes[chapter], link)
      end
   end
   if #chapters == 0 then
      return
   end
   page.lines[#page.lines + 1] = '| chapter | classes |'
   page.lines[#page.lines + 1] = '| --- | --- |'
   for _, chapter in ipairs(chapters) do
      page.lines[#page.lines + 1] = ('| %s | %s |'):format(chapter,
         table.concat(classes[chapter], ' '))
   end
   page.lines[#page.lines + 1] = ''
end

local function writePackage(package, known, places)
   local page = newPage()
   for _, first in ipairs { true, false } do
      for _, file in ipairs(known.files) do
         local isInit = file.module == package
         if isInit == first then
            writeFile(package, file, isInit and '#' or '##', page)
         end
      end
      if first then
         writeChapters(page, known)
      end
   end
   save(package, page, places)
end

local present, everywhere = {}, {} -- packages that can be loaded here; docstring -> link
lfs.mkdir(target)
local contents = {
   '# Reference', '',
   'Written by `th docs/make_reference.lua` from the docstrings; `help(torch.add)` prints the same '
      .. 'text at the prompt. The [index](index.md) lists every public name.', '',
}
local names = {
   '# Index', '',
   'Every public name, with its place in the reference. `Tensor:x` is a method of every type of '
      .. 'tensor, `Storage:x` of every type of storage. Written by `th docs/make_reference.lua`.',
   '',
}
for _, package in ipairs(public.packages) do
   local loaded = pcall(require, package) -- not before its turn: it may add to those before it
   present[package] = loaded
   public.refresh()
   local known, places = docs.package(package), {}
   contents[#contents + 1] = '## ' .. package
   contents[#contents + 1] = ''
   names[#names + 1] = '## ' .. package
   names[#names + 1] = ''
   if known and loaded then
      for _, file in ipairs(known.files) do
         local relative = file.path:sub(#known.directory + 2):gsub('%.lua$', '')
         file.module = (package .. '.' .. relative:gsub('/', '.')):gsub('%.init$', '')
         file.name = file.head and file.head.module or file.module
      end
      gather(package, known)
      if package == 'torch' then
         writeTorch(known, contents, places)
      else
         writePackage(package, known, places)
      end
   end
   if package ~= 'torch' then
      contents[#contents + 1] = ('* [%s](%s.md)'):format(package, package)
   end
   contents[#contents + 1] = ''
   for subject, place in pairs(places) do
      everywhere[subject] = place
   end
   local lines = loaded and index.lines(places, places.rows, package, everywhere)
      or formerSection(package)
   for _, line in ipairs(lines) do
      names[#names + 1] = line
   end
   names[#names + 1] = ''
end
write('README', contents)
write('index', names)

-- Pages of modules that are no more.
for name in lfs.dir(target) do
   local page, package = name:match '^((%a+).*)%.md$'
   if present[package or ''] and not written[page] then
      os.remove(paths.concat(target, name))
   end
end
