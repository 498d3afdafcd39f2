-- As test/torch/walks/out_of_memory_spec.lua, on a device.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
require 'cutorch'
local calls = require 'torch.gen.calls'
local failures = require 'test.support.walks.failures'

describe('every operation, on a device #cuda', function()
   local tried, struck = 0, 0

   for _, call in ipairs(calls) do
      it(call.name .. ' loses nothing when one of its allocations fails', function()
         local failed, faults, absent = failures.walk(call, 'cuda')
         assert.same({}, faults)
         if absent then
            assert.matches('there is no CUDA.- function', absent)
         else
            tried, struck = tried + 1, struck + failed
         end
      end)
   end

   it('was tried: allocations failed in most of them', function()
      assert.is_true(tried > 0.9 * #calls, tried .. ' operations')
      assert.is_true(struck > 10 * tried, struck .. ' failed allocations')
      if os.getenv 'TH_COUNTS' then
         print(('\nCUDA: %d operations, %d failed allocations'):format(tried, struck))
      end
   end)
end)

describe('a tensor larger than any device #cuda', function()
   it('is refused with what was asked, in use and cached; the tensor is as it was', function()
      local x = torch.CudaDoubleTensor { 1, 2, 3 }
      local storage = x:storage()
      local ok, message = pcall(function() return x:resize(1e15) end)
      assert.is_false(ok)
      assert.matches('^[^:]*out_of_memory_spec%.lua:%d+: resize: out of memory on device 1: '
         .. 'asked 7%.11 PiB; in use [%d.]+ %a+, cached [%d.]+ %a+ %(largest block [%d.]+ %a+%), .*'
         .. '; the device has [%d.]+ %a+ free of [%d.]+ %a+', message)
      assert.same({ 1, 2, 3 }, x:totable())
      assert.equal(3, #storage)
   end)
end)
