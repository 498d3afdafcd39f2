-- What the search field looks in: every heading with the text below it, and every public name.
-- A line is { what to match and show, where, a line about it }.

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

return function(pages, bodies, titles)
   local lines = {}
   local function add(name, where, about)
      lines[#lines + 1] = ('[%s,%s,%s]'):format(quoted(name), quoted(where), quoted(about))
   end
   for _, page in ipairs(pages) do
      local body = bodies[page]
      if page == 'reference/names.html' then
         for where, name, about in body:gmatch
            '<li><a href="([^"]*)"><code>(.-)</code></a>: (.-)</li>' do
            where = 'reference/' .. where:gsub('^%.%./reference/', '')
            add(plain(name), where, cut(plain(about), 100))
         end
      elseif not page:match '^reference/' and not page:match '^repository/.*%.lua' then
         for id, title, rest in (body:gsub('<h%d', '\1%0') .. '\1'):gmatch
            '\1<h%d id="([^"]*)">(.-)</h%d>([^\1]*)' do
            add(plain(title), page .. '#' .. id, titles[page] .. ': ' .. cut(plain(rest), 300))
         end
      elseif page:match '^reference/' then
         add(titles[page], page, 'reference')
      end
   end
   return 'window.searchIndex = [\n' .. table.concat(lines, ',\n') .. '\n];\n'
end
