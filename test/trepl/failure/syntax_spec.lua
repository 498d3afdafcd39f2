local failure = require 'trepl.failure'
local compile = require('trepl.compile').compile

local SLICES = 'rows first to last are x[{ { first, last } }]'
local PROTECTED = 'local ok, message = pcall(f, arguments)'

-- Lines that do not compile, and what is said of them.
local rows = {
   -- Python's statements
   { 'import torch', 'torch is there in th already' },
   { 'import torch.nn as nn', "local nn = require 'nn'" },
   { 'import numpy as np', 'here: NumPy: torch.* has most of it' },
   { 'import image', "local name = require 'name'" },
   { 'from torch import nn', "require('package').name" },
   { 'def f(x): return x', 'function name(arguments) ... end' },
   { 'async def f(): pass', 'function name(arguments) ... end' },
   { 'class Net(nn.Module):', "torch.class('Net', 'nn.Module')" },
   { '@decorator', 'f = decorator(f)' },
   { 'del x', 'x = nil' },
   { 'raise ValueError("x")', "error('what is wrong')" },
   { 'global x', 'nothing declares it' },
   { 'yield x', 'coroutine.yield(x)' },
   { 'except ValueError as e:', PROTECTED },
   { 'assert x == 1, "no"', 'assert(condition, message)' },
   { 'if __name__ == "__main__":', 'a script runs from its first line on' },
   { 'with open("x") as f:', 'io.open(path)' },
   { 'x = 3 # three', 'comments begin with --' },
   { '"""text"""', '[[ ... ]]' },
   { 'x: int = 3', 'variables have no types' },
   { 'print "a", "b"', 'print(x, y)' },
   { 'print(x, end="")', 'io.write(x)' },

   -- blocks
   { 'while True: f()', 'while a < b do ... end' },
   { 'if x: f()', 'if a == b then ... end' },
   { 'for i, x in enumerate(list):', 'for i, v in ipairs(list) do' },
   { 'else:', 'if a == b then ... else ... end' },
   { 'if x is not None: f()', 'x ~= nil' },
   { 'if x is None then end', 'x == nil' },
   { 'if x in list: f()', "'in' is set[x]" },
   { 'for (i = 0; i < 3; i++) { f() }', 'for i = 1, n do ... end' },
   { 'function f(x) { return x }', 'function name(arguments) ... end' },
   { 'if (x > 1) { y = 2 }', 'if a == b then ... end' },
   { 'f = x => x + 1', 'function(x) return x + 1 end' },
   { 'f = lambda x: x + 1', 'function(x) return x + 1 end' },
   { 'function f(x, y = 3) end', 'y = y or 3' },
   { 'function f(x: int) end', 'variables have no types' },
   { 'Net:forward = function(x) end', 'function Net:forward(x) ... end' },

   -- operators
   { 'C = A @ B', 'A * B, or torch.mm(A, B)' },
   { 'x = 7 // 2', 'math.floor(a / b)' },
   { 'x = 2 ** 3', 'x ^ 2' },
   { 'x *= 2', 'there is no += here' },
   { 'f(**options)', 'options are a table' },
   { 'f(*list)', 'unpack(list)' },
   { 'm = a & b', 'of masks torch.cmul(a, b) is and' },
   { 'm = ~a', 'a:eq(0) not' },
   { 'x = y << 2', 'bit.lshift' },
   { 'x = !y', "'not x'" },
   { 'x := 3', 'x = 1' },
   { 'return x if x else y', 'condition and a or b' },

   -- indexes and tables
   { 'y = x[:, 0]', SLICES }, { 'y = x[1:]', SLICES }, { 'y = x[i:j]', SLICES },
   { 'y = x[:n, 1]', SLICES },
   { 'y = x[::2]', 'every second row' },
   { 'y = x[..., 0]', 'x:select(x:dim(), 1)' },
   { 'y = [f(i) for i in list]', 'for i = 1, n do list[i]' },
   { 'y = [1, 2]', 'a table is { 1, 2, 3 }' },
   { 'y = torch.cat([a, b])', 'a table is { 1, 2, 3 }' },
   { 'o = { lr: 0.1 }', '{ name = value' },
   { 'a, b = (1, 2)', 'several values go without brackets' },
   { 'y = torch.zeros(3, dtype=float)', 'arguments go by their places' },
   { 'y = x.1', 'an element is x[1]' },

   -- texts and numbers
   { "x = r'\\d'", 'a backslash in a text' },
   { 'x = 1_000', 'a number is 1000000' },
   { 'x = "a', 'a text ends on its line' },

   { 'const x = 1', 'local x = 1' },
   { 'int n = 1', 'local x = 1' },
   { 'x = { a = 1 b = 2 }', "entries have commas between them" },
   { 't = { [1] = 2, [x] = 3 y', "entries have commas between them" },
   { 'x == 3', 'print(a == b)' },
   { 'print(1,)', 'no comma stands behind the last argument' },
   { 'local end = 3', "Lua's own words" },
   { 'if x <> 3 then end', "'not equal' is ~= here" },
   { 'end', 'more ends than blocks' },
   { 'return 3\nx = 3', 'return is the last statement', '1 | return 3' },

   -- what is wrong is above the line that the compiler names
   { 'for i in range(10):\n   print(i)\n', 'for i = 1, n do', '1 | for i in range(10):' },
   { 'try:\n   x = 1\n', PROTECTED, '1 | try:' },
   { 'if x == 3\n   print(3)\nend', 'if a == b then', '1 | if x == 3' },
   { 'for i = 1, 3\n\n   print(3)\nend', 'for i = 1, n do', '1 | for i = 1, 3' },
   { 'f(1,\n   2,\n)', 'no comma stands behind', '2 | 2,' },
   { 'if (x) {\n   y = 2\n}', 'if a == b then', '1 | if (x) {' },
   { 'if x == 1 then\n   f()\nelse if x == 2 then\n   g()\nend\nlocal y = 3',
      "'elseif' is one word", '3 | else if x == 2 then' },
   { 'function f(x)\n   if x then\n      g()\n   else if y then\n      h()\n   end\nend',
      "'elseif' is one word", '4 | else if y then' },
   { 'if a then\nelse if b then\nelse if c then\nend', "'elseif' is one word", '2 | else if b' },
   { 'f(function()\n   if a then\n   else if b then\n   end\nend)', "'elseif'", '3 | else if b' },
   { 'if a then b = 1 else if c then b = 2 end', "'elseif' is one word" },
   { 'if a then\nelse if b then end end\nif c then\nelse if d then\nend', "'elseif'",
      '4 | else if d then' },
}

describe('lines that do not compile: what is written instead', function()
   for _, row in ipairs(rows) do
      it('of ' .. row[1]:gsub('\n', ' / '), function()
         local chunk, message = loadstring(row[1], '=stdin')
         assert.is_nil(chunk)
         local text = failure.of_syntax(message, row[1])
         for i = 2, #row do
            assert.truthy(text:find(row[i], 1, true), text)
         end
      end)
   end

   it('nothing, of what is Lua but for something else', function()
      for _, line in ipairs { "s:match('[%w]:') x", 'x = #t t',
         'return #t x', 'y = a:b(c, d)) e', 'n = (a or b) c' } do
         local _, message = loadstring(line, '=stdin')
         assert.is_nil(failure.of_syntax(message, line):find '\n  %a', line)
      end
   end)

   it('nothing of else if, where its end is there and another is missing', function()
      for _, text in ipairs { 'while a do\n-- else if b then\nf()\n',
         'while a do\nfor i = 1, 3 do\nif b then\nelse if c then\nend end\n' } do
         local _, message = loadstring(text, '=stdin')
         assert.is_nil(failure.of_syntax(message, text):find('elseif', 1, true))
      end
   end)

   it("at the prompt at once: nothing waits for the end of Python's block", function()
      for _, line in ipairs { 'for i in range(3):', 'while True:', 'if x:' } do
         local _, _, incomplete = compile(line)
         assert.is_false(incomplete, line)
      end
      assert.is_true(select(3, compile 'for i = 1, 3 do'))
   end)
end)
