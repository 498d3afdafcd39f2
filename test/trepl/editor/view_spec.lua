local Buffer = require 'trepl.editor.buffer'
local View = require 'trepl.editor.view'
local width = require 'trepl.editor.width'

-- The screen after texts were written to it: rows without blanks at their ends, the cursor's place.
-- It knows what the view uses: moves, clearing to the end, and rows that are full.
local function screen(columns)
   local rows, row, column = { [0] = {} }, 0, 0
   local self = {}
   function self.write(text)
      text = text:gsub('\27%[%d*m', '')
      local at = 1
      while at <= #text do
         local count, letter, after = text:match('^\27%[(%d*)(%a)()', at)
         count = tonumber(count)
         if letter then
            if letter == 'A' then
               row = row - count
            elseif letter == 'B' then
               row = row + count
            elseif letter == 'C' then
               column = column + count
            elseif letter == 'J' or letter == 'K' then
               for c = column, columns do
                  rows[row][c] = nil
               end
               for r = row + 1, letter == 'J' and #rows or row do
                  rows[r] = {}
               end
            end
            at = after
         else
            local c = width.character(text, at)
            at = at + #c
            if c == '\r' then
               column = 0
            elseif c == '\n' then
               row = row + 1
               rows[row] = rows[row] or {}
            else
               assert(column < columns, 'wrote beyond the edge')
               rows[row][column] = c
               column = column + select(2, width.shown(c))
            end
         end
      end
   end
   function self.text()
      local texts = {}
      for r = 0, #rows do
         local cells, c = {}, 0
         while c < columns do
            cells[#cells + 1] = rows[r][c] or ' '
            c = c + math.max(1, select(2, width.shown(cells[#cells])))
         end
         texts[#texts + 1] = (table.concat(cells):gsub('%s+$', ''))
      end
      return (table.concat(texts, '\n'):gsub('\n+$', '')), row, column
   end
   return self
end

local function drawn(text, columns, rows, at)
   local s = screen(columns)
   local view = View.new(s.write, function()
      return columns, rows or 24
   end)
   local buffer = Buffer.new()
   for i = 1, #text do -- as it is typed
      buffer:set(text:sub(1, i))
      view:draw(buffer, 'th> ', '..> ')
   end
   buffer:set(text, at)
   view:draw(buffer, 'th> ', '..> ')
   return { s.text() }, view, s
end

describe('the view', function()
   it('draws prompts and lines, the cursor in its place', function()
      assert.same({ 'th> for\n..>   x', 1, 7 }, (drawn('for\n  x', 40)))
      assert.same({ 'th> for\n..>   x', 0, 5 }, (drawn('for\n  x', 40, 24, 2)))
   end)

   it('cuts lines at the edge', function()
      assert.same({ 'th> ab\ncdefgh\ni', 2, 1 }, (drawn('abcdefghi', 6)))
      assert.same({ 'th> ab', 1, 0 }, (drawn('ab', 6))) -- a full row: the cursor is in the next
   end)

   it('goes back up before it draws anew', function()
      local now, view, s = drawn('abcdefghi', 6)
      assert.same('th> ab\ncdefgh\ni', now[1])
      view:draw(Buffer.new 'x', 'th> ', '..> ')
      assert.same({ 'th> x', 0, 5 }, { s.text() })
   end)

   it('counts wide characters and those of no width', function()
      assert.same({ 'th> 日本', 0, 8 }, (drawn('日本', 10)))
      assert.same({ 'th> 日\n本', 1, 2 }, (drawn('日本', 7)))
      assert.equal(1, width.columns 'e\204\129')
      assert.equal(5, width.columns '\1\tx' - 1)
   end)

   it('has a place for a cursor within a character, and for bytes that are none', function()
      assert.same({ 'th> ä', 0, 5 }, (drawn('ä', 20, 24, 2)))
      assert.same({ 'th> ?x', 0, 5 }, (drawn('\164x', 20, 24, 2)))
      assert.equal(1, width.previous('ä', 3))
      assert.equal(3, width.previous('ä\164', 4))
   end)

   it('shows the part around the cursor of what is higher than the terminal', function()
      local text = ('x\n'):rep(30) .. 'end'
      local s = screen(20)
      local view = View.new(s.write, function()
         return 20, 5
      end)
      view:draw(Buffer.new(text), 'th> ', '..> ')
      local shown = s.text()
      assert.equal('..> x\n..> x\n..> x\n..> end', shown)
   end)

   it('draws on a terminal that is narrower than the prompt', function()
      assert.same({ 'ab\nc', 1, 1 }, (drawn('abc', 2)))
   end)

   it('leaves what is drawn above', function()
      local _, view, s = drawn('a\nb', 20, 24, 1)
      view:leave()
      s.write 'out'
      assert.equal('th> a\n..> b\nout', (s.text()))
   end)
end)
