local code = require 'trepl.scripts.code'

describe('the code of a text', function()
   it('has no comments, and nothing of what strings hold', function()
      assert.same({ 'a = "" b = 3 ', "c = '' .. \"\" ", 'd = [[]] ', ' ', 'e = x[y[1]] - 1 ' },
         code.lines [==[
a = "if \" x" b = 3-- c
c = 'it\'s' .. "--"--[[ d ]]
d = [=[ "e" ]] ]=]
--[[ f = [=[ ]]
e = x[y[1]] - 1]==])
   end)

   it('keeps the numbers of lines, with parameters on the line of their function', function()
      assert.same({ 'a = [[ ', ']] ', ' ', ' ', 'function f(  x,   y ) ', ' ', ' ', ' ', 'end ' },
         code.lines 'a = [[\n"]]\n--[[\n]]\nfunction f(\n x, -- first\n y\n)\nend')
   end)

   it('ends where a long string or a comment does not', function()
      assert.same({ 'b = [[]] ' }, code.lines 'b = [[c')
      assert.same({ 'a ' }, code.lines 'a-- b')
   end)
end)
