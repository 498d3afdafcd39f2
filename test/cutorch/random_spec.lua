-- Moments of the distributions of a device's generator, and which generator draws.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local cutorch = require 'cutorch'
local raises = require 'test.support.raises'

local N = 40000

-- name, arguments, mean, variance (Papoulis, Probability, Random Variables, and Stochastic
-- Processes, table 5-2)
local DISTRIBUTIONS = {
   { 'uniform', { -1, 3 }, 1, 16 / 12 },
   { 'normal', { 2, 0.5 }, 2, 0.25 },
   { 'exponential', { 4 }, 1 / 4, 1 / 16 },
   { 'geometric', { 0.25 }, 4 / 3, 4 / 9 }, -- trials until one fails, each succeeding with p
   { 'bernoulli', { 0.3 }, 0.3, 0.21 },
   { 'random', { 1, 6 }, 3.5, 35 / 12 },
   -- e^x, x normal with that mean and standard deviation
   { 'logNormal', { 1, 0.5 }, math.exp(1.125), (math.exp(0.25) - 1) * math.exp(2.25) },
}

describe('the generator of a device #cuda', function()
   for _, case in ipairs(DISTRIBUTIONS) do
      local name, arguments, mean, variance = unpack(case)
      it(name .. ' has the mean and the variance it should have', function()
         for _, typename in ipairs { 'torch.CudaTensor', 'torch.CudaDoubleTensor' } do
            cutorch.manualSeed(17)
            local x = torch.getmetatable(typename).new(N)
            local host = x[name](x, unpack(arguments)):double()
            -- five standard errors; the fourth moments are at most 9 variances^2 here, but for
            -- the skewed ones
            local error = 5 * math.sqrt(variance / N)
            assert.is_true(math.abs(host:mean() - mean) < error, typename .. ' mean')
            assert.is_true(math.abs(host:var() - variance) < 0.1 * variance,
               typename .. ' variance')
         end
      end)
   end

   it('cauchy has the median and the quartiles it should have', function()
      cutorch.manualSeed(3)
      local x = torch.CudaTensor(N):cauchy(2, 3):double():sort()
      assert.near(2, x[N / 2], 0.2)
      assert.near(-1, x[N / 4], 0.3)
      assert.near(5, x[3 * N / 4], 0.3)
   end)

   it('is the device\'s own, and leaves the CPU\'s alone', function()
      torch.manualSeed(1)
      local expected = torch.rand(3)
      torch.manualSeed(1)
      torch.CudaTensor(100):uniform()
      assert.is_true(torch.rand(3):equal(expected))
      if cutorch.getDeviceCount() > 1 then
         cutorch.manualSeedAll(5)
         local first = torch.CudaTensor(100):uniform():float()
         local second = cutorch.withDevice(2, function()
            return torch.CudaTensor(100):uniform():float()
         end)
         assert.is_true(first:equal(second))
      end
   end)

   it('is not a torch.Generator', function()
      torch.CudaTensor(3):uniform() -- or there is nothing to test
      local ok, message = pcall(function()
         torch.CudaTensor(3):uniform(torch.Generator(), 0, 1)
      end)
      assert.is_false(ok)
      assert.matches("its device's generator", message, 1, true)
      local state = torch.getRNGState():cudaByte() -- the host must not read there
      raises('setRNGState: expected a ByteTensor as getRNGState returns it', torch.setRNGState,
         state)
   end)
end)
