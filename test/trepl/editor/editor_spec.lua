local editor = require 'trepl.editor'
local choices = require 'trepl.editor.choices'

-- What is read when these keys come: names, or { 'text', 'typed' }.
local function read(keys, options)
   options = options or {}
   local at, shown = 0, {}
   options.prompt, options.continued = 'th> ', '..> '
   options.terminal = {
      write = function(text)
         shown[#shown + 1] = text
      end,
      size = function()
         return 80, 24
      end,
      begin = function() end, finish = function() end,
      next_key = function()
         at = at + 1
         local key = keys[at]
         if type(key) == 'table' then
            return key[1], key[2]
         end
         return key and key:match '^<(.*)>$' or key and 'text', key
      end,
   }
   local text, why = editor.read(options)
   return text, why, table.concat(shown)
end

local function why(...)
   local text, reason = read(...)
   assert.is_nil(text)
   return reason
end

local function is_complete(text)
   return select(2, text:gsub('do', '')) == select(2, text:gsub('end', ''))
end

describe('the editor', function()
   it('reads what is typed, with corrections', function()
      assert.equal('1 + 2', (read { '1 + 3', '<backspace>', '2', '<enter>' }))
      assert.equal('abc', (read { 'bc', '<home>', 'a', '<enter>' }))
      assert.equal('ac', (read { 'abc', '<left>', '<backspace>', '<enter>' }))
      assert.equal('bar', (read { 'bar foo', '<ctrl-w>', '<backspace>', '<enter>' }))
   end)

   it('ends with the input, and at Ctrl-D when nothing is typed', function()
      assert.equal('end', why {})
      assert.equal('end', why { '<ctrl-d>' })
      assert.equal('b', (read { 'ab', '<home>', '<ctrl-d>', '<enter>' }))
   end)

   it('drops what is typed at Ctrl-C, an unfinished statement too', function()
      assert.equal('dropped', why { 'x = ', '<ctrl-c>' })
      assert.equal('dropped', why({ 'do', '<enter>', 'x', '<ctrl-c>' },
         { is_complete = is_complete }))
   end)

   it('goes on in a new line until the statement is complete, and indents it', function()
      assert.equal('do\n   x()\nend', (read({ 'do', '<enter>', 'x()', '<enter>', 'end', '<enter>' },
         { is_complete = is_complete })))
   end)

   it('edits lines above, and ends only in the last', function()
      local options = { is_complete = is_complete }
      assert.equal('do\n   y()\n\nend', (read({ 'do', '<enter>', 'x()', '<enter>', 'end', '<up>',
         '<end>', '<backspace>', '<backspace>', '<backspace>', 'y()', '<enter>', '<backspace>',
         '<down>', '<enter>' }, options)))
   end)

   it('gives up a statement after two empty lines', function()
      assert.equal('do\n   \n   ', (read({ 'do', '<enter>', '<enter>', '<enter>' },
         { is_complete = is_complete })))
   end)

   it('takes a paste as it is', function()
      assert.equal('do\n\tx\nend', (read({ { 'paste', 'do\n\tx\nend\n' }, '<enter>' },
         { is_complete = is_complete })))
   end)

   it('walks through the history, by what was typed', function()
      local history = { 'x = 1', 'y = 2', 'x = 3', 'do\nend' }
      local options = { history = history }
      assert.equal('do\nend', (read({ '<up>', '<enter>' }, options)))
      assert.equal('x = 3', (read({ '<up>', '<up>', '<up>', '<enter>' }, options)))
      assert.equal('x = 1', (read({ 'x', '<up>', '<up>', '<enter>' }, options)))
      assert.equal('x = 3', (read({ 'x', '<up>', '<up>', '<down>', '<enter>' }, options)))
      assert.equal('xy', (read({ 'x', '<up>', '<down>', 'y', '<enter>' }, options)))
      assert.equal('z', (read({ 'z', '<up>', '<enter>' }, options)))
   end)

   it('searches the history', function()
      local options = { history = { 'alpha()', 'beta()', 'alphabet()' } }
      assert.equal('alphabet()', (read({ '<ctrl-r>', 'alp', '<enter>' }, options)))
      assert.equal('alpha()', (read({ '<ctrl-r>', 'alp', '<ctrl-r>', '<enter>' }, options)))
      assert.equal('keep', (read({ 'keep', '<ctrl-r>', 'zzz', '<ctrl-g>', '<enter>' }, options)))
   end)

   it('completes, and shows the choices at the second Tab', function()
      local options = {
         complete = function(text)
            assert.equal('x.na', text:sub(1, 4))
            return 3, text == 'x.na' and { 'narrow', 'nArrow', 'name' }
               or text == 'x.nar' and { 'narrow', 'narrowCopy' } or {}
         end,
      }
      assert.equal('x.na', (read({ 'x.na', '<tab>', '<enter>' }, options)))
      assert.equal('x.narrow', (read({ 'x.nar', '<tab>', '<enter>' }, options)))
      local _, _, once = read({ 'x.na', '<tab>', '<enter>' }, options)
      local _, _, twice = read({ 'x.na', '<tab>', '<tab>', '<enter>' }, options)
      assert.is_nil(once:find 'nArrow')
      assert.truthy(twice:find 'narrow%s+nArrow%s+name')
   end)

   it('indents with Tab at the beginning of a line', function()
      assert.equal('   x', (read({ '<tab>', 'x', '<enter>' }, { complete = error })))
   end)
end)

describe('the editor and its keys', function()
   local keys = require 'trepl.editor.keys'

   it('survive whatever bytes come, on any terminal', function()
      math.randomseed(33)
      local pieces = {
         '\27', '[', 'O', '~', ';', '5', '\r', '\t', '\3', '\18', '\127', 'end', 'do', '\195',
         '\164', '\226\130\172',
         '\27[A', '\27[B', '\27[D', '\27[C', '\27[H', '\27[200~', '\27[201~',
         '\25', '\11', '\21', '\23', '\20', '(', '"', 'x:', '\0', '\255', '\27b', '\27d',
      }
      local ends = {}
      for round = 1, 300 do
         local left = 60
         local next_key = keys.reader(function()
            left = left - 1
            return left > 0 and pieces[math.random(#pieces)] or nil
         end)
         local columns = math.random(2, 30)
         local _, reason = editor.read {
            prompt = 'th> ', continued = '..> ', history = { 'one', 'two\nlines', 'äöü' },
            is_complete = is_complete, complete = require('trepl.complete').complete,
            terminal = {
               write = function() end, begin = function() end, finish = function() end,
               size = function()
                  return columns, math.random(2, 10)
               end,
               next_key = next_key, suspend = function() end,
            },
         }
         ends[reason or 'done'] = round
      end
      assert.is_true(ends.done and ends.dropped and ends['end'] and true)
   end)
end)

describe('choices', function()
   it('have a common beginning', function()
      assert.equal('ab', choices.common { 'abc', 'abd', 'ab' })
      assert.equal('', choices.common {})
   end)

   it('stand in columns, without what all share', function()
      assert.equal('a  c\nb', choices.table({ 'x/a', 'x/b', 'x/c' }, 6))
   end)

   it('are counted where they are too many', function()
      local list = {}
      for i = 1, 150 do
         list[i] = ('n%03d'):format(i)
      end
      assert.truthy(choices.table(list, 80):find 'and 30 more$')
   end)
end)
