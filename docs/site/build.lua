-- The site: luajit docs/site/build.lua FOLDER (docs/build.sh sees to what it needs).
--
-- Every page of docs/, and whatever file of the repository these link to as a page of its own.
local lfs = require 'lfs'

local here = debug.getinfo(1, 'S').source:match '^@(.*)/site/build%.lua$'
local function part(name)
   return dofile(here .. '/site/' .. name .. '.lua')
end
local convert, check, navigation = part 'convert', part 'check', part 'navigation'
local template, search, synonyms = part 'template', part 'search', part 'synonyms'

local out = assert(arg[1], 'usage: luajit docs/site/build.lua FOLDER')
local root = check.normal(here .. '/..')
root = here:match '^/' and '/' .. root or root == '' and '.' or root

local function mode(path)
   return lfs.attributes(path, 'mode')
end

local function makeFolders(path)
   local at = path:match '^/' and '/' or ''
   for name in path:gmatch '([^/]+)/' do
      at = at .. name .. '/'
      lfs.mkdir(at)
   end
end

local function write(name, text)
   local path = out .. '/' .. name
   makeFolders(path)
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
end

-- A file of the repository -> its page: docs/README.md -> index.html, a.lua ->
-- repository/a.lua.html. The reference's index.md is not the folder's first page.
local function pageOf(file)
   local page = file:gsub('%.md$', ''):gsub('index$', 'names'):gsub('README$', 'index') .. '.html'
   return page:match '^docs/(.*)$' or 'repository/' .. page
end

local queue, seen = {}, {}
local function visit(file)
   if not seen[file] then
      seen[file] = true
      queue[#queue + 1] = file
   end
end

local function visitAll(folder)
   for name in lfs.dir(root .. '/' .. folder) do
      local file = folder .. '/' .. name
      if name:match '%.md$' then
         visit(file)
      elseif not name:match '^%.' and mode(root .. '/' .. file) == 'directory' then
         visitAll(file)
      end
   end
end

-- A way from a page to another.
local function between(from, to)
   local up = from:gsub('[^/]+$', ''):gsub('[^/]+/', '../')
   return up .. to
end

local failures = {}

-- A link of a file, as it is in the site; the file that it leads to becomes a page.
local function linker(file)
   return function(target)
      if target:match '^%a[%w+.-]*:' or target:match '^#' then
         return target
      end
      local path, anchor = target:match '^([^#]*)(.*)$'
      local wanted = check.normal((file:match '^(.*/)' or '') .. path)
      local kind = mode(root .. '/' .. wanted)
      if kind == 'directory' and mode(root .. '/' .. wanted .. '/README.md') then
         wanted = wanted .. '/README.md'
      elseif kind ~= 'file' then
         failures[#failures + 1] = ('%s: nothing at %s'):format(file, target)
         return target
      end
      if wanted:match '%.svg$' or wanted:match '%.png$' then
         local picture = assert(io.open(root .. '/' .. wanted, 'rb'))
         write(wanted:match '^docs/(.*)$' or wanted, picture:read '*a')
         picture:close()
         return between(pageOf(file), wanted:match '^docs/(.*)$' or wanted)
      end
      visit(wanted)
      return between(pageOf(file), pageOf(wanted)) .. anchor
   end
end

visitAll 'docs'
local bodies, titles = {}, {}
local i = 0
while i < #queue do
   i = i + 1
   local file = queue[i]
   local page = pageOf(file)
   bodies[page] = file:match '%.md$' and convert.page(root .. '/' .. file, linker(file))
      or convert.source(root .. '/' .. file, file)
   titles[page] = convert.text(bodies[page]:match '<h1[^>]*>(.-)<a class="here"'
      or bodies[page]:match '<h1[^>]*>(.-)</h1>' or file)
end

local groups = {}
for _, group in ipairs(navigation) do
   local links = {}
   for k = 2, #group do
      local page = pageOf('docs/' .. group[k] .. '.md')
      if bodies[page] then
         links[#links + 1] = { page, titles[page] }
      else
         failures[#failures + 1] = 'navigation.lua: no page docs/' .. group[k] .. '.md'
      end
   end
   groups[#groups + 1] = { group[1], links }
end

local pages = {}
for page in pairs(bodies) do
   pages[#pages + 1] = page
end
table.sort(pages)

-- A page of the reference stands among those of its room.
local function room(page)
   local folder = page:match '^reference/%w+/'
   local list = folder and { { 'reference/index.html', titles['reference/index.html'] } } or {}
   for name in bodies['reference/index.html']:gmatch '<li><a href="([^"]*)"' do -- in its order
      local other = check.normal('reference/' .. name)
      if folder and other:sub(1, #folder) == folder then
         list[#list + 1] = { other, titles[other] }
      end
   end
   return list
end

for _, page in ipairs(pages) do
   write(page, template(page, titles[page], bodies[page], groups, between, room(page)))
end
local index, unknown = search(pages, bodies, titles, synonyms)
write('search-index.js', index)
for _, name in ipairs(unknown) do
   failures[#failures + 1] = 'synonyms.lua: nothing in the search is called ' .. name
end

for _, name in ipairs { 'site.css', 'rank.js', 'search.js' } do
   local file = assert(io.open(('%s/site/%s'):format(here, name)))
   write(name, file:read '*a')
   file:close()
end

local broken, counts = check.site(out)
for _, list in ipairs { failures, broken } do
   for _, line in ipairs(list) do
      print(line)
   end
end
local wrong = #failures + #broken
print(('%s: %d pages, %d links, %d broken; %d links to elsewhere not followed'):format(out,
   counts.pages, counts.links, wrong, counts.external))
os.exit(wrong == 0 and 0 or 1)
