if not require('test.support.cuda').available then
   return
end

local torch = require 'torch'
local cutorch = require 'cutorch'
local threads = require 'threads'
local tds = require 'tds'
local raises = require 'test.support.raises'

describe('CUDA tensors in threads', function()
   it('are shared, on their device', function()
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(3)
      threads.Threads.serialization 'threads.serialize'
      local device = cutorch.getDevice()
      cutorch.setDevice(cutorch.getDeviceCount())
      local x, hash = torch.CudaTensor(1000):fill(1), tds.Hash()
      local home = cutorch.getDevice()
      cutorch.setDevice(device)
      hash.x = x
      local sums = {}
      for i = 1, 12 do
         pool:addjob(function()
            local made = torch.CudaDoubleTensor(10):fill(i)
            return x:sum() + hash.x:sum(), x:getDevice(), made
         end, function(sum, where, made)
            sums[#sums + 1] = sum
            assert.same({ home, 10 * i }, { where, made:sum() })
         end)
      end
      pool:addjob(function()
         x:fill(3)
         require('cutorch').synchronize()
      end)
      pool:terminate()
      assert.equal(3000, x:sum())
      assert.equal(12, #sums)
   end)

   it('are no messages themselves', function()
      local shared = require 'threads.sharedserialize'
      local message = shared.save { 1 }
      raises('expected the CharStorage that `save` gave, got torch.CudaCharStorage', shared.load,
         torch.CudaCharStorage(#message):copy(message))
   end)

   it('are copied where nothing is shared', function()
      local pool = threads.Threads(1)
      local x, y = torch.CudaTensor(5):fill(1), nil
      pool:addjob(function()
         return x:fill(2)
      end, function(result)
         y = result
      end)
      pool:terminate()
      assert.same({ 5, 10, 'torch.CudaTensor' }, { x:sum(), y:sum(), torch.type(y) })
   end)
end)
