local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'

local function inc(_, x)
   return x + 1
end

describe('nn.nested', function()
   it('visits leaves', function()
      local sum = 0
      nested.each(function(x, factor) sum = sum + factor * x end, { 1, { a = 2, b = { 3 } } }, 10)
      assert.equal(60, sum)
      nested.each(function(x) sum = x end, 5)
      assert.equal(5, sum)
   end)

   it('finds the first leaf, and whether one is of a kind', function()
      assert.equal(3, nested.first { { { 3 }, 4 }, 5 })
      assert.equal('x', nested.first 'x')
      assert.is_nil(nested.first { {}, 5 })
      local object = nn.Identity() -- a leaf
      assert.equal(object, nested.first { object })
      local function above(x, limit) return x > limit end
      assert.is_true(nested.any(above, { 1, { a = 2, b = { 5 } } }, 4))
      assert.is_false(nested.any(above, { 1, { a = 2, b = { 5 } } }, 5))
      assert.is_false(nested.any(above, {}, 5))
      assert.is_true(nested.any(above, 6, 5))
   end)

   it('puts results into a table, whose other keys `into` drops and `onto` keeps', function()
      local r = { 0, { a = 0, old = 1 }, 9 }
      assert.equal(r, nested.onto(inc, r, { 1, { a = 2 } }))
      assert.same({ 2, { a = 3, old = 1 }, 9 }, r)
      assert.equal(r, nested.into(inc, r, { 1, { a = 2 } }))
      assert.same({ 2, { a = 3 } }, r)
      assert.same({ 5, { 6 } }, nested.into(inc, 'no table', { 4, { 5 } }))
      assert.equal(5, nested.into(inc, { 1 }, 4))
   end)

   it('gives the leaf what was there', function()
      local function old(before, x)
         return { before, x }
      end
      assert.same({ { 1, 'a' } }, nested.onto(old, { 1 }, { 'a' }))
      assert.same({ { 7, 'a' } }, nested.onto(old, 7, { 'a' })) -- a leaf becomes the first entry
   end)

   it('goes through several nests at once', function()
      local function total(_, list)
         return list[1] + list[2]
      end
      assert.same({ 11, { a = 22 } },
         nested.zip(total, { 0, 0, 0 }, { { 1, { a = 2 } }, { 10, { a = 20 } } }))
   end)

   it('changes leaves in place, objects of classes too', function()
      local object = torch.Timer()
      local t = { 1, { object } }
      local seen = {}
      assert.equal(t, nested.change(function(x)
         seen[#seen + 1] = x
         return x == object and x or x + 1
      end, t))
      assert.same({ 2, { object } }, t)
      assert.equal(object, seen[2])
   end)

   it('releases what belongs to somebody else', function()
      local x = torch.Tensor(3)
      assert.equal(0, nested.released(x):nElement())
      assert.equal(3, x:nElement())
      assert.same({}, nested.released { x })
      assert.is_nil(nested.released(5))
   end)
end)
