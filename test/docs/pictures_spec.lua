-- The pictures of the documents, and the screen that those of the prompt are made of.
local paths = require 'paths'
local shell = require 'test.support.shell'
local screens = dofile 'docs/pictures/screen.lua'

local function written(text, columns)
   local screen = screens.new(columns or 10)
   screen:write(text)
   return screen
end

describe('docs/pictures/screen.lua', function()
   it('puts letters where a terminal does', function()
      assert.equal('ab\n  cd', written('ab\n\27[0mcd'):text())
      assert.equal('xb\ny', written('ab\rx\r\ny'):text())
      assert.equal('a   b', written('a\27[3Cb'):text())
      assert.equal('cbd', written('ab\27[9D\27[1mc\27[999C\27[7Dd'):text())
      assert.equal('a', written('abc\27[2D\27[K'):text())
      assert.equal('a', written('abc\r\ndef\27[A\r\27[C\27[J'):text())
      assert.equal('a       b', written 'a\tb':text())
      assert.equal('abcd\ne', written('abcde', 4):text())
      assert.equal('é±', written '\27[?2004hé\27_Gi=31;AAAA\27\\±':text())
   end)

   it('draws what letters look like', function()
      local svg = written '\27[1ma<\27[0;34mb   c\27[38;2;1;2;255md':svg('A & B', error)
      assert.truthy(svg:find('<text x="12" y="25" textLength="16" font-weight="bold">a&lt;</text>',
         1, true), svg)
      assert.truthy(svg:find('<text x="28" y="25" textLength="8" fill="#61afef">b</text>', 1, true))
      assert.truthy(svg:find('<text x="60" y="25" textLength="8" fill="#61afef">c</text>', 1, true))
      assert.truthy(svg:find('<text x="68" y="25" textLength="8" fill="#0102ff">d</text>', 1, true))
   end)

   it('draws half blocks as a picture of pixels', function()
      local x
      local half = '\226\150\128'
      written('\n \27[38;2;1;2;3;48;5;231m' .. half .. '\27[49m' .. half):svg('', function(picture)
         x = picture
         return ''
      end)
      assert.same({ 3, 2, 3 }, x:size():totable())
      assert.same({ { 0, 1, 1 }, { 0, 255, 0x1f } }, x[1]:totable())
      assert.same({ { 0, 3, 3 }, { 0, 255, 0x30 } }, x[3]:totable())
   end)
end)

describe('docs/pictures', function()
   it('are small, and each is on a page', function()
      local pages = shell.run 'cat docs/*.md docs/guides/*.md'
      local count = 0
      for name in paths.files('docs/pictures', '%.svg$') do
         local text = shell.read('docs/pictures/' .. name)
         assert.is_true(#text < 60000, name)
         assert.truthy(pages:find('pictures/' .. name, 1, true), name)
         count = count + 1
      end
      assert.equal(7, count)
   end)
end)
