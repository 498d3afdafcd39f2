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

-- A docstring in Markdown: its text is that already, parameters become a list.
function M.write(out, entry)
   local shift = '' -- four spaces make a block of code, docstrings may have three
   for i, line in ipairs(entry.text) do
      if (entry.text[i - 1] or '') == '' then
         shift = line:match '^   %S' and ' ' or ''
      end
      out[#out + 1] = (line == '' and '' or shift) .. line
   end
   writeCode(out, entry.usage)
   if #entry.params + #entry.returns + #entry.raises > 0 then
      out[#out + 1] = ''
   end
   for _, p in ipairs(entry.params) do
      out[#out + 1] = ('* `%s`: %s'):format(p.name, p.text)
   end
   for _, text in ipairs(entry.returns) do
      out[#out + 1] = '* returns ' .. text
   end
   for _, text in ipairs(entry.raises) do
      out[#out + 1] = '* raises ' .. text
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
