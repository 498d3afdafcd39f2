local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local of, random, regression, classification = make.of, make.random, make.regression,
   make.classification

-- Of an input and a target, both made by `values` of their sizes.
local function elements(new, input, target)
   target = target or input
   return {
      new = new,
      input = function() return input(3, 4), target(3, 4) end,
      single = function() return input(4), target(4) end,
      wrong = function() return input(3, 4), target(5) end,
   }
end

local function probability(...)
   return torch.rand(...):mul(0.6):add(0.2)
end

local function log_probability(...)
   return probability(...):log()
end

local function zero_or_one(...)
   return torch.Tensor(...):bernoulli()
end

local function sign(...)
   return torch.Tensor(...):bernoulli():mul(2):add(-1)
end

-- Of tables of `count` tensors of the sizes, and a target made by `target` for each sample.
local function tuple(new, count, target, batch, single, wrong)
   local function tensors(sizes)
      local list = {}
      for i = 1, count do
         list[i] = random(unpack(sizes))
      end
      return list
   end
   return {
      new = new,
      input = function() return tensors(batch), target and target(batch[1]) end,
      single = single and function() return tensors(single), target and target(1) end,
      wrong = wrong or function() return { random(3, 4) }, target and target(3) end,
   }
end

local function of_weights(f, ...)
   local arguments = { ... }
   return function()
      return f(torch.Tensor { 0.5, 1, 2, 0.25 }, unpack(arguments))
   end
end

local function labels(new)
   return {
      new = new,
      input = function()
         return random(2, 4), torch.LongTensor { { 3, 1, 0, 2 }, { 4, 0, 0, 0 } }
      end,
      single = function() return random(4), torch.LongTensor { 2, 0, 0, 0 } end,
      wrong = function()
         return random(2, 4), torch.LongTensor { { 5, 0, 0, 0 }, { 1, 0, 0, 0 } }
      end,
   }
end

local function images(new)
   return {
      new = new,
      input = function() return random(2, 3, 2, 2), torch.LongTensor(2, 2, 2):random(3) end,
      wrong = function() return random(2, 3, 2, 2), torch.LongTensor(2, 2):random(3) end,
   }
end

local function with_inner(sample)
   sample.inside = true
   return sample
end

return {
   MSECriterion = { regression(nn.MSECriterion), regression(of(nn.MSECriterion, false)) },
   AbsCriterion = { regression(nn.AbsCriterion), regression(of(nn.AbsCriterion, false)) },
   SmoothL1Criterion = { regression(nn.SmoothL1Criterion) },
   HuberCriterion = { regression(of(nn.HuberCriterion, 1.7)) },
   WeightedMSECriterion = { elements(of_weights(nn.WeightedMSECriterion), random) },
   SpatialAutoCropMSECriterion = {
      {
         new = nn.SpatialAutoCropMSECriterion,
         input = function() return random(2, 3, 4, 2), random(2, 3, 5, 4) end,
         single = function() return random(3, 4, 2), random(3, 7, 2) end,
         wrong = function() return random(2, 3, 4, 2), random(2, 3, 3, 2) end,
      },
   },
   SoftMarginCriterion = { elements(nn.SoftMarginCriterion, random, sign) },
   MarginCriterion = { elements(of(nn.MarginCriterion, 0.7), random, sign) },
   HingeEmbeddingCriterion = { elements(of(nn.HingeEmbeddingCriterion, 0.7), random, sign) },
   DistKLDivCriterion = { elements(nn.DistKLDivCriterion, log_probability, probability) },
   BCECriterion = {
      elements(nn.BCECriterion, probability), elements(of_weights(nn.BCECriterion), probability),
      elements(of_weights(nn.BCECriterion, false), probability),
   },
   BCEWithLogitsCriterion = {
      elements(nn.BCEWithLogitsCriterion, random, probability),
      elements(of_weights(nn.BCEWithLogitsCriterion), random, probability),
   },
   FocalCriterion = {
      elements(nn.FocalCriterion, random, zero_or_one),
      elements(of(nn.FocalCriterion, 0.5, -1), random, probability),
   },
   MultiLabelSoftMarginCriterion = {
      elements(nn.MultiLabelSoftMarginCriterion, random, zero_or_one),
      elements(of_weights(nn.MultiLabelSoftMarginCriterion), random, zero_or_one),
   },
   MultiLabelMarginCriterion = {
      labels(nn.MultiLabelMarginCriterion), labels(of(nn.MultiLabelMarginCriterion, false)),
   },
   MultiMarginCriterion = {
      classification(nn.MultiMarginCriterion), classification(of(nn.MultiMarginCriterion, 2)),
      classification(function()
         return nn.MultiMarginCriterion(2, torch.Tensor { 0.5, 1, 2 }, 0.3)
      end),
   },
   ClassNLLCriterion = {
      classification(nn.ClassNLLCriterion),
      classification(function() return nn.ClassNLLCriterion(torch.Tensor { 0.5, 1, 2 }) end),
      classification(of(nn.ClassNLLCriterion, nil, false)),
   },
   SpatialClassNLLCriterion = {
      images(nn.SpatialClassNLLCriterion),
      images(function() return nn.SpatialClassNLLCriterion(torch.Tensor { 0.5, 1, 2 }) end),
   },
   CrossEntropyCriterion = {
      classification(nn.CrossEntropyCriterion),
      classification(of(nn.CrossEntropyCriterion, nil, true, 0.1)),
      classification(function()
         return nn.CrossEntropyCriterion(torch.Tensor { 0.5, 1, 2 }, false, 0.3)
      end),
   },
   DistillationCriterion = {
      {
         new = of(nn.DistillationCriterion, 3, 0.7),
         input = function()
            return random(4, 3), { random(4, 3), torch.LongTensor { 1, 3, 2, 3 } }
         end,
         why = 'means over samples', wrong = function() return random(4, 3), random(4, 3) end,
      },
      {
         new = of(nn.DistillationCriterion, 2, 1),
         input = function() return random(4, 3), random(4, 3) end,
         why = 'means over samples', wrong = function() return random(4, 3), random(4, 2) end,
      },
   },
   ClassSimplexCriterion = { classification(of(nn.ClassSimplexCriterion, 3)) },
   L1Cost = {
      {
         new = nn.L1Cost,
         input = of(random, 3, 4), single = of(random, 4),
         wrong = function() return { random(4) } end,
      },
   },
   L1HingeEmbeddingCriterion = {
      tuple(nn.L1HingeEmbeddingCriterion, 2, function() return 1 end, { 3, 4 }, { 4 }),
      tuple(of(nn.L1HingeEmbeddingCriterion, 30), 2, function() return -1 end, { 3, 4 }, { 4 }),
   },
   CosineEmbeddingCriterion = {
      tuple(of(nn.CosineEmbeddingCriterion, -0.8), 2, sign, { 3, 4 }, { 4 }),
   },
   MarginRankingCriterion = { tuple(of(nn.MarginRankingCriterion, 0.7), 2, sign, { 3 }, { 1 }) },
   DistanceRatioCriterion = {
      tuple(nn.DistanceRatioCriterion, 2, nil, { 3 }, { 1 }),
      tuple(of(nn.DistanceRatioCriterion, false), 2, nil, { 3, 2 }),
   },
   TripletMarginCriterion = {
      tuple(nn.TripletMarginCriterion, 3, nil, { 3, 4 }, { 4 }),
      tuple(of(nn.TripletMarginCriterion, 2, 1, false), 3, nil, { 3, 4 }, { 4 }),
      tuple(of(nn.TripletMarginCriterion, 2, 3), 3, nil, { 3, 4 }),
   },
   ContrastiveCriterion = {
      tuple(nn.ContrastiveCriterion, 2, nil, { 3, 4 }),
      tuple(of(nn.ContrastiveCriterion, 0.2, true), 2, nil, { 3, 4 }),
   },
   CTCCriterion = {
      {
         new = nn.CTCCriterion,
         input = function() return random(6, 2, 4), { { 2, 3, 3 }, { 4 } } end,
         single = function() return random(4, 3), torch.LongTensor { 2, 3 } end,
         wrong = function() return random(6, 2, 4), { { 2, 1 }, { 4 } } end,
      },
      {
         new = of(nn.CTCCriterion, 4, false, true),
         input = function()
            return random(2, 6, 4), torch.LongTensor { { 2, 3, 2 }, { 1, 0, 0 } }
         end,
         wrong = function() return random(2, 6, 4), { { 1 } } end,
      },
   },
   MultiCriterion = {
      with_inner(regression(function()
         return nn.MultiCriterion():add(nn.MSECriterion(), 0.5):add(nn.AbsCriterion())
      end)),
   },
   ParallelCriterion = {
      with_inner {
         new = function()
            return nn.ParallelCriterion():add(nn.MSECriterion(), 0.5):add(nn.ClassNLLCriterion())
         end,
         input = function()
            return { random(3, 4), random(2, 3) }, { random(3, 4), torch.LongTensor { 3, 1 } }
         end,
         wrong = function() return { random(3, 4), random(2, 3) }, { random(3, 4) } end,
      },
   },
   ModuleCriterion = {
      with_inner(regression(function()
         return nn.ModuleCriterion(nn.MSECriterion(), nn.Tanh(), nn.Square())
      end)),
   },
}
