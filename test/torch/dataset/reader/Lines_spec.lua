local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

local write = scratch.write

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   it('Lines gives the lines of a file, whatever their ends', function()
      local set = dataset.Lines(write('x.txt', 'one\r\n\nthree\0x\nfour'))
      assert.equal(4, set:size())
      assert.same({ 'one', '', 'three\0x', 'four' },
         { set:get(1), set:get(2), set:get(3), set:get(4) })
      assert.equal(1, dataset.Lines(write('y.txt', 'a\n')):size())
      assert.equal(0, dataset.Lines(write('z.txt', '')):size())
      assert.equal(3, dataset.Lines(write('y.txt', 'abc\n'), function(s) return #s end):get(1))
      raises('cannot open', dataset.Lines, scratch.folder .. '/none')
      local loader = dataset.Loader { dataset = set, batchSize = 4, workers = 1 }
      assert.same({ 'one', '', 'three\0x', 'four' }, loader()())
      loader:stop()
   end)
end)
