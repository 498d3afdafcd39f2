local Tester = require 'torch.tester.Tester'
local TestSuite = require 'torch.tester.TestSuite'
local fake = require 'test.support.fake_tensors'

-- A tester whose checks return whether they held, and the message, instead of counting.
local function judge()
   local tester = Tester()
   function tester._success()
      return true, ''
   end
   function tester._failure(_, message)
      return false, message
   end
   return tester
end

-- Run with io.write captured; gives what pcall(run) gives, and the output.
local function run(tester, ...)
   local write, parts = io.write, {}
   io.write = function(text) table.insert(parts, text) end -- luacheck: ignore 122
   local ok, message = pcall(tester.run, tester, ...)
   io.write = write -- luacheck: ignore 122
   return ok, message, table.concat(parts)
end

local function suite(tests)
   local made = TestSuite()
   for name, test in pairs(tests) do
      made[name] = test
   end
   return made
end

describe('Tester checks', function()
   local t = judge()
   local function fails()
      error('muahaha')
   end
   local function works() end
   local one, two = fake.DoubleTensor { 1, 2 }, fake.DoubleTensor { 1, 2.5 }

   -- check, arguments that hold, arguments that do not
   local cases = {
      { 'assert', { true }, { false } },
      { 'assertlt', { 1, 2 }, { 2, 2 } },
      { 'assertgt', { 2, 1 }, { 2, 2 } },
      { 'assertle', { 2, 2 }, { 3, 2 } },
      { 'assertge', { 2, 2 }, { 2, 3 } },
      { 'asserteq', { 'a', 'a' }, { 'a', 'b' } },
      { 'assertne', { 1, 2 }, { 1, 1 } },
      { 'assertalmosteq', { 1, 1 + 1e-17 }, { 1, 1 + 1e-15 } },
      { 'assertalmosteq', { 1, 2, 1 }, { 1, 2, 0.5 } },
      { 'eq', { { 1, one }, { 1, one } }, { { 1, one }, { 1, two } } },
      { 'eq', { one, two, 0.5 }, { one, two, 0.1 } },
      { 'assertGeneralEq', { 1, 1.1, 0.2 }, { 1, 1.1 } },
      { 'ne', { one, two }, { one, two, 1 } },
      { 'assertGeneralNe', { 1, 'a' }, { 'a', 'a' } },
      { 'assertTensorEq', { one, two, 0.5 }, { one, two } },
      { 'assertTensorNe', { one, two }, { one, one } },
      { 'assertTableEq', { { 1, { 2 } }, { 1, { 2 } } }, { { 1 }, { 2 } } },
      { 'assertTableNe', { { 1 }, { 2 } }, { { 1 }, { 1.5 }, 1 } },
      { 'assertError', { fails }, { works } },
      { 'assertNoError', { works }, { fails } },
      { 'assertErrorPattern', { fails, 'ha+' }, { fails, 'hehe' } },
      { 'assertErrorMsg', { function() error('exact', 0) end, 'exact' }, { fails, 'muahaha' } },
      { 'assertErrorObj', { function() error({ code = 7 }) end,
         function(raised) return raised.code == 7 end }, { fails, function() return false end } },
   }

   for i, case in ipairs(cases) do
      it(('%s (case %d) returns whether it held, and its message'):format(case[1], i), function()
         local held, failing = case[2], case[3]
         table.insert(held, 'said so')
         table.insert(failing, 'said so')
         assert.is_true((t[case[1]](t, unpack(held))))
         local ok, message = t[case[1]](t, unpack(failing))
         assert.is_false(ok)
         assert.matches('^said so\n', message)
      end)
   end

   it('take tolerance and message in either order', function()
      local _, message = t:eq(1, 2, 0.5, 'first')
      assert.matches('^first\n.*tolerance=0%.5', message)
      _, message = t:eq(1, 2, 'first', 0.5)
      assert.matches('^first\n.*tolerance=0%.5', message)
      assert.is_true((t:assertTensorEq(one, two, 'x', 0.5)))
   end)

   it('refuse wrong arguments at the user\'s line', function()
      local _, message = pcall(t.assertTensorEq, t, one, 2)
      assert.matches('Tester_spec%.lua:%d+: Second argument should be a Tensor, got number',
         message)
      _, message = pcall(t.assertTableEq, t, 1, {})
      assert.matches('First argument should be a Table, got number', message, 1, true)
      _, message = pcall(t.assert, t, true, 'message', 'more')
      assert.matches('Unexpected arguments', message, 1, true)
      _, message = pcall(t.assertError, t, 'no function')
      assert.matches('expected a function that may raise an error, got string', message, 1, true)
   end)

   it('compare tensors of other dimensions in assertTensorEq only, unless told not to', function()
      local row = fake.DoubleTensor({ 1, 2 }, 1, 2)
      assert.is_true((t:assertTensorEq(one, row)))
      assert.is_false((t:eq(one, row)))
      t._assertTensorEqIgnoresDims = false
      assert.is_false((t:assertTensorEq(one, row)))
      t._assertTensorEqIgnoresDims = true
   end)
end)

describe('Tester:run', function()
   it('prints progress and a summary in the order of names', function()
      local tester = Tester()
      tester:add(suite {
         b = function() tester:eq(1, 1) tester:eq(2, 2) end,
         a = function() tester:assert(true) end,
      })
      local ok, _, output = run(tester)
      assert.is_true(ok)
      assert.equal(3, tester.countasserts)
      local lines = {}
      for line in output:gmatch('[^\n\r]+') do
         table.insert(lines, line)
      end
      assert.equal('Running 2 tests', lines[1])
      assert.matches('^1/2 a %.+ %[WAIT%]$', lines[2])
      assert.matches('^1/2 a %.+ %[PASS%]$', lines[3])
      assert.equal(80, #lines[3])
      assert.matches('^2/2 b %.+ %[PASS%]$', lines[5])
      assert.equal('Completed 3 asserts in 2 tests with 0 failures and 0 errors', lines[6])
      assert.is_nil(lines[7])
   end)

   it('raises at the user\'s line after a failure, with message and traceback in the output',
      function()
         local tester, line = Tester(), nil
         tester:add(function()
            line = debug.getinfo(1, 'l').currentline + 1
            tester:eq(1, 2, 'one is two')
         end, 'bad')
         local ok, message, output = run(tester)
         assert.is_false(ok)
         assert.matches('Tester_spec%.lua:%d+: An error was found while running tests!', message)
         assert.matches('1/1 bad %.+ %[FAIL%]', output)
         assert.matches('with 1 failure and 0 errors', output, 1, true)
         assert.matches('\nbad\none is two\nnumberEQ(==) violation: max diff=1, tolerance=0\n'
            .. 'stack traceback:\n\ttest/torch/tester/Tester_spec.lua:' .. line .. ': ',
            output, 1, true)
         assert.is_nil(output:find('lua/torch/tester', 1, true))
         assert.is_nil(output:find('tester/Tester.lua', 1, true))
      end)

   it('reports an error in a test and goes on', function()
      local tester, second = Tester(), false
      tester:add(suite {
         a = function() error('broken') end,
         b = function() second = true end,
      })
      local ok, _, output = run(tester)
      assert.is_false(ok)
      assert.is_true(second)
      assert.matches('1/2 a %.+ %[ERROR%]', output)
      assert.matches('2/2 b %.+ %[PASS%]', output)
      assert.matches('Tester_spec%.lua:%d+: broken', output)
      assert.matches('with 0 failures and 1 error\n', output, 1, true)
      assert.same({ 1, 0 }, { tester.testError.a, tester.testError.b })
   end)

   it('runs the tests whose names match', function()
      local tester, ran = Tester(), {}
      for _, name in ipairs { 'Linear', 'SparseLinear', 'Conv', 'Pool' } do
         tester:add(function() table.insert(ran, name) end, name)
      end
      run(tester, 'Linear')
      assert.same({ 'Linear', 'SparseLinear' }, ran)
      ran = {}
      run(tester, { '^Linear', 'Pool' })
      assert.same({ 'Linear', 'Pool' }, ran)
      local ok, message = run(tester, 'Absent')
      assert.is_false(ok)
      assert.matches('no test matches "Absent"', message, 1, true)
   end)

   it('skips disabled tests and counts them', function()
      local tester, ran = Tester(), {}
      tester:add(suite {
         a = function() ran.a = true end,
         b = function() ran.b = true end,
      }):disable('a')
      local ok, _, output = run(tester)
      assert.is_true(ok)
      assert.same({ b = true }, ran)
      assert.matches('1/2 a %.+ %[SKIP%]', output)
      assert.matches('in 2 tests with 0 failures and 0 errors and 1 disabled', output, 1, true)
   end)

   it('calls the fixtures around every test, the tear-down after errors too', function()
      local tester, calls = Tester(), {}
      tester:add(suite {
         _setUp = function(name) table.insert(calls, 'up ' .. name) end,
         _tearDown = function(name) table.insert(calls, 'down ' .. name) end,
         a = function() error('x') end,
         b = function(...) table.insert(calls, select('#', ...)) end,
      })
      run(tester)
      assert.same({ 'up a', 'down a', 'up b', 0, 'down b' }, calls)
      assert.is_nil(tester.tests._setUp)
   end)

   it('does not run a test whose set-up failed', function()
      local tester, ran = Tester(), false
      tester:add(function() error('no set-up') end, '_setUp')
      tester:add(function() ran = true end, 'a')
      local _, _, output = run(tester)
      assert.is_false(ran)
      assert.matches('1/1 a %.+ %[ERROR%]', output)
   end)

   it('stops early, rethrows, or leaves the messages out when told to', function()
      local early, count = Tester(), 0
      early:setEarlyAbort(true)
      early:add(suite {
         a = function() count = count + 1 early:assert(false) end,
         b = function() count = count + 1 end,
      })
      assert.is_false((run(early)))
      assert.equal(1, count)

      local rethrow = Tester()
      rethrow:setRethrowErrors(true)
      rethrow:add(function() error('thrown') end)
      local _, message = run(rethrow)
      assert.matches('Tester_spec%.lua:%d+: thrown$', message)

      local short = Tester()
      short:setSummaryOnly(true)
      short:add(function() short:assert(false, 'long story') end)
      local _, _, output = run(short)
      assert.is_nil(output:find('long story', 1, true))
      assert.matches('with 1 failure', output, 1, true)
   end)

   it('can be run again', function()
      local tester = Tester()
      local good = false
      tester:add(function() tester:assert(good, 'first time') end, 'a')
      assert.is_false((run(tester)))
      good = true
      local ok, _, output = run(tester)
      assert.is_true(ok)
      assert.is_nil(output:find('first time', 1, true))
      assert.equal(1, tester.countasserts)
   end)

   it('warns of misused checks, of plain tables and of unknown names', function()
      local tester = Tester()
      tester:add({
         a = function()
            tester:assert({})
            tester:assertne({}, {})
            tester:assertTensorEq(fake.DoubleTensor { 1 }, fake.DoubleTensor({ 1 }, 1, 1))
         end,
      }):disable('absent')
      local ok, _, output = run(tester)
      assert.is_true(ok)
      for _, text in ipairs { 'assert should only be used for boolean',
         'assertne should only be used to compare basic', 'but different dimensions',
         'use TestSuite rather than plain lua table', 'there is no test absent' } do
         assert.matches(text, output, 1, true)
      end
   end)
end)

describe('Tester:add', function()
   it('refuses nested sets, doubled names and what is no function', function()
      local function f() end
      local tester = Tester()
      local _, message = pcall(tester.add, tester, { { f } })
      assert.matches('Nested sets', message, 1, true)
      tester:add(f, 'a')
      _, message = pcall(tester.add, tester, f, 'a')
      assert.matches('Tester_spec%.lua:%d+: .*there is a test a already', message)
      tester:add(f, '_setUp')
      _, message = pcall(tester.add, tester, f, '_setUp')
      assert.matches('Only one _setUp', message, 1, true)
      _, message = pcall(tester.add, tester, 3, 'b')
      assert.matches('test b should be a function, got number', message, 1, true)
   end)

   it('a check outside of any test raises when it fails', function()
      local tester = Tester()
      assert.is_true(tester:eq(1, 1))
      local _, message = pcall(tester.eq, tester, 1, 2, 'alone')
      assert.matches('Tester_spec%.lua:%d+: alone', message)
   end)
end)
