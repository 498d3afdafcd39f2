-- Running out of device memory inside a training loop.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local cutorch = require 'cutorch'

local function settle()
   collectgarbage()
   collectgarbage()
   cutorch.synchronize()
end

for mode, call in pairs { ranges = 'cuMemCreate', segments = 'cudaMalloc' } do

local title = 'a training loop whose memory (%s) runs out a thousand times #cuda'

describe(title:format(mode), function()
   local before_it

   setup(function()
      before_it = cutorch.getMemoryRanges()
      if not (mode == 'ranges' and not pcall(cutorch.setMemoryRanges, true)) then
         cutorch.setMemoryRanges(mode == 'ranges')
      end
      settle()
      cutorch.emptyCache()
   end)
   teardown(function()
      cutorch.setMemoryRanges(before_it)
   end)
   after_each(function()
      cutorch.setMemoryLimit(0)
   end)

   it('goes on each time, and leaks nothing', function()
      local N, FAILURES = 500, 1000
      local x = torch.range(1, N):div(N):float():cuda()
      local y = torch.range(1, N):div(N):mul(3):float():cuda()
      local w = torch.FloatTensor(N):fill(0):cuda()
      local function step() -- w converges to y / x = 3
         local error = torch.cmul(w, x):add(-1, y)
         w:add(-0.5, torch.cdiv(error, x))
      end
      step()
      settle()
      cutorch.emptyCache()
      local before = cutorch.memoryStatistics()
      cutorch.setMemoryLimit(before.reserved.current + 2 ^ 22)
      local failures = 0
      for i = 1, FAILURES do
         local ok, message = pcall(function()
            local huge = torch.CudaTensor(2 ^ 21 + i) -- 8 MiB
            return huge:copy(x)
         end)
         failures = failures + (ok and 0 or 1)
         if i % 100 == 1 then
            assert.matches('memory', message, 1, true)
         end
         step()
      end
      assert.equal(FAILURES, failures)
      settle()
      assert.equal(before.requested.current, cutorch.memoryStatistics().requested.current)
      assert.equal(before.blocks.current, cutorch.memoryStatistics().blocks.current)
      for _, value in ipairs(w:totable()) do
         assert.near(3, value, 1e-5)
      end
   end)

   if cutorch.isSimulated() then
      it('takes failures of the driver the same way', function()
         local C = require('cutorch.ffi').C
         local OUT_OF_MEMORY = 2 -- cudaErrorMemoryAllocation
         settle()
         local before = cutorch.memoryStatistics().requested.current
         for i = 1, 50 do
            settle()
            cutorch.emptyCache()
            assert.equal(0, C.THC_Sim_fail(call, 1, OUT_OF_MEMORY))
            local retries = cutorch.memoryStatistics().retries
            -- The cache is given back, garbage is collected, and the call is made again.
            local t = torch.CudaTensor(2 ^ 20 + i)
            assert.equal(2 ^ 20 + i, t:nElement())
            -- Without ranges a segment of just the size is tried before the cache is given back.
            retries = retries + (mode == 'ranges' and 1 or 0)
            assert.equal(retries, cutorch.memoryStatistics().retries)
         end
         C.THC_Sim_fail(call, 0, 0)
         settle()
         assert.equal(before, cutorch.memoryStatistics().requested.current)
      end)

      it('raises other failures at the user\'s line, and works again after them', function()
         local C = require('cutorch.ffi').C
         local t = torch.CudaTensor { 1, 2, 3 }
         cutorch.synchronize()
         assert.equal(0, C.THC_Sim_fail('cudaMemcpyAsync', 1, 0))
         local ok, message = pcall(function()
            return t:float()
         end)
         assert.is_false(ok)
         assert.matches('pressure_spec.lua', message, 1, true)
         assert.matches('cudaMemcpyAsync', message, 1, true)
         C.THC_Sim_reset()
         assert.same({ 1, 2, 3 }, t:totable())
      end)
   end
end)

end
