-- Arguments that make no sense, through the C functions: see test/support/walks/refusals.lua. A
-- crash ends the whole run; TH_TRACE=1 says which call was the last.
local ffi = require 'ffi'
local torch = require 'torch'
local C = require('torch.ffi').C
local calls = require 'torch.gen.calls'
local refusals = require 'test.support.walks.refusals'

describe('every operation, on the CPU', function()
   local tried = 0

   for _, call in ipairs(calls) do
      it(call.name .. ' answers whatever it is given', function()
         local count, faults = refusals.walk(call, 'cpu')
         tried = tried + count
         assert.same({}, faults)
      end)
   end

   it('row_norm does not divide by a product that leaves 64 bits', function()
      local x, r = torch.randn(4, 4), torch.Tensor
      assert.not_equal(0, C.TH_row_norm(r(), r(), r(), x, nil, nil, true, 2LL ^ 32, 2LL ^ 32, 1, 0))
      assert.matches('expected a multiple of 4294967296 rows of 4294967296 elements',
         ffi.string(C.TH_lastError()))
   end)

   it('was tried', function() assert.is_true(tried > 4 * #calls, tried .. ' calls') end)
end)
