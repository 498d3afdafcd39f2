-- The tour, typed line by line at the prompt: pages_spec runs its blocks as programs, but somebody
-- who takes it meets the editor, statements that go on on the next line, and values without print.
local pages = require 'test.support.documents.pages'
local terminal = require 'test.support.terminal'
local shell = require 'test.support.shell'

-- Type a line, and wait for the next prompt.
-- @return what the statement showed; nil when it goes on on the next line
local function enter(t, line)
   local from = #t.raw + 1
   t:send(line .. '\r')
   return t:wait(function()
      local screen = t.raw:sub(from)
      if screen:find '%.%.> \27%[0m *\r\27%[%d+C$' then
         return { more = true }
      end
      -- Between the end of the editor's mode and its next beginning.
      local shown = screen:match '\27%[%?2004l(.*)\27%[%?2004h.*th> \27%[0m\r\27%[4C$'
      return shown and { text = shown }
   end, 'a prompt after ' .. line).text
end

-- Without the time at the line's end, colours and carriage returns.
local function plain(text)
   return (text:gsub('\27%[999C\27%[%d+D[^\n]*\n', ''):gsub('\27%[[%d;]*m', ''):gsub('\r', ''))
end

local function trimmed(text)
   return (text:gsub('[ \t]+\n', '\n'):gsub('%s+$', ''):gsub('^\n+', ''))
end

-- Type a block; compare what each `-->` promises.
-- @return what its prints showed, how much was compared
local function type_block(t, block, place)
   local shown, compared = {}, 0
   for _, line in ipairs(block.lines) do
      local text = line:match '%S' and enter(t, line)
      if text then
         text = plain(text)
         local problem = line:match "%-%-> error: '(.*)'$"
         local value = not problem and line:match '%-%-> (.*)$'
         if problem then
            assert.truthy(text:find(problem, 1, true), place .. text)
         elseif value then
            assert.equal(value .. '\n', text, place .. line)
         elseif line:match '^print' then
            shown[#shown + 1] = text
         elseif not line:match '^[%w_:.]+%(' then -- a call shows its value, an assignment nothing
            assert.equal('', text, place .. line)
         end
         compared = compared + ((problem or value) and 1 or 0)
      end
   end
   return table.concat(shown), compared
end

describe('docs/tour.md', function()
   terminal.it('shows at the prompt what it says', function()
      local page = 'docs/tour.md'
      shell.with_folder(function(folder)
         local t = terminal.open(("sh -c 'cd %s && exec %s'"):format(folder,
            os.getenv 'TH_EXECUTABLE'), { environment = 'HOME=' .. folder, columns = 120 })
         t:expect 'th> '
         local compared, typed = 0, 0
         for _, block in ipairs(pages.blocks(page)) do
            if not block.needs and not block.reason then
               local place = ('%s:%d: '):format(page, block.line)
               local shown, count = type_block(t, block, place)
               if block.output then
                  assert.equal(trimmed(table.concat(block.output, '\n') .. '\n'), trimmed(shown),
                     place)
                  count = count + 1
               else
                  assert.equal('', trimmed(shown), place)
               end
               typed, compared = typed + 1, compared + count
            end
         end
         assert.is_true(typed == 12 and compared == 11, ('%d %d'):format(typed, compared))
         -- What the page's first paragraph says of the prompt.
         assert.equal('2\n', plain(enter(t, 'x[{ 1, 2 }]')))
         assert.truthy(plain(enter(t, '? torch.add')):find('torch.add(', 1, true))
         assert.equal('', plain(enter(t, 'x;')))
         t:send '\4' -- Ctrl-D
         assert.equal(0, t:finish())
      end)
   end)
end)
