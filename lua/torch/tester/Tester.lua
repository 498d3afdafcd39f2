--- Unit tests: collect them, run them, report (torch.Tester).
--
--     local tester, tests = torch.Tester(), torch.TestSuite()
--     function tests.squares() tester:eq(3 ^ 2, 9, 'three squared') end
--     tester:add(tests):run()
--
-- @classmod torch.Tester
local class = require 'torch.class'
local errors = require 'torch.errors'
local progress = require 'torch.tester.progress'

local Tester = class.class('torch.Tester')

for name, method in pairs(require 'torch.tester.asserts') do
   Tester[name] = method
end

function Tester:__init()
   self.errors = {} -- list of { test name, message }
   self.warnings = {} -- the same
   self.tests = {} -- name -> function
   self.disabledTests = {} -- name -> true
   self.assertionPass, self.assertionFail, self.testError = {}, {}, {} -- name -> count
   self.countasserts = 0
   self.curtestname = nil
   -- Old suites compare tensors whose contents agree and whose dimensions do not.
   self._assertTensorEqIgnoresDims = true
end

--- Stop after the first test that fails (off by default).
function Tester:setEarlyAbort(earlyAbort)
   self.earlyAbort = earlyAbort
end

--- Let errors in tests out of run() instead of reporting them (off by default).
function Tester:setRethrowErrors(rethrow)
   self.rethrow = rethrow
end

--- Report the verdicts only, no messages (off by default).
function Tester:setSummaryOnly(summaryOnly)
   self.summaryOnly = summaryOnly
end

local fixtures = { _setUp = true, _tearDown = true }

local function addOne(self, name, f)
   if type(f) == 'table' then
      errors.raise(('Nested sets of tests are not supported: %s is a table'):format(
         tostring(name)))
   elseif type(f) ~= 'function' then
      errors.raise(('Tester:add: test %s should be a function, got %s'):format(
         tostring(name), type(f)))
   elseif fixtures[name] then
      if self[name] then
         errors.raise(('Only one %s function can be added'):format(name))
      end
      self[name] = f
   elseif self.tests[name] then
      errors.raise(('Tester:add: there is a test %s already'):format(tostring(name)))
   else
      self.tests[name] = f
   end
end

--- Add tests.
-- @param f a function, or a table (best a torch.TestSuite) of functions by name
-- @param name string, for a function: '_setUp' and '_tearDown' run before and after each test, and
-- get its name
-- @return self
-- @example
-- local tester = torch.Tester()
-- tester:add(function() tester:eq(1 + 1, 2) end, 'sum')
-- tester.tests.sum ~= nil --> true
function Tester:add(f, name)
   if type(f) ~= 'table' then
      if name == nil then
         local n = 0
         repeat
            n = n + 1
            name = 'unnamed' .. n
         until not self.tests[name]
      end
      addOne(self, name, f)
      return self
   end
   local tests = rawget(f, '__tests')
   if not tests then
      self:_warning('use TestSuite rather than plain lua table: a plain table silently drops the '
         .. 'first of two tests with one name')
      tests = f
   end
   for testName, test in pairs(tests) do
      addOne(self, testName, test)
   end
   return self
end

--- Have run() skip tests.
-- @param testNames a name or a list of names
-- @return self
function Tester:disable(testNames)
   for _, name in ipairs(type(testNames) == 'table' and testNames or { testNames }) do
      if not self.tests[name] then
         self:_warning(('disable: there is no test %s'):format(tostring(name)))
      end
      self.disabledTests[name] = true
   end
   return self
end

local function increment(counts, name)
   counts[name] = (counts[name] or 0) + 1
end

function Tester:_success()
   self.countasserts = self.countasserts + 1
   if self.curtestname then
      increment(self.assertionPass, self.curtestname)
   end
   return true
end

-- Outside of a test there is no report for the message to wait for.
function Tester:_failure(message)
   self.countasserts = self.countasserts + 1
   if not self.curtestname then
      errors.raise(message)
   end
   increment(self.assertionFail, self.curtestname)
   table.insert(self.errors, { self.curtestname, self:_addDebugInfo(message) })
   return false
end

function Tester:_warning(message)
   table.insert(self.warnings, { self.curtestname or 'Warning', message })
end

-- The message with the user's frames of the call stack, innermost first.
function Tester._addDebugInfo(_, message)
   local lines = { tostring(message), 'stack traceback:' }
   for line in debug.traceback('', 2):gmatch('\n(\t[^\n]+)') do
      if line:find("in function 'xpcall'", 1, true) then
         break
      elseif not line:find 'torch/tester/%a+%.lua:'
         and not line:find('torch/errors.lua', 1, true)
         and not line:find("[C]: in function 'error'", 1, true) then
         lines[#lines + 1] = line
      end
   end
   return table.concat(lines, '\n')
end

--- Call a function, recording an error it raises.
-- @return whether it returned; whether it also made no failing check
function Tester:_pcall(f, ...)
   if self.rethrow then
      f(...)
      return true, true
   end
   local failed = #self.errors
   local arguments, n = { ... }, select('#', ...)
   local returned, message = xpcall(function()
      f(unpack(arguments, 1, n))
   end, function(raised)
      return self:_addDebugInfo(('Function call failed\n%s'):format(tostring(raised)))
   end)
   if not returned then
      increment(self.testError, self.curtestname or '')
      table.insert(self.errors, { self.curtestname or '', message })
   end
   return returned, returned and failed == #self.errors
end

-- Run one test between the fixtures, which get its name; the tear-down runs whatever happened.
local function runTest(self, name, test)
   local returned, passed = true, true
   local function step(f, ...)
      if f then
         local itReturned, itPassed = self:_pcall(f, ...)
         returned, passed = returned and itReturned, passed and itPassed
      end
   end
   step(self._setUp, name)
   if returned then
      step(test)
   end
   step(self._tearDown, name)
   return not returned and 'ERROR' or passed and 'PASS' or 'FAIL'
end

local function sortedNames(tests)
   local names = {}
   for name in pairs(tests) do
      names[#names + 1] = name
   end
   table.sort(names, function(a, b)
      return tostring(a) < tostring(b)
   end)
   return names
end

--- Run tests (name -> function) in the order of their names, printing progress.
function Tester:_run(tests)
   local names = sortedNames(tests)
   progress.start(#names)
   for index, name in ipairs(names) do
      self.assertionPass[name], self.assertionFail[name], self.testError[name] = 0, 0, 0
      local status = 'SKIP'
      if not self.disabledTests[name] then
         progress.line(index, #names, name, 'WAIT')
         self.curtestname = name
         status = runTest(self, name, tests[name])
         self.curtestname = nil
      end
      progress.line(index, #names, name, status)
      if self.earlyAbort and (status == 'FAIL' or status == 'ERROR') then
         io.write('Stopped at the first test that failed\n')
         break
      end
   end
end

--- The tests whose names match a pattern or one of several; all without argument.
-- @raise "Tester: no test matches ..."
function Tester:_getTests(testNames)
   if testNames == nil then
      return self.tests
   end
   local chosen = {}
   for _, pattern in ipairs(type(testNames) == 'table' and testNames or { testNames }) do
      local found = false
      for name, test in pairs(self.tests) do
         if tostring(name):match(pattern) then
            chosen[name], found = test, true
         end
      end
      if not found then
         errors.raise(('Tester: no test matches %q'):format(pattern))
      end
   end
   return chosen
end

--- Print the summary and the messages of the tests that ran.
-- @return the number of tests that failed, and of those that raised an error
function Tester:_report(tests)
   local total, failures, raised, disabled = 0, 0, 0, 0
   for name in pairs(tests) do
      total = total + 1
      if (self.testError[name] or 0) > 0 then
         raised = raised + 1
      end
      if (self.assertionFail[name] or 0) > 0 then
         failures = failures + 1
      end
      if self.disabledTests[name] then
         disabled = disabled + 1
      end
   end
   progress.summary(self.countasserts, total, failures, raised, disabled)
   if not self.summaryOnly then
      progress.messages(self.errors)
      progress.messages(self.warnings)
   end
   return failures, raised
end

--- Run the tests and report.
-- @param testNames optional: a Lua pattern, or a list of them, to match test names with
-- @raise "An error was found while running tests!" when a check failed or a test raised an error
function Tester:run(testNames)
   local tests = self:_getTests(testNames)
   self.errors, self.countasserts = {}, 0
   self:_run(tests)
   local failures, raised = self:_report(tests)
   self.warnings = {}
   if failures > 0 or raised > 0 then
      errors.raise('An error was found while running tests!')
   end
end

return class.getconstructortable('torch.Tester')
