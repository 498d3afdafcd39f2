local compare = require 'torch.tester.compare'
local fake = require 'test.support.fake_tensors'

local nan, inf = 0 / 0, math.huge

describe('comparing values', function()
   local t = {}
   local f = print
   -- got, expected, tolerance, equal
   local cases = {
      { 1, 1, 0, true }, { 1, 1.5, 0.5, true }, { 1, 1.6, 0.5, false },
      { inf, inf, 0, true }, { inf, -inf, 0, false }, { nan, nan, 1, false },
      { 'a', 'a', 0, true }, { 'a', 'b', 0, false }, { '1', 1, 0, false },
      { true, true, 0, true }, { true, false, 0, false }, { nil, nil, 0, true },
      { nil, false, 0, false }, { f, f, 0, true }, { f, error, 0, false }, { t, t, 0, true },
      { {}, {}, 0, true }, { { 1 }, {}, 0, false }, { {}, { 1 }, 0, false },
      { { a = { 1, 2 } }, { a = { 1, 2.1 } }, 0.2, true },
      { { a = { 1, 2 } }, { a = { 1, 2.1 } }, 0.05, false },
      { { false }, { false }, 0, true }, { { {} }, { { {} } }, 0, false },
   }

   for i, case in ipairs(cases) do
      it(('case %d: %s against %s'):format(i, tostring(case[1]), tostring(case[2])), function()
         local equal, message = compare.values(case[1], case[2], case[3])
         assert.equal(case[4], equal)
         assert.equal('string', type(message))
         assert.equal(case[4], (compare.values(case[2], case[1], case[3])))
      end)
   end

   it('says where tables differ', function()
      local _, message = compare.values({ a = { 1, 2 } }, { a = { 1, 3 } }, 0)
      assert.equal('at key a: at key 2: numberEQ(==) violation: max diff=1, tolerance=0', message)
      _, message = compare.values({}, { b = 7 }, 0)
      assert.equal('at key b: got nil, expected 7', message)
   end)

   it('ends on tables that contain themselves', function()
      local a, b = { 1 }, { 1 }
      a.self, b.self = a, b
      assert.is_true(compare.values(a, b, 0))
      b[1] = 2
      assert.is_false((compare.values(a, b, 0)))
   end)
end)

describe('comparing tensors', function()
   local D, B = fake.DoubleTensor, fake.ByteTensor

   it('goes by the largest difference of elements', function()
      assert.is_true(compare.values(D { 1, 2 }, D { 1, 2 }, 0))
      assert.is_true(compare.values(D { 1, 2 }, D { 1, 2.5 }, 0.5))
      local equal, message = compare.values(D { 1, 2, 4 }, D { 1, 2.5, 5.5 }, 1)
      assert.is_false(equal)
      assert.equal('TensorEQ(==) violation: max diff=1.5, tolerance=1', message)
   end)

   it('does not let bytes wrap around', function()
      assert.is_true(compare.values(B { 1 }, B { 2 }, 1))
      assert.is_false((compare.values(B { 1 }, B { 5 }, 1)))
   end)

   it('changes neither of them', function()
      local a, b = D({ 1, -2, 3, 4 }, 2, 2), D({ 1, -2, 3, 5 }, 2, 2)
      compare.values(a, b, 0)
      assert.same({ 1, -2, 3, 4 }, a.values)
      assert.same({ 1, -2, 3, 5 }, b.values)
      assert.same({ 2, 2 }, a.sizes)
   end)

   it('holds infinities equal to themselves, and nan to nothing', function()
      assert.is_true(compare.values(D { inf, 1 }, D { inf, 1 }, 0))
      assert.is_false((compare.values(D { inf, 1 }, D { inf, 2 }, 0)))
      assert.is_false((compare.values(D { inf }, D { -inf }, 1)))
      assert.is_false((compare.values(D { nan }, D { nan }, 1)))
      assert.is_false((compare.values(D { nan }, D { 1 }, 1)))
   end)

   it('tells types, sizes and tensors from numbers apart', function()
      local _, message = compare.values(D { 1 }, B { 1 }, 0)
      assert.equal('tensors of different types: torch.FakeDoubleTensor and torch.FakeByteTensor',
         message)
      _, message = compare.values(D { 1, 2 }, D({ 1, 2 }, 1, 2), 0)
      assert.equal('tensors of different sizes: 2 and 1x2', message)
      _, message = compare.values(D {}, D { 1 }, 0)
      assert.equal('tensors of different sizes: empty and 1', message)
      assert.is_false((compare.values(D { 1 }, 1, 0)))
      assert.is_false((compare.values(D { 1 }, { 1 }, 0)))
      assert.is_true(compare.values(D {}, D {}, 0))
   end)

   it('may leave the dimensions out of account, and reports that', function()
      local equal, _, reshaped = compare.tensors(D { 1, 2 }, D({ 1, 2 }, 1, 2), 0, true)
      assert.same({ true, true }, { equal, reshaped })
      equal, _, reshaped = compare.tensors(D { 1, 2 }, D { 1, 2 }, 0, true)
      assert.same({ true, false }, { equal, reshaped })
      assert.is_false((compare.tensors(D { 1, 2 }, D { 1 }, 0, true)))
   end)

   it('is done inside tables', function()
      assert.is_true(compare.values({ { D { 1 } } }, { { D { 1.1 } } }, 0.2))
      assert.is_false((compare.values({ { D { 1 } } }, { { D { 1.1 } } }, 0)))
   end)
end)

describe('comparing storages', function()
   local D, B = fake.DoubleStorage, fake.ByteStorage

   it('goes by type, size and elements', function()
      assert.is_true(compare.values(D { 1, 2 }, D { 1, 2 }, 0))
      assert.is_true(compare.values(D { 1, 2 }, D { 1, 2.5 }, 0.5))
      assert.is_false((compare.values(D { 1, 2 }, D { 1, 3 }, 0.5)))
      assert.is_false((compare.values(D { 1 }, D { 1, 2 }, 0)))
      assert.is_false((compare.values(D { 1 }, B { 1 }, 0)))
      assert.is_false((compare.values(D { 1 }, fake.DoubleTensor { 1 }, 0)))
   end)
end)
