-- What the search field looks in: every heading with the text below it, every public name, and each
-- row of the table of PyTorch's names. A line is { name, where, a line about it, other names, words of
-- the text behind that line }: the first and the third are shown, the rest is only looked in.

-- So much of the text below a heading is looked in, behind what is shown of it.
local DEPTH = 2000

local function quoted(text)
   return '"' .. text:gsub('[\\"]', '\\%0'):gsub('%c', ' '):gsub('</', '<\\/') .. '"'
end

local entities = { lt = '<', gt = '>', amp = '&', quot = '"' }
local function plain(html)
   local text = html:gsub('<a class="here".-</a>', ''):gsub('<[^>]*>', ''):gsub('&(%a+);', entities)
   return (text:gsub('%s+', ' '):gsub('^ ', ''):gsub(' $', ''))
end

-- Not in the middle of a character.
local function cut(text, length)
   if #text <= length then
      return text
   end
   return (text:sub(1, length):gsub('[\192-\255][\128-\191]*$', '')) .. ' ...'
end

-- The words of a text, each once, without those that are shown already.
local function words(text, shown)
   local list, seen = {}, {}
   for word in shown:gmatch '[%w_]+' do
      seen[word:lower()] = true
   end
   for word in text:gmatch '%a[%w_]+' do
      if not seen[word:lower()] then
         seen[word:lower()] = true
         list[#list + 1] = word
      end
   end
   return table.concat(list, ' ')
end

-- A heading of a page that people read, with what is below it.
local function addSections(add, page, body, title)
   for id, heading, rest in (body:gsub('<h%d', '\1%0') .. '\1'):gmatch
      '\1<h%d id="([^"]*)">(.-)</h%d>([^\1]*)' do
      local text = plain(rest)
      local shown = cut(text, 300)
      add(plain(heading), page .. '#' .. id, title .. ': ' .. shown,
         words(text:sub(1, DEPTH), shown .. ' ' .. title))
   end
end

-- | PyTorch | here |: the left side is the name, the right one is shown.
local function addEquivalents(add, page, body, title)
   for id, rest in (body:gsub('<h%d', '\1%0') .. '\1'):gmatch '\1<h%d id="([^"]*)">([^\1]*)' do
      for left, right in rest:gmatch '<tr>%s*<td>(.-)</td>%s*<td>(.-)</td>%s*</tr>' do
         add(plain(left), page .. '#' .. id, title .. ': ' .. plain(right))
      end
   end
end

-- * name: a line about it. That line may be empty.
local function addNames(add, body)
   for item in body:gmatch '<li>(.-)</li>' do
      local where, name, about = item:match '^<a href="([^"]*)"><code>(.-)</code></a>:(.*)$'
      if where then
         where = 'reference/' .. where:gsub('^%.%./reference/', '')
         add(plain(name), where, cut(plain(about), 160))
      end
   end
end

--- The index as a script.
-- @param pages list of their paths in the site
-- @param bodies page -> HTML
-- @param titles page -> text
-- @param synonyms name or place of an entry -> what else people call it
-- @return text; list of synonyms' names that no entry has
return function(pages, bodies, titles, synonyms)
   local lines, used = {}, {}
   local function add(name, where, about, more)
      used[name], used[where] = true, true
      local line = { name, where, about, synonyms[name] or synonyms[where] or '', more or '' }
      while line[#line] == '' do
         line[#line] = nil
      end
      for i, text in ipairs(line) do
         line[i] = quoted(text)
      end
      for i = #line + 1, 3 do -- a page may have nothing but a title
         line[i] = '""'
      end
      lines[#lines + 1] = '[' .. table.concat(line, ',') .. ']'
   end
   for _, page in ipairs(pages) do
      local body, title = bodies[page], titles[page]
      if page == 'reference/names.html' then
         addNames(add, body)
      elseif page:match '^reference/' then
         add(title, page, 'Reference: ' .. plain(body:match '</h1>%s*<p>(.-)</p>' or ''))
      elseif not page:match '^repository/.*%.lua' then
         addSections(add, page, body, title)
         if page == 'from_pytorch.html' then
            addEquivalents(add, page, body, title)
         end
      end
   end
   local unknown = {}
   for name in pairs(synonyms) do
      unknown[#unknown + 1] = not used[name] and name or nil
   end
   table.sort(unknown)
   return 'window.searchIndex = [\n' .. table.concat(lines, ',\n') .. '\n];\n', unknown
end
