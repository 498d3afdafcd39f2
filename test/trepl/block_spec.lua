local block = require 'trepl.block'

-- What a block shows: a list of { line, silent, values... }.
local function shown(source)
   local list = {}
   local chunk = assert(block.compile(source))
   chunk(function(line, silent, ...)
      list[#list + 1] = { line, silent, ... }
   end)
   return list
end

describe('lines that are pasted', function()
   it('are statements, and expressions whose values are shown in their order', function()
      local list = shown [[
local x = { 4, 5 }
x[1] --> 4

-- of two
#x, x[2] --> 2, 5
for i = 1, 2 do
   x[i] = i
end
x[2]
math.max(7, 8)]]
      assert.same({
         { 'x[1] --> 4', false, 4 }, { '#x, x[2] --> 2, 5', false, 2, 5 }, { 'x[2]', false, 2 },
         { 'math.max(7, 8)', false, 8 },
      }, list)
   end)

   it('may go on where the one above could end', function()
      local list = shown [[
local text = ('a')
   :rep(2)
   :upper()
text
   .. 'b'
1
   + 2
   - 4
true
   and 5]]
      assert.same({ { 'text', false, 'AAb' }, { '1', false, -1 }, { 'true', false, 5 } }, list)
   end)

   it('may go on behind a comment or an empty line', function()
      assert.same({ { 'x', false, 7 }, { '1', false, 3 } }, shown [[
local x = 2
   -- and
   + 5
x
1

   + 2]])
   end)

   it('have strings, long brackets, labels and every kind of block', function()
      local list = shown [==[
local n, t = 0, {}
for i = 1, 3 do
   if i == 1 then
      goto continue
   elseif i == 2 then
      n = n + 1
   else
      repeat n = n + 10 until n > 20
   end
   ::continue::
end
while n > 100 do n = n - 1 end
t.f = function(x) if x then return x end end
"end do (" .. [[
then ]] --> text
--[[ 1
2 ]]
t.f(n)
'a\'b'
#{ 1,
2 }]==]
      assert.same({ 'end do (then ', 21, "a'b", 2 }, { list[1][3], list[2][3], list[3][3],
         list[4][3] })
      assert.equal(4, #list)
   end)

   it('take time by their length, and no more', function()
      local lines = { 't = {' }
      for i = 1, 4000 do
         lines[i + 1] = ('  { name = "abc%d", value = %d },'):format(i, i)
      end
      lines[#lines + 1] = '}\n#t --> 4000'
      local started = os.clock()
      assert.equal(4000, shown(table.concat(lines, '\n'))[1][3])
      assert.is_true(os.clock() - started < 5) -- minutes, were the text compiled at each line
      _G.t = nil
   end)

   it('may be silent, and begin with = or return', function()
      assert.same({ { '1 + 1; -- two', true, 2 }, { '= 3', false, 3 }, { 'return 4', false, 4 } },
         shown '1 + 1; -- two\n= 3\nreturn 4')
   end)

   it('show their last line alone where all are statements', function()
      local function last(source)
         local values = {}
         assert(block.compile(source, true))(function(text, _, ...)
            values[#values + 1] = { text, ... }
         end)
         return values
      end
      assert.same({ { '("y"):rep(2) -- two', 'yy' } },
         last 'local x = 1\n("x"):rep(3)\n("y"):rep(2) -- two\n')
      assert.same({}, last '("x"):rep(3)\nlocal x = 1')
      for argument, kind in pairs { ['{ 1 }'] = 'table', ['[[x]]'] = 'string' } do
         assert.same({}, last('pasted = type\n' .. argument)) -- one call in two lines
         assert.equal(kind, _G.pasted)
      end
      _G.pasted = nil
   end)

   it('are what was typed, of a session', function()
      assert.same({ 'x = 1', 'f(x,\n   2)', '' },
         block.typed 'th> x = 1\nth> f(x,\n..>    2)\n 3\nth> ')
      assert.same({ '1 + 1' }, block.typed '  th> 1 + 1')
      assert.is_nil(block.typed 'x = 1\nth> 2')
      assert.is_nil(block.typed 'th > x')
   end)

   it('show nil and no values, too', function()
      local counts = {}
      assert(block.compile 'nil, nil\n(function() end)()')(function(_, _, ...)
         counts[#counts + 1] = select('#', ...)
      end)
      assert.same({ 2, 0 }, counts)
   end)

   it('keep the numbers of their lines in errors', function()
      local chunk = block.compile '1\n\n2 --> 2\n3\n   + 4\nlocal y\ny.x = 1\n'
      local ok, message = pcall(chunk, function() end)
      assert.is_false(ok)
      assert.matches('^stdin:7: ', message)
   end)

   it('are refused at the line that is wrong', function()
      for source, where in pairs {
         ['1\nx = = 2\n3'] = '^stdin:2: ', ['1\n2\nfoo bar\n'] = '^stdin:3: ',
         ['1\nfor i = 1, 2 do\n'] = 'near \'<eof>\'$', ['1\n"abc\n'] = '^stdin:2: ',
      } do
         local chunk, message = block.compile(source)
         assert.is_nil(chunk, source)
         assert.matches(where, message)
      end
   end)

   it('are taken one by one where a page says what they give', function()
      assert.truthy(block.is_shown 'x:sum() --> 3\ny:sum() --> 4')
      assert.falsy(block.is_shown 'x:sum()\ny:sum()')
      assert.falsy(block.is_shown 'x:sum() --> 3')
   end)
end)
