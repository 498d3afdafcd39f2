-- Memory that runs out in the middle of an operation; test/support/walks/failures.lua says what is
-- asked. `TH_COUNTS=1 busted ...` prints how much was tried.
local torch = require 'torch'
local C = require('torch.ffi').C
local calls = require 'torch.gen.calls'
local failures = require 'test.support.walks.failures'
local operands = require 'test.support.walks.operands'

describe('every operation, on the CPU', function()
   local tried, struck = 0, 0

   for _, call in ipairs(calls) do
      it(call.name .. ' loses nothing when one of its allocations fails', function()
         local failed, faults, absent = failures.walk(call, 'cpu')
         tried, struck = tried + 1, struck + failed
         assert.is_nil(absent)
         assert.same({}, faults)
      end)
   end

   it('was tried: allocations failed in most of them', function()
      assert.equal(#calls, tried)
      assert.is_true(struck > 20 * #calls, struck .. ' failed allocations')
      assert.same({}, operands.unused(calls))
      if os.getenv 'TH_COUNTS' then
         print(('\nCPU: %d operations, %d failed allocations'):format(tried, struck))
      end
   end)
end)

describe('memory that runs out', function()
   local function failing(count, f, ...)
      C.TH_failAllocation(count)
      local results = { pcall(f, ...) }
      local left = C.TH_failAllocation(0)
      assert.equal(0, tonumber(left), 'no allocation failed')
      assert.is_true(results[1], results[2])
      return unpack(results, 2)
   end

   it("on a thread of many tiles' gradient of weights is an error, too", function()
      local nn = require 'nn'
      local threads = torch.getnumthreads()
      local layer = nn.SpatialConvolution(32, 32, 3, 3, 1, 1, 1, 1):float()
      local x, g = torch.randn(16, 32, 48, 48):float(), torch.randn(16, 32, 48, 48):float()
      layer:forward(x)
      layer:zeroGradParameters()
      layer:accGradParameters(x, g)
      local wanted = layer.gradWeight:clone()
      torch.setnumthreads(2)
      for n = 1, 8 do
         C.TH_failAllocation(n)
         layer:zeroGradParameters()
         local ok, message = pcall(layer.accGradParameters, layer, x, g)
         C.TH_failAllocation(0)
         assert.is_true(ok, message) -- what failed once is made again
         assert.is_true(layer.gradWeight:equal(wanted), n .. '. allocation')
      end
      torch.setnumthreads(threads)
   end)

   it('once makes the call once more, which counts once', function()
      local function layer()
         local nn = require 'nn'
         torch.manualSeed(1)
         local l = nn.BatchNormalization(4)
         l.output:resize(6, 4) -- what is left to allocate lies within the operation
         return l, torch.range(1, 24):resize(6, 4)
      end
      local l, x = layer()
      local expected = l:forward(x):clone()
      local mean, variance = l.running_mean:clone(), l.running_var:clone()
      for n = 1, 3 do
         local again, y = layer()
         local output = failing(n, again.forward, again, y)
         assert.is_true(output:equal(expected), n .. '. allocation')
         assert.is_true(again.running_mean:equal(mean), n .. '. allocation')
         assert.is_true(again.running_var:equal(variance), n .. '. allocation')
      end
   end)

   it('once leaves the random numbers what they would have been', function()
      torch.manualSeed(3)
      local expected = torch.HalfTensor(100):uniform()
      torch.manualSeed(3)
      local got = torch.HalfTensor(100)
      failing(1, got.uniform, got)
      assert.is_true(got:equal(expected))
   end)
end)

describe('a tensor larger than any memory', function()
   local HUGE = 1e15
   local form = 'out of memory on the CPU: asked 7%.11 PiB; in use [%d.]+ %a+, '
      .. 'cached [%d.]+ %a+ %(largest block [%d.]+ %a+%), .*; the machine has [%d.]+ %a+ left'

   it('is refused with what was asked, in use, cached, and what the machine has', function()
      local ok, message = pcall(function() return torch.DoubleTensor(HUGE) end)
      assert.is_false(ok)
      assert.matches('^[^:]*out_of_memory_spec%.lua:%d+: Tensor: ' .. form, message)
   end)

   it('is refused by resize, which leaves the tensor as it was', function()
      local x = torch.DoubleTensor { 1, 2, 3 }
      local storage, address = x:storage(), torch.data(x)
      local ok, message = pcall(function() return x:resize(HUGE) end)
      assert.is_false(ok)
      assert.matches('^[^:]*out_of_memory_spec%.lua:%d+: resize: ' .. form, message)
      assert.same({ 1, 2, 3 }, x:totable())
      assert.equal(3, #storage)
      assert.equal(address, torch.data(x))
   end)

   it('is refused where its size does not fit into 64 bits', function()
      local x = torch.DoubleTensor { 1, 2, 3 }
      for _, sizes in ipairs { { 2 ^ 40, 2 ^ 40 }, { 2 ^ 62 } } do
         local ok, message = pcall(function() return x:resize(unpack(sizes)) end)
         assert.is_false(ok)
         assert.matches('resize: a .* of .* does not fit into any memory', message)
         assert.same({ 1, 2, 3 }, x:totable())
      end
   end)
end)
