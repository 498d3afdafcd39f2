local compile = require('trepl.compile').compile

local function values(source)
   local chunk = assert(compile(source))
   return { select(2, chunk()) }
end

describe('what is typed', function()
   it('is an expression where it can be one, and its values are returned', function()
      assert.same({ 3 }, values '1 + 2')
      assert.same({ 1, 2 }, values '1, 2')
      assert.same({ 3 }, values '= 3')
      assert.same({ 3 }, values 'return 3')
      assert.same({ 'a' }, values '("a")')
   end)

   it('is a statement otherwise', function()
      assert.same({}, values 'local x = 1')
      assert.same({}, values 'for i = 1, 2 do end')
      assert.same({}, values '#!/usr/bin/env th\nlocal x = 1')
   end)

   it('is silent with a semicolon at its end', function()
      local function silent(source)
         return select(2, compile(source))
      end
      assert.is_true(silent '1 + 2;')
      assert.is_true(silent '1 + 2; -- a comment')
      assert.is_true(silent 'x = 3 ; \n')
      assert.is_false(silent '1 + 2')
      assert.is_false(silent '";"')
      assert.is_false(silent '"--;"')
      assert.same({ 3 }, values '1 + 2;')
   end)

   it('may lack what more lines can give', function()
      for _, source in ipairs { 'for i = 1, 2 do', 'f(', '"a" ..', 'x = {', '[[a', '--[[ a',
         'if x then\n y()', 'function f()', 'x =', '#{ 1,' } do
         local chunk, _, incomplete = compile(source)
         assert.is_nil(chunk, source)
         assert.is_true(incomplete, source)
      end
   end)

   it('may be wrong whatever follows', function()
      for _, source in ipairs { 'foo bar', 'x = = 1', ')', 'for for', '"abc' } do
         local chunk, message, incomplete = compile(source)
         assert.is_nil(chunk, source)
         assert.is_false(incomplete, source)
         assert.truthy(message:find 'stdin:1:', source)
      end
   end)
end)
