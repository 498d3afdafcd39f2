-- A page around its body: search, margin, the text.

local frame = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="stylesheet" href="%s">
</head>
<body>
<header>
<a class="home" href="%s">LuaTorch</a>
<div class="search">
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off">
<ol id="found" hidden></ol>
</div>
</header>
<div class="columns">
<nav>
<details id="menu" open><summary>Contents</summary>
%s</details>
</nav>
<main>
%s%s</main>
</div>
<script>window.siteRoot = "%s";</script>
<script src="%s" defer></script>
<script src="%s" defer></script>
</body>
</html>
]]

local function escape(text)
   return (text:gsub('[&<>]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;' }))
end

--- The whole page.
-- @param page its path in the site
-- @param title text
-- @param body HTML
-- @param groups list of { title, list of { page, title } }
-- @param between function: page, file -> link
-- @param room list of { page, title }: what stands beside a page of the reference
return function(page, title, body, groups, between, room)
   local margin = {}
   for _, group in ipairs(groups) do
      margin[#margin + 1] = ('<h2>%s</h2>\n<ul>'):format(group[1])
      for _, link in ipairs(group[2]) do
         local here = link[1] == page or #room > 0 and link[1] == room[1][1]
         margin[#margin + 1] = ('<li><a href="%s"%s>%s</a></li>'):format(between(page, link[1]),
            here and ' aria-current="page"' or '', escape(link[2]))
      end
      margin[#margin + 1] = '</ul>\n'
   end
   local beside = {}
   for i, link in ipairs(room) do
      beside[i] = link[1] == page and ('<b>%s</b>'):format(escape(link[2]))
         or ('<a href="%s">%s</a>'):format(between(page, link[1]), escape(link[2]))
   end
   local top = #beside > 0 and '<p class="room">' .. table.concat(beside, ' · ') .. '</p>\n' or ''
   local full = title == 'LuaTorch' and title or escape(title) .. ' - LuaTorch'
   return frame:format(full, between(page, 'site.css'), between(page, 'index.html'),
      table.concat(margin, '\n'), top, body, between(page, ''), between(page, 'rank.js'),
      between(page, 'search.js'))
end
