-- Sums and means of criterions; margins and other numbers against loops.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

local N, C = 3, 4

local function real() return torch.randn(N, C) end
local function positive() return torch.rand(N, C):add(0.1) end
local function probability() return torch.rand(N, C):mul(0.8):add(0.1) end
local function bits() return torch.Tensor(N, C):bernoulli(0.5) end
local function signs() return bits():mul(2):add(-1) end
local function sign_of_rows() return torch.Tensor { 1, -1, 1 } end
local function classes() return torch.LongTensor { 2, 4, 1 } end
local function places() return torch.LongTensor(N, 2, 2):random(C) end
local function pair() return { real(), real() } end
local function none() end

-- What the criterion is in Lua, its input, its target, and how many terms its mean has.
local CASES = {
   { 'MSECriterion(%s)', real, real, N * C },
   { 'AbsCriterion(%s)', real, real, N * C },
   { 'SmoothL1Criterion(%s)', real, real, N * C },
   { 'HuberCriterion(0.3, %s)', real, real, N * C },
   { 'BCECriterion(nil, %s)', probability, bits, N * C },
   { 'BCECriterion(torch.range(1, 4), %s)', probability, bits, N * C },
   { 'BCEWithLogitsCriterion(nil, %s)', real, bits, N * C },
   { 'BCEWithLogitsCriterion(torch.range(1, 4), %s)', real, bits, N * C },
   { 'FocalCriterion(1.5, 0.3, nil, %s)', real, bits, N * C },
   { 'MultiLabelSoftMarginCriterion(nil, %s)', real, bits, N * C },
   { 'DistKLDivCriterion(%s)', real, probability, N * C },
   { 'SoftMarginCriterion(%s)', real, signs, N * C },
   { 'MarginCriterion(0.7, %s)', real, signs, N * C },
   { 'HingeEmbeddingCriterion(0.7, %s)', positive, signs, N * C },
   { 'MarginRankingCriterion(0.7, %s)', pair, signs, N * C },
   { 'DistanceRatioCriterion(%s)', pair, none, N * C },
   { 'CosineEmbeddingCriterion(-0.9, %s)', pair, sign_of_rows, N },
   { 'TripletMarginCriterion(1, 2, %s)', function() return { real(), real(), real() } end, none,
      N },
   { 'MultiLabelMarginCriterion(%s)', real, function()
      return torch.LongTensor { { 2, 4, 0, 1 }, { 1, 0, 0, 0 }, { 3, 1, 2, 0 } }
   end, N },
   { 'MultiMarginCriterion(1, nil, 1, %s)', real, classes, N },
   { 'MultiMarginCriterion(2, torch.range(1, 4), 0.8, %s)', real, classes, N },
   { 'ClassNLLCriterion(nil, %s)', real, classes, N },
   { 'ClassNLLCriterion(torch.range(1, 4), %s)', real, classes, 2 + 4 + 1 },
   { 'CrossEntropyCriterion(nil, %s)', real, classes, N },
   { 'CrossEntropyCriterion(torch.range(1, 4), %s)', real, classes, 2 + 4 + 1 },
   { 'CrossEntropyCriterion(nil, %s, 0.2)', real, classes, N },
   { 'SpatialClassNLLCriterion(nil, %s)', function() return torch.randn(N, C, 2, 2) end, places,
      N * 4 },
   { 'ClassSimplexCriterion(4)', real, classes, N * C, field = true },
   { 'SpatialAutoCropMSECriterion(%s)', function() return torch.randn(N, C, 2, 2) end,
      function() return torch.randn(N, C, 5, 4) end, N * C * 4 },
   { 'WeightedMSECriterion(torch.range(1, 4))', real, real, N * C, field = true },
   { 'CTCCriterion(1, %s)', function() return torch.randn(5, 2, C) end,
      function() return { { 2, 3 }, { 4, 2 } } end, false }, -- divides by lengths: oracle_spec
}

local function make(case, average)
   local text = case.field and case[1] or case[1]:format(tostring(average))
   local criterion = setfenv(assert(loadstring('return nn.' .. text)), { nn = nn, torch = torch })()
   if case.field then
      criterion.sizeAverage = average
   end
   return criterion
end

local function scaled(gradient, factor, expected)
   if torch.isTensor(gradient) then
      numbers.same(expected, gradient * factor, 1e-12)
      return
   end
   for i, g in ipairs(gradient) do
      scaled(g, factor, expected[i])
   end
end

describe('the mean of', function()
   for _, case in ipairs(CASES) do
      local count = case[4]
      if count then
         it(case[1] .. ' is the sum by the number of terms, its gradients too', function()
            local x, t = case[2](), case[3]()
            local mean, sum = make(case, true), make(case, false)
            local total = sum:forward(x, t)
            assert.is_true(math.abs(total) > 1e-3)
            assert.near(total, mean:forward(x, t) * count, 1e-12)
            scaled(mean:backward(x, t), count, sum:backward(x, t))
            mean.sizeAverage = false -- set later
            assert.near(total, (mean:forward(x, t)), 1e-12)
         end)
      end
   end

   it('every criterion that has the choice is here', function()
      local there, count = {}, 0
      for _, case in ipairs(CASES) do
         there[case[1]:match '^%w+'] = true
      end
      for name, class in pairs(nn) do
         local ok, criterion = pcall(function() return name:find 'Criterion$' and class() end)
         if ok and criterion and criterion.sizeAverage ~= nil then
            assert(there[name], name .. ' is not')
            count = count + 1
         end
      end
      assert.is_true(count > 15)
   end)
end)

-- Loops over the elements of nested tables.
local function sum_over(x, f)
   local sum = 0
   for i, v in ipairs(x) do
      sum = sum + f(v, i)
   end
   return sum
end

describe('criterions by loops:', function()
   it('margins are 1 by default', function()
      local zero, one = torch.zeros(1), torch.ones(1)
      assert.equal(1, nn.MarginCriterion():forward(zero, one))
      assert.equal(1, nn.MarginRankingCriterion():forward({ zero, zero }, one))
      assert.equal(1, nn.HingeEmbeddingCriterion():forward(zero, -one))
      assert.equal(1, nn.L1HingeEmbeddingCriterion():forward({ zero, zero }, -one))
      assert.near(1, nn.TripletMarginCriterion():forward { zero, zero, zero }, 1e-5)
      assert.equal(0.5, nn.MultiMarginCriterion():forward(torch.zeros(2), 1))
      assert.equal(0.5, nn.HuberCriterion():forward(zero, one))
      assert.near(1, nn.CosineEmbeddingCriterion():forward({ one, one }, -one), 1e-9) -- margin 0
   end)

   it('nn.MultiMarginCriterion', function()
      local x, t, w = real(), classes(), torch.Tensor { 0.5, 2, 1, 3 }
      for p = 1, 2 do
         for _, weights in ipairs { false, w } do
            local expected = sum_over(x:totable(), function(row, n)
               local class = t[n]
               return (weights and weights[class] or 1) * sum_over(row, function(v, i)
                  return i == class and 0 or math.max(0, 0.8 - row[class] + v) ^ p
               end)
            end) / C
            assert.near(expected, nn.MultiMarginCriterion(p, weights or nil, 0.8, false)
               :forward(x, t), 1e-12)
         end
      end
   end)

   it('nn.MultiLabelMarginCriterion', function()
      local x, t = real(), torch.LongTensor { { 2, 4, 0, 1 }, { 1, 0, 0, 0 }, { 3, 1, 2, 0 } }
      local targets = { { 2, 4 }, { 1 }, { 3, 1, 2 } }
      local expected = sum_over(x:totable(), function(row, n)
         local is_target = {}
         for _, class in ipairs(targets[n]) do
            is_target[class] = true
         end
         return sum_over(targets[n], function(class)
            return sum_over(row, function(v, i)
               return is_target[i] and 0 or math.max(0, 1 - row[class] + v)
            end)
         end)
      end) / C
      assert.near(expected, nn.MultiLabelMarginCriterion(false):forward(x, t), 1e-12)
   end)

   it('nn.CosineEmbeddingCriterion', function()
      local a, b, t = real(), real(), { 1, -1, -1 }
      local expected = 0
      for n = 1, N do
         local ab, aa, bb = 0, 0, 0
         for i = 1, C do
            ab, aa, bb = ab + a[n][i] * b[n][i], aa + a[n][i] ^ 2, bb + b[n][i] ^ 2
         end
         local cosine = ab / math.sqrt(aa * bb)
         expected = expected + (t[n] == 1 and 1 - cosine or math.max(0, cosine + 0.9))
      end
      assert.near(expected, nn.CosineEmbeddingCriterion(-0.9, false)
         :forward({ a, b }, torch.Tensor(t)), 1e-10)
   end)

   it('nn.DistanceRatioCriterion', function()
      local near, far = torch.Tensor { 1, 5, 2 }, torch.Tensor { 4, 1, 2 }
      local function loss(d) return math.log(1 + math.exp(d)) end
      local function slope(d) return 1 / (1 + math.exp(-d)) end
      local criterion = nn.DistanceRatioCriterion()
      assert.near((loss(-3) + loss(4) + loss(0)) / 3, criterion:forward { near, far }, 1e-14)
      local g = criterion:backward { near, far }
      numbers.same(torch.Tensor { slope(-3), slope(4), 0.5 } / 3, g[1], 1e-14)
      numbers.same(torch.Tensor { slope(-3), slope(4), 0.5 } / -3, g[2], 1e-14)
   end)

   it('nn.SpatialAutoCropMSECriterion takes the middle, of an odd rest more behind', function()
      local criterion = nn.SpatialAutoCropMSECriterion()
      local t = torch.range(1, 4):view(1, 2, 2)
      assert.equal(9, criterion:forward(torch.zeros(1, 1, 1):add(4), t)) -- of 1
      numbers.equal({ { { 6 } } }, criterion:backward(torch.zeros(1, 1, 1):add(4), t))
      -- Rows 2 and 3 of 5, columns 2 and 3 of 4.
      t = torch.range(1, 20):view(1, 5, 4)
      local middle = torch.Tensor { { 6, 7 }, { 10, 11 } }
      assert.equal(0, criterion:forward(middle:view(1, 2, 2), t:narrow(2, 1, 4)))
      assert.equal(0, criterion:forward(middle:view(1, 2, 2), t))
      local x = middle:view(1, 1, 2, 2) + 1
      assert.equal(1, criterion:forward(x, t:view(1, 1, 5, 4)))
      numbers.equal({ { { { 0.5, 0.5 }, { 0.5, 0.5 } } } },
         criterion:backward(x, t:view(1, 1, 5, 4))) -- 2 / 4
   end)
end)
