local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

local write = scratch.write

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   it('Tokens gives windows of a mapped file', function()
      local path = scratch.folder .. '/t.bin'
      dataset.Tokens.write(path, torch.LongTensor { 1, 300, 65536, 4, 5, 6, 7 })
      local set = dataset.Tokens { path = path, length = 2 }
      assert.equal(3, set:size())
      assert.same({ 1, 300 }, set:get(1).input:totable())
      assert.same({ 300, 65536 }, set:get(1).target:totable())
      assert.same({ 6, 7 }, set:get(3).target:totable())
      assert.equal(5, dataset.Tokens({ path = path, length = 2, stride = 1 }):size())
      dataset.Tokens.write(path, torch.LongTensor { 0, 2 ^ 32 - 1 }, { bytes = 4, offset = 0 })
      assert.same({ 2 ^ 32 - 1 }, dataset.Tokens({ path = path, length = 1, bytes = 4, offset = 0 })
         :get(1).target:totable())
      raises('2 tokens are too few for a window of 2', dataset.Tokens,
         { path = path, length = 2, bytes = 4 })
      raises('token 70000 at place 2 is not in 1..65536', dataset.Tokens.write, path,
         torch.LongTensor { 1, 70000 })
      raises('has 3 bytes, no multiple of 2', dataset.Tokens,
         { path = write('odd', 'abc'), length = 1 })
      raises('give path, or tokens', dataset.Tokens, { length = 1 })
      raises('dataset.Tokens.write: numbers have 2 or 4 bytes, got 3', dataset.Tokens.write, path,
         torch.LongTensor { 1 }, { bytes = 3 })
      raises('cannot write ' .. scratch.folder .. '/none/t.bin: No such file', dataset.Tokens.write,
         scratch.folder .. '/none/t.bin', torch.LongTensor { 1 })
   end)
end)
