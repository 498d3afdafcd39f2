local torch = require 'torch'
local summary = require 'torch.tensor.summary'

describe('a large tensor', function()
   it('is one whose text would fill the screen', function()
      assert.is_true(summary.isLarge(torch.Tensor(200, 300)))
      assert.is_true(summary.isLarge(torch.Tensor(61)))
      assert.is_true(summary.isLarge(torch.Tensor(5, 5, 5, 5)))
      assert.is_true(summary.isLarge(torch.FloatStorage(100)))
      assert.is_false(summary.isLarge(torch.Tensor(60)))
      assert.is_false(summary.isLarge(torch.Tensor(60, 8)))
      assert.is_false(summary.isLarge(torch.Tensor()))
      assert.is_false(summary.isLarge(torch.FloatStorage(3)))
   end)

   it('shows the first and the last of a vector', function()
      local text = [[
    1
    2
    3
    4
    5
 ...
  996
  997
  998
  999
 1000
[torch.IntTensor of size 1000] ]]
      assert.equal(text:sub(1, -2), summary.text(torch.range(1, 1000):int()))
   end)

   it('shows the corners of a matrix', function()
      local m = torch.range(1, 100):resize(100, 1):expand(100, 20):clone()
      m:add(torch.range(1, 20):mul(1000):resize(1, 20):expand(100, 20))
      local lines = summary.text(m):split '\n'
      assert.equal('  1001   2001   3001   4001  ...  17001  18001  19001  20001', lines[1])
      assert.equal(' ...', lines[6])
      assert.equal('  1100   2100   3100   4100  ...  17100  18100  19100  20100', lines[11])
      assert.equal('[torch.DoubleTensor of size 100x20]', lines[12])
      assert.equal(12, #lines)
   end)

   it('shows all columns where there are few', function()
      assert.equal(' 1  1  1', summary.text(torch.ones(100, 3)):match '^[^\n]*')
   end)

   it('shows the first and the last matrix of a stack', function()
      local text = summary.text(torch.LongTensor(3, 4, 50, 2):fill(7))
      assert.truthy(text:find('(1,1,.,.) =\n  7  7\n', 1, true))
      assert.truthy(text:find('...\n(3,4,.,.) =\n', 1, true))
      assert.truthy(text:find('[torch.LongTensor of size 3x4x50x2]', 1, true))
   end)

   it('fits into 80 columns, whatever the numbers', function()
      for _, scale in ipairs { 1, 1e-7, 1e7, 1e200 } do
         local text = summary.text(torch.randn(100, 100):exp():exp():mul(scale))
         for line in text:gmatch '[^\n]+' do
            assert.is_true(#line <= 80, line)
         end
      end
   end)

   it('is not changed by it, whatever its strides and type', function()
      for _, t in ipairs {
         torch.range(1, 6000):resize(60, 100):t(), torch.ByteTensor(100, 9):fill(1),
         torch.range(1, 20000):resize(100, 200):narrow(2, 50, 90),
      } do
         local before = t:clone()
         summary.text(t)
         assert.equal(0, (t:double() - before:double()):abs():max())
      end
   end)

   it('shows storages by their own name', function()
      local text = summary.text(torch.FloatStorage(100):fill(2))
      assert.truthy(text:find('^ 2\n 2\n'))
      assert.equal('[torch.FloatStorage of size 100]', text:match '[^\n]*$')
   end)
end)
