-- Links and anchors of a site. As a script it prints what is broken:
--
--     luajit docs/site/check.lua FOLDER
local lfs = require 'lfs'

local M = {}

local function htmlFiles(folder, prefix, into)
   for name in lfs.dir(folder) do
      local path = folder .. '/' .. name
      if name:match '%.html$' then
         into[#into + 1] = prefix .. name
      elseif not name:match '^%.' and lfs.attributes(path, 'mode') == 'directory' then
         htmlFiles(path, prefix .. name .. '/', into)
      end
   end
   table.sort(into)
   return into
end

local function read(path)
   local file = assert(io.open(path))
   local text = file:read '*a'
   file:close()
   return text
end

--- a/b/../c -> a/c
function M.normal(path)
   local parts = {}
   for part in path:gmatch '[^/]+' do
      if part == '..' and #parts > 0 and parts[#parts] ~= '..' then
         table.remove(parts)
      elseif part ~= '.' then
         parts[#parts + 1] = part
      end
   end
   return table.concat(parts, '/')
end

-- Where the search leads to, as links of the site's first page.
local function addSearch(folder, targets)
   if not lfs.attributes(folder .. '/search-index.js', 'mode') then
      return
   end
   for line in io.lines(folder .. '/search-index.js') do
      local where = line:match '^%[".-[^\\]","([^"]*)","'
      if where then
         targets[#targets + 1] = { 'search-index.js', where }
      end
   end
end

--- What is broken in a folder of HTML, its search included.
-- @return list of strings; counts: pages, links within the site, external links (not followed)
function M.site(folder)
   local ids, targets, broken = {}, {}, {}
   local counts = { pages = 0, links = 0, external = 0 }
   for _, page in ipairs(htmlFiles(folder, '', {})) do
      local text = read(folder .. '/' .. page)
      counts.pages = counts.pages + 1
      ids[page] = {}
      for id in text:gmatch '%sid="([^"]*)"' do
         if ids[page][id] then
            broken[#broken + 1] = ('%s: the anchor #%s twice'):format(page, id)
         end
         ids[page][id] = true
      end
      for attribute in text:gmatch '<%a+[^>]*>' do
         for _, name in ipairs { 'href', 'src' } do
            local target = attribute:match('%s' .. name .. '="([^"]*)"')
            if target then
               targets[#targets + 1] = { page, target }
            end
         end
      end
   end
   addSearch(folder, targets)
   for _, one in ipairs(targets) do
      local page, target = one[1], one[2]
      if target:match '^%a[%w+.-]*:' then
         counts.external = counts.external + 1
      else
         counts.links = counts.links + 1
         local path, anchor = target:match '^([^#]*)#?(.*)$'
         local at = path == '' and page or M.normal((page:match '^(.*/)' or '') .. path)
         if not lfs.attributes(folder .. '/' .. at, 'mode') then
            broken[#broken + 1] = ('%s: no file %s'):format(page, target)
         elseif anchor ~= '' and not (ids[at] and ids[at][anchor]) then
            broken[#broken + 1] = ('%s: no place %s'):format(page, target)
         end
      end
   end
   return broken, counts
end

if arg and (arg[0] or ''):match 'site/check%.lua$' then
   local broken, counts = M.site(arg[1])
   for _, line in ipairs(broken) do
      print(line)
   end
   print(('%d pages, %d links, %d broken; %d links to elsewhere not followed'):format(counts.pages,
      counts.links, #broken, counts.external))
   os.exit(#broken == 0 and 0 or 1)
end

return M
