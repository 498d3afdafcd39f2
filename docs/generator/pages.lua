-- A page of the reference: its docstrings in Markdown, and what its headings are about.
local torch = require 'torch'
local paths = require 'paths'
local class = require 'torch.class'
local public = require 'torch.help.public'
local rows = require 'torch.help.rows'
local titles = require 'torch.help.titles'

local M = {}

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
local markdown = dofile(paths.concat(here, 'markdown.lua'))
local rooms = dofile(paths.concat(here, 'rooms.lua'))
local methods = torch.getmetatable 'torch.DoubleTensor'

-- --- which docstrings ---------------------------------------------------------------------------

-- Whether torch has a function under one of its names: what only sys has is on its page.
local function isDescribedHere(names)
   for _, name in ipairs(names) do
      if name:match '^torch%.' then
         return true
      end
   end
   return false
end

--- Whether a docstring is about something that scripts can reach, not about a helper.
function M.isPublic(package, file, entry)
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

--- The class that all names of a docstring are methods of, where that is one.
function M.owner(package, entry)
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

-- --- the page -----------------------------------------------------------------------------------

local function addHeading(page, level, text, ...)
   table.insert(page.lines, level .. ' ' .. text)
   table.insert(page.lines, '')
   table.insert(page.subjects, { ... })
end

-- What elements x = 0.5, or 6 and 4 for operations of integers, become.
local function sample(name, row)
   local integral = row.dtypes == 'Integral'
   local new = integral and torch.IntTensor or torch.DoubleTensor
   local x, y = new { integral and 6 or 0.5 }, new { integral and 4 or 2 }
   local arguments = {
      unary = {}, scalar = { 2 }, scalar2 = { 1, 2 }, binary = { y }, compare = { y },
      ternary_scalar = { 2, y, y },
   }
   local given = arguments[row.family]
   local ok, result = pcall(torch[name] or methods[name], x, unpack(given or {}))
   if not given or not ok or not torch.isTensor(result) then
      return ''
   end
   local texts = { tostring(integral and 6 or 0.5) }
   for i, value in ipairs(given) do
      texts[i + 1] = tostring(torch.isTensor(value) and value[1] or value)
   end
   return ('`%s(%s)` = %.4g'):format(name, table.concat(texts, ', '), result[1])
end

-- The operations of lib/TH/ops of some families as a table.
local function writeRows(out, wanted)
   out[#out + 1] = 'As functions `torch.f([res,] ...)`, as methods in place `t:f(...)`, or into '
      .. '`res:f(...)`; results have the sizes of x. The last column has what one element becomes.'
   out[#out + 1] = ''
   out[#out + 1] = '| name | family | result | types | example |'
   out[#out + 1] = '| --- | --- | --- | --- | --- |'
   local names = {}
   for name in pairs(methods) do
      local row = rows.row(name)
      if row and wanted(row) then
         names[#names + 1] = name
      end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local row = rows.row(name)
      out[#out + 1] = ('| `%s` | %s | `%s` | %s | %s |'):format(name, (row.family:gsub('_', ' ')),
         (row.formula:gsub('|', '\\|')), row.dtypes:lower(), sample(name, row))
   end
   out[#out + 1] = ''
end

local function isClass(file)
   return class.getmetatable(file.head and file.head.module or '') ~= nil
end

-- optim/first_order/adam.lua has adam and nothing else.
local function isOneFunction(file, entries)
   return #entries == 1 and #file.entries >= 1 and not entries[1].type
      and (entries[1].names[1] or ''):match '[%w_]+$' == file.module:match '[^.]+$'
end

-- What the section of a file is called: a class by its name, anything else by its first sentence,
-- as far as a colon; and whether there is more to say.
local function sectionTitle(file)
   if isClass(file) or file.path:match '/init%.lua$' and not file.module:match '%..*%.' then
      return file.name, true
   end
   local text = table.concat(file.head.text, ' ')
   local title = text:match '^(.-)[.:]%s' or text
   title = markdown.escape((title:gsub('`', ''):gsub('[,. ]+$', '')))
   if #title > 70 or title == '' then
      return file.name, true
   end
   return title, #text > #title + 1
end

-- Docstrings of a file under a heading of their own: a class, or a part of a package.
local function writeSection(page, package, part)
   local file = part.file
   if part.head and isOneFunction(file, part.entries) and not isClass(file) then
      local entry = part.entries[1]
      addHeading(page, '##', titles.of(package, file, entry), entry, part.head)
      markdown.write(page.lines, part.head)
      markdown.write(page.lines, entry)
      return
   end
   if part.head then
      local title, more = sectionTitle(file)
      addHeading(page, '##', title, part.head)
      if more or #part.head.usage + #part.head.example > 0 then
         markdown.write(page.lines, part.head)
      end
      page.classes[#page.classes + 1] = isClass(file) and file.name or nil
   end
   for _, entry in ipairs(part.entries) do
      addHeading(page, '###', titles.of(package, file, entry), entry)
      markdown.write(page.lines, entry)
   end
end

-- Whether a file's head says more than what its page is about.
local function tells(part)
   local file, head = part.file, part.head
   return head and (#part.entries > 0 or #head.usage > 0 or file.path:match '/init%.lua$'
      or isClass(file))
end

-- The names on a page: headings of the second level, or those below one that is no name.
local function links(page)
   local anchors = markdown.anchors(table.concat(page.lines, '\n'))
   local texts, seen, heading, inCode = {}, {}, 0, false
   local deeper = false
   for _, line in ipairs(page.lines) do
      if line:match '^```' then
         inCode = not inCode
      end
      local level, text = line:match '^(#+) (.*)$'
      if level and not inCode then
         heading = heading + 1
         local isName = text:match '`' or class.getmetatable(text)
         deeper = level == '##' and not isName or level ~= '##' and deeper
         local names = (level == '##' or deeper) and isName and text:gsub('%b()', '') or ''
         for name in names:gmatch '[^`, ]+' do
            name = name:match '^%l+%.(.*)$' or name
            if not seen[name] then
               seen[name] = true
               texts[#texts + 1] = ('[%s](#%s)'):format((name:gsub('_', '\\_')), anchors[heading])
            end
         end
      end
   end
   return texts
end

-- What a page is for, then what came from other files, then what only other classes are made of.
local function inOrder(parts)
   local function place(part)
      return rooms.bases[part.file.name] and 3 or part.home and 1 or 2
   end
   local list = {}
   for wanted = 1, 3 do
      for _, part in ipairs(parts) do
         if place(part) == wanted then
            list[#list + 1] = part
         end
      end
   end
   return list
end

--- A page of docstrings.
-- @param package string
-- @param title string
-- @param about string: a line
-- @param parts list of { file, head, home, entries }: docstrings in files; `home` on the page where
-- the file's head goes
-- @return page { lines, subjects, classes }, or nil where nothing is to be said
function M.make(package, title, about, parts)
   parts = inOrder(parts)
   local page = { lines = {}, subjects = {}, classes = {} }
   local flat = package == 'torch'
   addHeading(page, '#', title)
   if about ~= '' then
      table.insert(page.lines, about)
      table.insert(page.lines, '')
   end
   local start = #page.lines
   for _, part in ipairs(parts) do
      local head = part.head
      if head and flat and not isClass(part.file) then
         if rooms.introductions[part.file.module] then
            markdown.write(page.lines, head)
         end
         table.insert(page.subjects[1], head)
         part.head = nil
      elseif head and not tells(part) then
         part.head = nil
      end
   end
   local first = #page.lines
   for _, part in ipairs(parts) do
      if flat and not part.head then
         for _, entry in ipairs(part.entries) do
            addHeading(page, '##', titles.of(package, part.file, entry), entry)
            markdown.write(page.lines, entry)
         end
      else
         writeSection(page, package, part)
      end
   end
   if title:match '^Maths' then
      addHeading(page, '##', 'Generated element-wise operations', 'rows')
      writeRows(page.lines, function(row)
         return row.family ~= 'compare'
      end)
   elseif title == 'Comparison' then
      addHeading(page, '##', 'Generated comparisons', 'compare')
      writeRows(page.lines, function(row)
         return row.family == 'compare'
      end)
   end
   if #page.lines == start then
      return nil
   end
   local texts = links(page)
   if #texts > 2 then
      table.insert(page.lines, first + 1, table.concat(texts, ' · '))
      table.insert(page.lines, first + 2, '')
   end
   return page
end

return M
