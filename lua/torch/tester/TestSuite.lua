--- A table of test functions that notices a test written twice (torch.TestSuite).
-- @module torch.TestSuite
local errors = require 'torch.errors'

local Suite = {}

function Suite.__index(suite, name)
   return rawget(suite, '__tests')[name]
end

function Suite.__newindex(suite, name, test)
   local tests = rawget(suite, '__tests')
   if test ~= nil then
      if tests[name] ~= nil then
         errors.raise(('Test %s is already defined.'):format(tostring(name)))
      elseif type(test) ~= 'function' then
         errors.raise(('Test %s should be a function, got %s'):format(tostring(name), type(test)))
      end
   end
   tests[name] = test
end

--- Make an empty suite: assign functions to its fields and give it to Tester:add.
-- The tests lie in its field `__tests`, name -> function.
-- @raise "Test x is already defined." when a name is assigned twice
local function TestSuite()
   return setmetatable({ __tests = {} }, Suite)
end

return TestSuite
