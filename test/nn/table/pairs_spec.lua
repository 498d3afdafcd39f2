-- Products, and measures of pairs: values by hand or by the functions of torch.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.MM', function()
   it('multiplies each pair, transposed or not', function()
      torch.manualSeed(1)
      for k = 0, 3 do
         local ta, tb = k % 2 == 1, k > 1
         local a = ta and torch.randn(3, 4, 2) or torch.randn(3, 2, 4)
         local b = tb and torch.randn(3, 5, 4) or torch.randn(3, 4, 5)
         local layer = nn.MM(ta, tb)
         local y = layer:forward { a, b }
         assert.same({ 3, 2, 5 }, y:size():totable())
         for i = 1, 3 do
            local ai, bi = ta and a[i]:t() or a[i], tb and b[i]:t() or b[i]
            numbers.same(torch.mm(ai, bi), y[i], 1e-14)
         end
         numbers.same(y[2], nn.MM(ta, tb):forward { a[2], b[2] }, 1e-14)
      end
   end)

   it('says what sizes it wants', function()
      raises('nn.MM: input is 2x3 and 4x5, expected K x M and K x N', nn.MM(true).forward,
         nn.MM(true), { torch.ones(2, 3), torch.ones(4, 5) })
      raises('nn.MM: input is a table of 1, expected a table of 2 tensors', nn.MM().forward,
         nn.MM(), { torch.ones(2, 3) })
   end)
end)

describe('nn.MV', function()
   it('multiplies a matrix and a vector', function()
      local m, v = torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }, torch.Tensor { 1, 0, -1 }
      numbers.equal({ -2, -2 }, nn.MV():forward { m, v })
      numbers.equal({ 5, 7, 9 }, nn.MV(true):forward { m, torch.ones(2) })
      raises('nn.MV: input is 2x3 and 2, expected M x N and N', nn.MV().forward, nn.MV(),
         { m, torch.ones(2) })
   end)
end)

describe('measures of pairs', function()
   local a, b = torch.Tensor { { 1, 2 }, { 3, -4 } }, torch.Tensor { { 4, -2 }, { 3, 4 } }
   local cases = {
      { nn.DotProduct(), { 0, -7 } },
      { nn.PairwiseDistance(1), { 7, 8 } },
      { nn.PairwiseDistance(), { 5, 8 } },
      { nn.CosineDistance(), { 0, -7 / 25 } },
   }
   for _, case in ipairs(cases) do
      it(tostring(case[1]) .. ' has its values, of batches and of one pair', function()
         local layer, expected = case[1], torch.Tensor(case[2])
         numbers.same(expected, layer:forward { a, b }, 1e-12)
         local y = layer:forward { a[2], b[2] }
         assert.same({ 1 }, y:size():totable())
         assert.near(expected[2], y[1], 1e-12)
         assert.same({ 2 }, layer:backward({ a[2], b[2] }, torch.ones(1))[1]:size():totable())
      end)
   end

   it('have finite gradients where vectors are the same, or zero', function()
      for _, p in ipairs { 1, 1.5, 2, 3 } do
         local layer = nn.PairwiseDistance(p)
         layer:forward { a, a }
         assert.equal(0, layer:backward({ a, a }, torch.ones(2))[1]:clone():abs():max())
      end
      local layer, zero = nn.CosineDistance(), torch.zeros(2, 2)
      layer:forward { zero, a }
      local g = layer:backward({ zero, a }, torch.ones(2))
      assert.is_true(g[1]:sum() == g[1]:sum() and g[2]:sum() == 0)
   end)

   it('want two of one size', function()
      raises('nn.DotProduct: input is 2 and 3, expected N x D and N x D, or D and D',
         nn.DotProduct().forward, nn.DotProduct(), { torch.ones(2), torch.ones(3) })
   end)
end)

describe('nn.MixtureTable', function()
   it('weighs experts in a table, and in a tensor', function()
      local gater = torch.Tensor { { 0.25, 0.75 }, { 1, 0 } }
      local experts = torch.Tensor { { { 4, 8, 0 }, { 0, 4, 4 } }, { { 1, 2, 3 }, { 9, 9, 9 } } }
      local expected, g = { { 1, 5, 3 }, { 1, 2, 3 } }, torch.Tensor { { 1, 0, 0 }, { 0, 1, 1 } }
      local list = { experts:select(2, 1), experts:select(2, 2) }
      local by_table, by_tensor = nn.MixtureTable(), nn.MixtureTable(2)
      numbers.equal(expected, by_table:forward { gater, list })
      numbers.equal(expected, by_tensor:forward { gater, experts })
      local gx = by_table:backward({ gater, list }, g)
      numbers.equal({ { 4, 0 }, { 5, 18 } }, gx[1])
      numbers.equal({ { 0.75, 0, 0 }, { 0, 0, 0 } }, gx[2][2])
      local gt = by_tensor:backward({ gater, experts }, g)
      numbers.same(gx[1], gt[1])
      numbers.same(gx[2][1], gt[2]:select(2, 1))
      -- One sample, whose experts are numbers.
      numbers.equal({ 5 }, nn.MixtureTable():forward { torch.Tensor { 1, 2 },
         torch.Tensor { 1, 2 } })
   end)

   it('wants as many experts as weights', function()
      local layer = nn.MixtureTable()
      raises('nn.MixtureTable: input 2 is a table of 1, expected 2 experts: input 1 is 2',
         layer.forward, layer, { torch.ones(2), { torch.ones(3) } })
   end)
end)
