local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.utils', function()
   local nested

   before_each(function()
      nested = { torch.Tensor { 1, 2 }, { inner = torch.Tensor { 3 } } }
   end)

   it('converts nested tensors and keeps their sharing', function()
      local part = nested[1]:narrow(1, 2, 1)
      local converted = nn.utils.recursiveType({ nested[1], part, 'text' }, 'torch.FloatTensor')
      assert.equal('torch.FloatTensor', converted[1]:type())
      assert.equal('text', converted[3])
      converted[1][2] = 42
      numbers.equal({ 42 }, converted[2])
   end)

   it('keeps modules whose type() returns nothing', function()
      local layer = nn.Linear(2, 2)
      function layer:type(typename)
         self.weight = self.weight:type(typename)
      end
      local chain = nn.Sequential():add(layer):float()
      assert.equal(layer, chain:get(1))
      assert.equal('torch.FloatTensor', layer.weight:type())
   end)

   it('resizes to another structure, and drops what that has not', function()
      local t = nn.utils.recursiveResizeAs({ torch.Tensor(5), torch.Tensor(1), extra = 1 }, nested)
      assert.equal(2, t[1]:nElement())
      assert.equal(1, t[2].inner:nElement())
      assert.is_nil(t.extra)
   end)

   it('fills, adds and copies', function()
      local copy = nn.utils.recursiveCopy(nil, nested)
      numbers.equal({ 3 }, copy[2].inner)
      nn.utils.recursiveFill(copy, 1)
      numbers.equal({ 1, 1 }, copy[1])
      nn.utils.recursiveAdd(copy, 2, nested)
      numbers.equal({ 3, 5 }, copy[1])
      nn.utils.recursiveAdd(copy, nested)
      numbers.equal({ 10 }, copy[2].inner)
      numbers.equal({ 3 }, nested[2].inner)
   end)

   it('refuses what is neither tensor nor table, at the user\'s line', function()
      for _, f in ipairs { 'recursiveResizeAs', 'recursiveCopy', 'recursiveAdd' } do
         local _, err = pcall(function() nn.utils[f]({ torch.Tensor(1) }, { 'text' }) end)
         assert.matches('utils_spec.*expecting nested tensors or tables. Got .* and string', err)
      end
      local _, err = pcall(function() nn.utils.recursiveFill({ 'text' }, 1) end)
      assert.matches('utils_spec.*expecting tensor or table thereof. Got string', err)
   end)

   it('views a tensor with one more dimension', function()
      local x = torch.range(1, 6):view(2, 3)
      assert.same({ 1, 2, 3 }, nn.utils.addSingletonDimension(x):size():totable())
      local view = torch.Tensor()
      nn.utils.addSingletonDimension(view, x:t(), 3)
      assert.same({ 3, 2, 1 }, view:size():totable())
      view[2][1][1] = 42
      assert.equal(42, x[1][2])
      raises('invalid dimension: 4. Tensor has 2 dimensions', nn.utils.addSingletonDimension, x, 4)
   end)

   it('views contiguous memory, and copies other', function()
      local x = torch.range(1, 6):view(2, 3)
      local view = nn.utils.contiguousView(torch.Tensor(), x, 6)
      view[1] = 42
      assert.equal(42, x[1][1])
      numbers.equal({ 42, 4, 2, 5, 3, 6 }, nn.utils.contiguousView(nil, x:t(), 6))
      assert.equal(42, x[1][1])
   end)

   it('clears fields', function()
      local object = { t = torch.Tensor(3), list = { 1 }, n = 5 }
      local t = object.t
      assert.equal(object, nn.utils.clear(object, 't', 'list', 'n', 'missing'))
      assert.equal(0, t:nElement())
      assert.same({}, object.list)
      assert.is_nil(object.n)
   end)
end)
