local keys = require 'trepl.editor.keys'

-- The keys that chunks of bytes are read as; '' is a moment in which nothing comes.
local function read(...)
   local chunks, at = { ... }, 0
   local next_key = keys.reader(function()
      at = at + 1
      return chunks[at]
   end)
   local found = {}
   while true do
      local name, text = next_key()
      if not name then
         return table.concat(found, ' ')
      end
      found[#found + 1] = text and ('%s=%s'):format(name, text) or name
   end
end

describe('keys', function()
   it('are texts up to the next control', function()
      assert.equal('text=abc enter text=de ctrl-a text=f backspace tab', read 'abc\rde\1f\127\t')
   end)

   it('are sequences of the terminal', function()
      assert.equal('up down right left home end delete home end', read(
         '\27[A\27[B\27[C\27[D\27[H\27[F\27[3~\27OH\27OF'))
      assert.equal('ctrl-left alt-right ctrl-delete backtab unknown', read(
         '\27[1;5D\27[1;3C\27[3;5~\27[Z\27[99~'))
   end)

   it('are sequences that come in pieces', function()
      assert.equal('up text=x', read('\27', '[', 'A', 'x'))
   end)

   it('are Escape when nothing follows', function()
      assert.equal('escape text=b', read('\27', '', 'b'))
      assert.equal('alt-b alt-enter alt-backspace', read '\27b\27\r\27\127')
   end)

   it('are characters of several bytes that come in pieces', function()
      assert.equal('text=ä text=€', read('\195', '\164', '\226\130', '\172'))
   end)

   it('are a paste as one text, its lines ended by newlines, with tabs', function()
      assert.equal('paste=for i = 1, 2 do\n\tprint(i)\nend text=x', read(
         '\27[200~for i = 1, 2 do\r\tpri', 'nt(i)\r\nend\27[2', '01~x'))
   end)

   it('end with the input, in the middle of a paste too', function()
      assert.equal('', read())
      assert.equal('paste=a', read '\27[200~a')
   end)
end)
