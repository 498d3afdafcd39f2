local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   it('Npy maps arrays', function()
      local npy = require 'npy'
      local folder = scratch.folder
      npy.save(folder .. '/x.npy', torch.range(1, 6):view(3, 2))
      npy.save(folder .. '/t.npy', torch.LongTensor { 7, 8, 9 })
      local set = dataset.Npy { input = folder .. '/x.npy', target = folder .. '/t.npy' }
      assert.same({ 3, 4 }, set:get(2).input:totable())
      assert.equal(8, set:get(2).target)
      npy.savez(folder .. '/both.npz', { input = torch.zeros(2, 1), target = torch.ones(2) })
      assert.equal(1, dataset.Npy({ path = folder .. '/both.npz' }):get(2).target)
      npy.save(folder .. '/few.npy', torch.zeros(2))
      raises('input has 3 samples, target has 2', dataset.Npy,
         { input = folder .. '/x.npy', target = folder .. '/few.npy' })
      raises('is one array', dataset.Npy, { path = folder .. '/x.npy' })
   end)
end)
