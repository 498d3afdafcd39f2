local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local collate = dataset.collate

describe('dataset.collate', function()
   it('stacks tensors, numbers, nested tables and texts', function()
      local batch = collate.stack {
         { input = torch.FloatTensor { { 1, 2 } }, target = 3, name = 'a', box = { x = 1, y = 2 } },
         { input = torch.FloatTensor { { 5, 6 } }, target = 4, name = 'b', box = { x = 7, y = 8 } },
      }
      assert.equal('torch.FloatTensor', batch.input:type())
      assert.same({ { { 1, 2 } }, { { 5, 6 } } }, batch.input:totable())
      assert.same({ 3, 4 }, batch.target:totable())
      assert.equal(torch.getdefaulttensortype(), batch.target:type())
      assert.same({ 'a', 'b' }, batch.name)
      assert.same({ 1, 7 }, batch.box.x:totable())
      assert.same({ { 1 }, { 2 } }, collate.stack { torch.Tensor { 1 }, torch.Tensor { 2 } }
         :totable())
      assert.same({ 1, 2 }, collate.stack { 1, 2 }:totable())
   end)

   it('gives numbers the type that is asked for', function()
      local batch = collate.stack({ { target = 1 }, { target = 2 } }, nil,
         { target = 'torch.LongTensor' })
      assert.equal('torch.LongTensor', batch.target:type())
   end)

   it('names both samples where they do not fit', function()
      local indices = torch.LongTensor { 7, 9 }
      raises('sample 7 is empty DoubleTensor, sample 9 is 3 DoubleTensor: a batch wants one size',
         collate.stack, { torch.Tensor(), torch.ones(3) }, indices)
      raises('input of sample 7 is 2 DoubleTensor, input of sample 9 is 3 DoubleTensor: a batch '
         .. 'wants one size', collate.stack, { { input = torch.zeros(2) },
         { input = torch.zeros(3) } }, indices)
      raises('input of sample 7 is 2 DoubleTensor, input of sample 9 is 2 FloatTensor',
         collate.stack, { { input = torch.zeros(2) }, { input = torch.zeros(2):float() } }, indices)
      raises('sample 9 has no target, sample 7 has one', collate.stack,
         { { a = 1, target = 1 }, { a = 1 } }, indices)
      raises('sample 7 has no target, sample 9 has one', collate.stack,
         { { a = 1 }, { a = 1, target = 1 } }, indices)
      raises('wanted a list of samples, got an empty one', collate.stack, {})
   end)

   it('pads to the longest, with lengths', function()
      local pad = collate.pad { value = 9, values = { target = -1 } }
      local batch = pad {
         { input = torch.Tensor { { 1, 2 }, { 3, 4 } }, target = torch.LongTensor { 1 } },
         { input = torch.Tensor { { 5, 6 } }, target = torch.LongTensor { 2, 3 } },
         { input = torch.Tensor(), target = torch.LongTensor { 4 } },
      }
      assert.same({ { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 9, 9 } }, { { 9, 9 }, { 9, 9 } } },
         batch.input:totable())
      assert.same({ { 1, -1 }, { 2, 3 }, { 4, -1 } }, batch.target:totable())
      assert.same({ 2, 1, 0 }, batch.lengths.input:totable())
      assert.same({ 1, 2, 1 }, batch.lengths.target:totable())
      local x, lengths = pad { torch.Tensor { 1 }, torch.Tensor { 2, 3 } }
      assert.same({ { 1, 9 }, { 2, 3 } }, x:totable())
      assert.same({ 1, 2 }, lengths:totable())
      raises('sample 2 is 1x3 DoubleTensor: only the first dimension can be padded', pad,
         { torch.zeros(1, 2), torch.zeros(1, 3) })
   end)

   it('leaves samples apart', function()
      local batch = collate.list { { input = torch.zeros(2), target = 1 },
         { input = torch.zeros(3), target = 2 } }
      assert.equal(3, batch.input[2]:size(1))
      assert.same({ 1, 2 }, batch.target)
      raises('sample 2 has no target', collate.list, { { target = 1 }, {} })
   end)
end)
