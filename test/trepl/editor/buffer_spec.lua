local Buffer = require 'trepl.editor.buffer'

-- A text with '|' for the cursor, after the methods were called.
local function after(text, ...)
   local at = assert(text:find('|', 1, true))
   local buffer = Buffer.new()
   buffer:set((text:gsub('|', '')), at)
   for _, call in ipairs { ... } do
      buffer[call[1]](buffer, unpack(call, 2))
   end
   return buffer.text:sub(1, buffer.at - 1) .. '|' .. buffer.text:sub(buffer.at)
end

describe('the buffer', function()
   it('takes text at the cursor', function()
      assert.equal('axy|b', after('a|b', { 'insert', 'xy' }))
   end)

   it('moves by characters, whatever their bytes', function()
      assert.equal('|äb', after('ä|b', { 'move', 'left' }))
      assert.equal('aä|', after('a|ä', { 'move', 'right' }))
      assert.equal('|a', after('|a', { 'move', 'left' }))
      assert.equal('a|', after('a|', { 'move', 'right' }))
   end)

   it('moves by words', function()
      assert.equal('foo.|bar ', after('foo.bar |', { 'move', 'word_left' }))
      assert.equal('foo|.bar', after('|foo.bar', { 'move', 'word_right' }))
      assert.equal('|  ', after('  |', { 'move', 'word_left' }))
   end)

   it('moves within its line', function()
      assert.equal('a\n|bc\nd', after('a\nbc|\nd', { 'move', 'line_start' }))
      assert.equal('a\nbc|\nd', after('a\n|bc\nd', { 'move', 'line_end' }))
   end)

   it('moves from line to line, keeping the column where it can', function()
      assert.equal('ab|\nabcd', after('ab\nabc|d', { 'move_line', -1 }))
      assert.equal('abcd\nab|', after('abc|d\nab', { 'move_line', 1 }))
      assert.equal('ä|\nab', after('ä\na|b', { 'move_line', -1 }, { 'move', 'right' }))
      assert.is_false(Buffer.new('one'):move_line(-1))
      assert.is_false(Buffer.new('one'):move_line(1))
   end)

   it('kills and puts back', function()
      assert.equal('a|\nc', after('a|b\nc', { 'kill', 'line_end' }))
      assert.equal('a|c', after('a|\nc', { 'kill', 'line_end' }))
      assert.equal('x = |', after('x = |foo', { 'kill', 'word_right' }))
      assert.equal('foo |', after('foo bar|', { 'kill', 'word_left' }))
      assert.equal('bar|foo ', after('foo bar|', { 'kill', 'word_left' }, { 'move', 'line_start' },
         { 'yank' }))
   end)

   it('removes what lies before, around and after the cursor', function()
      assert.equal('a|d', after('abc|d', { 'remove', 2, 3 }))
      assert.equal('a|d', after('ab|cd', { 'remove', 2, 3 }))
      assert.equal('a|b', after('a|bcd', { 'remove', 3, 4 }))
   end)

   it('exchanges characters', function()
      assert.equal('ba|', after('ab|', { 'transpose' }))
      assert.equal('äa|c', after('a|äc', { 'transpose' }))
      assert.equal('|ab', after('|ab', { 'transpose' }))
   end)

   it('knows its first and last line', function()
      local buffer = Buffer.new 'a\nb'
      assert.is_true(buffer:is_last_line())
      assert.is_false(buffer:is_first_line())
      buffer:move_line(-1)
      assert.is_true(buffer:is_first_line())
   end)
end)
