-- Write docs/reference/ from the docstrings in lua/ and the formulas in lib/TH/ops:
--
--     THC_SIM_DEVICES=1 build/sim/bin/th docs/make_reference.lua [directory]
--
-- Rooms of pages as generator/rooms.lua says, contents, and an index by name; `help` prints the
-- same text. The packages of CUDA need a build with CUDA or simulated devices, others a library;
-- without them their pages and their part of the index stay as they are.

local lfs = require 'lfs'
local paths = require 'paths'
local docs = require 'torch.docs'
local public = require 'torch.help.public'

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
local target = arg[1] or paths.concat(here, 'reference')
local function part(name)
   return dofile(paths.concat(here, 'generator', name .. '.lua'))
end
local rooms, markdown, pages, index = part 'rooms', part 'markdown', part 'pages', part 'index'

local written = {} -- room/page -> its classes

local function write(name, lines)
   local text = table.concat(lines, '\n'):gsub('\n\n\n+', '\n\n'):gsub('%s+$', '') .. '\n'
   local out = assert(io.open(paths.concat(target, name .. '.md'), 'w'))
   out:write(text)
   out:close()
   return text
end

-- Write a page, and note where its subjects are.
local function save(key, page, places)
   local anchors = markdown.anchors(write(key, page.lines))
   assert(#anchors == #page.subjects, key .. ': a docstring has a heading in it')
   for i, subjects in ipairs(page.subjects) do
      for _, subject in ipairs(subjects) do
         places[subject] = ('%s.md#%s'):format(key, anchors[i])
      end
   end
   written[key] = page.classes
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

-- A class's methods are with it, in whatever file they are.
local function gather(package, known)
   for _, file in ipairs(known.files) do
      local kept = {}
      for _, entry in ipairs(file.entries) do
         local owner = pages.owner(package, entry)
         local home = owner and known.modules[owner]
         table.insert(home and home ~= file and home.entries or kept, entry)
      end
      file.entries = kept
   end
end

-- room/page -> { title, line about it, package }; and in order.
local plan, order = {}, {}
local function planned(key, title, about, package)
   if not plan[key] then
      plan[key] = { title, about, package }
      order[#order + 1] = key
   end
   return plan[key]
end
for _, room in ipairs(rooms.rooms) do
   for _, page in ipairs(room) do
      if type(page) == 'table' then
         planned(room[1] .. '/' .. page[1], page[2], page[3], page.package or room.package)
      end
   end
end

local function names(package, known)
   for _, file in ipairs(known.files) do
      local relative = file.path:sub(#known.directory + 2):gsub('%.lua$', '')
      file.module = (package .. '.' .. relative:gsub('/', '.')):gsub('%.init$', '')
      file.name = file.head and file.head.module or file.module
   end
end

-- The files of a package, the one that stands for all of it first.
local function sorted(package, known)
   local list = {}
   for _, first in ipairs { true, false } do
      for _, file in ipairs(known.files) do
         if (file.module == package) == first then
            list[#list + 1] = file
         end
      end
   end
   return list
end

local function writePackage(package, known, places)
   local parts = {} -- page -> list of { file, entries }
   local keys = {}
   local function part_of(key, file)
      if not parts[key] then
         parts[key] = {}
         keys[#keys + 1] = key
      end
      local last = parts[key][#parts[key]]
      if not last or last.file ~= file then
         last = { file = file, entries = {} }
         table.insert(parts[key], last)
      end
      return last
   end
   for _, file in ipairs(sorted(package, known)) do
      local home = part_of(rooms.page(package, file.module, {}), file)
      home.head, home.home = file.head, true
      for _, entry in ipairs(file.entries) do
         if pages.isPublic(package, file, entry) then
            local key = rooms.page(package, file.module, entry.names)
            table.insert(part_of(key, file).entries, entry)
         end
      end
   end
   for _, key in ipairs(keys) do
      local about = planned(key, package, '', package)
      assert(about[3] == package, key .. ' is a page of ' .. tostring(about[3]))
      local page = pages.make(package, about[1], about[2], parts[key])
      if page then
         save(key, page, places)
      end
   end
end

local present, everywhere = {}, {} -- packages that can be loaded here; docstring -> link
lfs.mkdir(target)
for _, room in ipairs(rooms.rooms) do
   lfs.mkdir(paths.concat(target, room[1]))
end
local list = {
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
   list[#list + 1] = '## ' .. package
   list[#list + 1] = ''
   if known and loaded then
      names(package, known)
      gather(package, known)
      writePackage(package, known, places)
   end
   for subject, place in pairs(places) do
      everywhere[subject] = place
   end
   local lines = loaded and index.lines(places, package, everywhere) or formerSection(package)
   for _, line in ipairs(lines) do
      list[#list + 1] = line
   end
   list[#list + 1] = ''
end
write('index', list)

local function exists(key)
   return written[key] or paths.filep(paths.concat(target, key .. '.md'))
end

local contents = {
   '# Reference', '',
   'Written by `th docs/make_reference.lua` from the docstrings; `help(torch.add)` prints the same '
      .. 'text at the prompt. The [index](index.md) lists every public name.', '',
}
local titles = {}
for _, room in ipairs(rooms.rooms) do
   titles[room[1]] = { room[2], room[3] }
end
local room
for _, key in ipairs(order) do
   local folder = key:match '^[^/]+'
   if exists(key) then
      if room ~= folder then
         room = folder
         for _, line in ipairs { '', '## ' .. titles[room][1], '', titles[room][2], '' } do
            contents[#contents + 1] = line
         end
      end
      contents[#contents + 1] = ('* [%s](%s.md): %s'):format(plan[key][1], key, plan[key][2])
   end
end
write('README', contents)

-- Pages of what is no more.
local function clean(folder)
   for name in lfs.dir(paths.concat(target, folder)) do
      local key = name:match '^(.*)%.md$'
      key = key and folder .. key
      local package = key and plan[key] and plan[key][3]
      local absent = package and present[package] == false
      if key and not written[key] and not absent and key ~= 'README' and key ~= 'index' then
         os.remove(paths.concat(target, key .. '.md'))
      end
   end
end
clean ''
for name in lfs.dir(target) do
   if not name:match '%.' then
      clean(name .. '/')
      lfs.rmdir(paths.concat(target, name)) -- where it is empty
   end
end
