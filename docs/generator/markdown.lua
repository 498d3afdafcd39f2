-- Docstrings in Markdown.
local M = {}

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

-- Formulas are text to Markdown: a*b*c would be emphasis, <unk> a tag of HTML. A star between blanks
-- is neither, nor is one that begins a point of a list.
local function escapeProse(text)
   return (text:gsub('()([*<])()', function(from, mark, to)
      local before, after = text:sub(from - 1, from - 1), text:sub(to, to)
      local alone = before:match '^%s?$' and after:match '^%s' -- ^ text begins with it
      local means = mark == '*' and not alone or mark == '<' and after:match '[%a/!?]'
      return means and '\\' .. mark or mark
   end))
end

--- A paragraph whose stars and angle brackets mean themselves, but for those in `code`.
-- @string text
-- @treturn string
function M.escape(text)
   local out, at = {}, 1
   repeat
      local from, to = text:find('`[^`]+`', at)
      out[#out + 1] = escapeProse(text:sub(at, (from or 0) - 1))
      out[#out + 1] = from and text:sub(from, to)
      at = to and to + 1
   until not at
   return table.concat(out)
end

-- The text of a docstring, which is Markdown already. Indented by four blanks it is code, so are the
-- three that docstrings may have.
local function writeText(out, lines)
   local i = 1
   while i <= #lines do
      local first = i
      while i < #lines and lines[i + 1] ~= '' do
         i = i + 1
      end
      local paragraph = table.concat(lines, '\n', first, i)
      local shift = paragraph:match '^   %S' and ' ' or ''
      paragraph = shift .. paragraph:gsub('\n', '\n' .. shift)
      if not paragraph:match '^    ' then
         paragraph = M.escape(paragraph)
      end
      for line in paragraph:gmatch '[^\n]+' do
         out[#out + 1] = line
      end
      out[#out + 1] = lines[i + 1]
      i = i + 2
   end
end

-- A docstring in Markdown: parameters become a list.
function M.write(out, entry)
   writeText(out, entry.text)
   writeCode(out, entry.usage)
   if #entry.params + #entry.returns + #entry.raises > 0 then
      out[#out + 1] = ''
   end
   for _, p in ipairs(entry.params) do
      out[#out + 1] = ('* `%s`: %s'):format(p.name, M.escape(p.text))
   end
   for _, text in ipairs(entry.returns) do
      out[#out + 1] = '* returns ' .. M.escape(text)
   end
   for _, text in ipairs(entry.raises) do
      out[#out + 1] = '* raises ' .. M.escape(text)
   end
   writeCode(out, entry.example)
   out[#out + 1] = ''
end

-- --- links --------------------------------------------------------------------------------------

--- The anchor that GitHub gives a heading: letters, digits, '-' and '_', blanks as '-'.
function M.slug(heading)
   return (heading:lower():gsub('[^%w%-_ \128-\255]', ''):gsub(' ', '-'))
end

--- The anchors of a page's headings, in order; of equal ones, the later get a number.
-- @string text of the page
-- @return list of strings
function M.anchors(text)
   local anchors, seen, inCode = {}, {}, false
   for line in text:gmatch '[^\n]+' do
      if line:match '^```' then
         inCode = not inCode
      end
      local heading = not inCode and line:match '^#+ (.*)$'
      if heading then
         local name = M.slug(heading)
         anchors[#anchors + 1] = seen[name] and name .. '-' .. seen[name] or name
         seen[name] = (seen[name] or 0) + 1
      end
   end
   return anchors
end

return M
