local TestSuite = require 'torch.tester.TestSuite'

describe('torch.TestSuite', function()
   it('keeps the functions assigned to it', function()
      local suite = TestSuite()
      local function f() end
      suite.first = f
      assert.equal(f, suite.first)
      assert.is_nil(suite.second)
      assert.same({ first = f }, suite.__tests)
   end)

   it('refuses a name a second time, at the user\'s line, and keeps the first', function()
      local suite = TestSuite()
      local function f() end
      suite.twice = f
      local line
      local _, message = pcall(function()
         line = debug.getinfo(1, 'l').currentline + 1
         suite.twice = function() end
      end)
      assert.matches('TestSuite_spec%.lua:' .. line .. ': Test twice is already defined%.', message)
      assert.equal(f, suite.twice)
   end)

   it('refuses what is no function', function()
      local suite = TestSuite()
      for _, value in pairs { 1, 'x', {}, true } do
         local ok, message = pcall(function() suite.bad = value end)
         assert.is_false(ok)
         assert.matches('Test bad should be a function, got ' .. type(value), message)
      end
   end)

   it('lets a test be removed', function()
      local suite = TestSuite()
      suite.gone = function() end
      suite.gone = nil
      assert.is_nil(next(suite.__tests))
   end)
end)
