-- Markdown as HTML: cmark-gfm does it; headings get the anchors that GitHub gives them, links to
-- Markdown become links to HTML, Lua gets colours.
local here = debug.getinfo(1, 'S').source:match '^@(.*/)' or ''
local markdown = dofile(here .. '../generator/markdown.lua')
local highlight = dofile(here .. 'highlight.lua')

local M = {}

local entities = { lt = '<', gt = '>', amp = '&', quot = '"' }

--- HTML as text.
function M.text(html)
   return (html:gsub('<[^>]*>', ''):gsub('&(%a+);', entities))
end

--- Text as HTML.
function M.escape(text)
   local names = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }
   return (text:gsub('[&<>"]', names))
end

local function withAnchors(html)
   local seen = {}
   return (html:gsub('<h(%d)>(.-)</h%d>', function(level, title)
      local anchor = markdown.slug(M.text(title))
      local count = seen[anchor]
      seen[anchor] = (count or 0) + 1
      anchor = count and anchor .. '-' .. count or anchor
      return ('<h%s id="%s">%s<a class="here" href="#%s" aria-label="link">#</a></h%s>'):format(
         level, anchor, title, anchor, level)
   end))
end

--- A page.
-- @param path of a Markdown file
-- @param link function: a link's target as written -> as it is in the site
-- @return HTML of its body
function M.page(path, link)
   local pipe = assert(io.popen(("cmark-gfm -e table -e autolink '%s'"):format(path)))
   local html = pipe:read '*a'
   assert(pipe:close() and html ~= '', 'cmark-gfm gave nothing for ' .. path)
   html = html:gsub('(<%a+ [^>]-)(%f[%w]%a+)="([^"]*)"', function(before, name, target)
      if name == 'href' or name == 'src' then
         target = M.escape(link(M.text(target)))
      end
      return ('%s%s="%s"'):format(before, name, target)
   end)
   html = html:gsub('(<pre><code class="language%-lua">)(.-)(</code></pre>)', function(a, code, b)
      return a .. highlight(code) .. b
   end)
   html = html:gsub('<table>', '<div class="wide"><table>'):gsub('</table>', '</table></div>')
   return withAnchors(html)
end

--- A source file as a page's body.
function M.source(path, title)
   local file = assert(io.open(path))
   local text = M.escape(file:read '*a')
   file:close()
   if path:match '%.lua$' then
      text = highlight(text)
   end
   return ('<h1 id="file">%s</h1>\n<pre><code>%s</code></pre>\n'):format(M.escape(title), text)
end

return M
