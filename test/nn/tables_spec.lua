local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.tables', function()
   it('connects all, or one to one', function()
      numbers.equal({ { 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }, { 2, 2 }, { 3, 2 } },
         nn.tables.full(3, 2))
      numbers.equal({ { 1, 1 }, { 2, 2 } }, nn.tables.oneToOne(2))
   end)

   it('draws different inputs for each output, all inputs equally often', function()
      torch.manualSeed(2)
      local map = nn.tables.random(6, 9, 2)
      assert.same({ 18, 2 }, map:size():totable())
      local seen = {}
      for i = 1, 9 do
         local a, b = map[2 * i - 1], map[2 * i]
         assert.equal(i, a[2])
         assert.equal(i, b[2])
         assert.not_equal(a[1], b[1])
         seen[a[1]], seen[b[1]] = (seen[a[1]] or 0) + 1, (seen[b[1]] or 0) + 1
      end
      assert.same({ 3, 3, 3, 3, 3, 3 }, seen)
      assert.same({ 8, 2 }, nn.tables.random(3, 4, 2):size():totable()) -- one is left each time
      raises('nn.tables.random: an output cannot see 4 of 3 inputs', nn.tables.random, 3, 2, 4)
   end)
end)
