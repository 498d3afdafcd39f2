local code = require 'trepl.scripts.code'

describe('the code of a text', function()
   it('is without comments, and without what strings hold', function()
      assert.same({ "a = '' .. \"\" ", 'b = [[]] ', 'c = 1 - 2  ', 'd = t[1] ' },
         code.lines [==[
a = 'x -- \' "' .. "y'\""
b = [=[ ]] -- ]=]
c = 1 - 2 -- 'd
d = t[1]]==])
   end)

   it('keeps the numbers of lines', function()
      local lines = code.lines '--[[ a\n b ]] x = 1\ns = [[\n]] y = 2\nz = "a\\\nb" w = 3'
      assert.same({ ' ', ' x = 1 ', 's = [[ ', ']] y = 2 ', 'z = " ', '" w = 3 ' }, lines)
   end)

   it('has a list of parameters on the line of its function', function()
      assert.same({ 'function f( a, b ) ', ' ', ' ', 'return a ' },
         code.lines 'function f(\na,\nb )\nreturn a')
   end)

   it('ends a string that has no end with its line, and a long one with the text', function()
      assert.same({ "a = ' ", "'b = 1 " }, code.lines "a = 'x\nb = 1")
      assert.same({ 'a = [[]] ' }, code.lines 'a = [[ x -- y')
   end)

   it('leaves out lines that are data', function()
      assert.same({ 'a = 1 ', '' }, code.lines('a = 1\n' .. ('1, '):rep(200)))
   end)
end)
