--- One or more samples of every class of nn, for the spec that walks the package.
--
-- A sample has
--
--     new      function that makes the layer or criterion
--     input    function that makes a batch (for a criterion: input and target); double, off kinks
--     single   the same for one sample; nil where there is no other form, `why` says so
--     wrong    function that makes an input of a wrong shape; nil: one of another type is wrong
--     compact  the input must not have gaps
--     inplace  it writes over its input
--     anything any input will do: none is wrong
local torch = require 'torch'
local nn = require 'nn'

local M = {}

--- Classes to derive from.
M.abstract = {
   Module = true, Criterion = true, Container = true, Pointwise = true, Classwise = true,
   Weighted = true, Branches = true, SpatialPooling = true,
}

-- Away from 0, where |x| and its kin have no derivative.
local function random(...)
   local x = torch.randn(...)
   return x:add(0.1, torch.sign(x))
end

local function positive(...)
   return torch.rand(...):add(0.2)
end

-- All elements at least 0.1 apart, so that no maximum changes.
local function distinct(...)
   local x = torch.Tensor(...)
   return x:copy(torch.randperm(x:nElement()):mul(0.1):viewAs(x))
end

local function of(f, ...)
   local arguments = { ... }
   return function()
      return f(unpack(arguments))
   end
end

local function elementwise(name, values, ...)
   values = values or random
   return {
      new = of(nn[name], ...), input = of(values, 3, 4), single = of(values, 4),
   }
end

local function images(new, planes, values)
   values = values or random
   return {
      new = new, input = of(values, 2, planes, 5, 6), single = of(values, planes, 5, 6),
      wrong = of(random, 5, 6),
   }
end

local function mlp()
   return nn.Sequential():add(nn.Linear(4, 5)):add(nn.Tanh()):add(nn.Linear(5, 3))
end

-- A batch normalisation in training has no single samples.
local function batch_norm(name, ...)
   local sizes = { ... }
   local function new(evaluate)
      return function()
         local layer = nn[name](sizes[2], 1e-3)
         layer.running_mean:uniform(-1, 1)
         layer.running_var:uniform(0.5, 2)
         if evaluate then
            layer:evaluate()
         end
         return layer
      end
   end
   local wrong = of(random, 7, 9)
   return {
      { new = new(false), input = of(random, ...), wrong = wrong, why = 'training needs a batch' },
      { new = new(true), input = of(random, ...), single = of(random, unpack(sizes, 2)),
         wrong = wrong },
   }
end

local function pair(a, b)
   return function()
      return { a(), b() }
   end
end

M.layers = {
   Identity = { { new = nn.Identity, input = of(random, 3, 4), single = of(random, 4),
      anything = true } },
   Linear = {
      { new = of(nn.Linear, 4, 3), input = of(random, 2, 4), single = of(random, 4),
         wrong = of(random, 2, 5) },
      { new = of(nn.Linear, 4, 1, false), input = of(random, 2, 4), single = of(random, 4),
         wrong = of(random, 2, 5) },
   },
   Reshape = { { new = of(nn.Reshape, 3, 2), input = of(random, 4, 6), single = of(random, 6),
      wrong = of(random, 4, 5) } },
   View = { { new = of(nn.View, 3, 2), input = of(random, 4, 6), single = of(random, 6),
      wrong = of(random, 4, 5), compact = true } },
   Dropout = {
      elementwise('Dropout', nil, 0.4), elementwise('Dropout', nil, 0.4, true),
      { new = of(nn.Dropout, 0.4, false, true), input = of(random, 3, 4), single = of(random, 4),
         inplace = true },
   },
   Mul = { elementwise 'Mul' },
   Add = {
      { new = of(nn.Add, 4), input = of(random, 3, 4), single = of(random, 4),
         wrong = of(random, 3, 5) },
      { new = of(nn.Add, 4, true), input = of(random, 3, 4), single = of(random, 4) },
   },
   CMul = {
      { new = of(nn.CMul, 2, 3), input = of(random, 4, 2, 3), single = of(random, 2, 3),
         wrong = of(random, 2, 4) },
      { new = of(nn.CMul, 1, 3, 1), input = of(random, 2, 3, 2), single = of(random, 1, 3, 4),
         wrong = of(random, 2, 4, 2) },
   },
   MulConstant = { elementwise('MulConstant', nil, 3) },
   AddConstant = { elementwise('AddConstant', nil, 3) },
   Abs = { elementwise 'Abs' },
   Exp = { elementwise 'Exp' },
   Log = { elementwise('Log', positive) },
   Square = { elementwise 'Square' },
   Sigmoid = { elementwise 'Sigmoid' },
   Tanh = { elementwise 'Tanh' },
   SoftPlus = { elementwise 'SoftPlus', elementwise('SoftPlus', nil, 2) },
   Threshold = { elementwise('Threshold', nil, 0, -1) },
   ReLU = {
      elementwise 'ReLU',
      { new = of(nn.ReLU, true), input = of(random, 3, 4), single = of(random, 4), inplace = true },
   },
   SpatialConvolution = {
      images(of(nn.SpatialConvolution, 2, 3, 3, 2, 2, 1, 1, 0), 2),
      images(function() return nn.SpatialConvolution(2, 3, 3, 3):noBias() end, 2),
   },
   SpatialFullConvolution = {
      images(of(nn.SpatialFullConvolution, 2, 3, 3, 2, 2, 1, 1, 0, 1, 0), 2),
      { new = of(nn.SpatialFullConvolution, 2, 2, 3, 3, 2, 2, 1, 1),
         input = pair(of(random, 1, 2, 3, 2), of(random, 1, 1, 6, 4)), why = 'as above',
         wrong = pair(of(random, 1, 2, 3, 2), of(random, 1, 1, 9, 9)) },
   },
   SpatialMaxPooling = {
      images(of(nn.SpatialMaxPooling, 3, 2, 2, 1, 1, 0), 2, distinct),
      images(function() return nn.SpatialMaxPooling(2, 2):ceil() end, 2, distinct),
   },
   SpatialAveragePooling = {
      images(of(nn.SpatialAveragePooling, 3, 2, 2, 1, 1, 0), 2),
      images(function()
         return nn.SpatialAveragePooling(2, 2, 2, 2, 1, 1):ceil():setCountExcludePad()
      end, 2),
   },
   BatchNormalization = batch_norm('BatchNormalization', 5, 3),
   SpatialBatchNormalization = batch_norm('SpatialBatchNormalization', 3, 2, 3, 2),
   VolumetricBatchNormalization = batch_norm('VolumetricBatchNormalization', 2, 2, 2, 2, 3),
   CAddTable = {
      { new = nn.CAddTable, input = pair(of(random, 2, 3), of(random, 2, 3)),
         single = pair(of(random, 3), of(random, 3)),
         wrong = pair(of(random, 2, 3), of(random, 2, 4)) },
   },
   JoinTable = {
      { new = of(nn.JoinTable, 1, 1), input = pair(of(random, 2, 3), of(random, 2, 4)),
         single = pair(of(random, 3), of(random, 4)),
         wrong = pair(of(random, 2, 3), of(random, 3, 4)) },
   },
   Sequential = { { new = mlp, input = of(random, 2, 4), single = of(random, 4),
      wrong = of(random, 2, 5), inside = '.1' } },
   ConcatTable = {
      { new = function() return nn.ConcatTable():add(mlp()):add(nn.Linear(4, 2)) end,
         input = of(random, 2, 4), single = of(random, 4), wrong = of(random, 2, 5),
         inside = '.1.1' },
   },
   ParallelTable = {
      { new = function() return nn.ParallelTable():add(nn.Linear(4, 2)):add(nn.Tanh()) end,
         input = pair(of(random, 2, 4), of(random, 3)),
         single = pair(of(random, 4), of(random, 3)),
         wrong = of(random, 2, 5) },
   },
   Concat = {
      { new = function() return nn.Concat(2):add(mlp()):add(nn.Linear(4, 2)) end,
         input = of(random, 2, 4), why = 'dimension 2 is that of the features in a batch',
         wrong = of(random, 2, 5), inside = '.1.1' },
   },
}

for _, name in ipairs { 'SoftMax', 'LogSoftMax' } do
   M.layers[name] = {
      { new = nn[name], input = of(random, 2, 3), single = of(random, 3),
         wrong = of(random, 1, 1, 1, 1, 1) },
      { new = nn[name], input = of(random, 2, 3, 2, 2), single = of(random, 3, 2, 2),
         wrong = of(random, 1, 1, 1, 1, 1) },
   }
end

local function regression(new)
   return {
      new = new,
      input = function() return random(3, 4), random(3, 4):mul(3) end,
      single = function() return random(4), random(4):mul(3) end,
      wrong = function() return random(3, 4), random(5) end,
   }
end

local function classification(new)
   return {
      new = new,
      input = function() return random(4, 3), torch.LongTensor { 1, 3, 2, 3 } end,
      single = function() return random(3), 2 end,
      wrong = function() return random(4, 3), torch.LongTensor { 1, 3 } end,
   }
end

M.criterions = {
   MSECriterion = { regression(nn.MSECriterion), regression(of(nn.MSECriterion, false)) },
   AbsCriterion = { regression(nn.AbsCriterion), regression(of(nn.AbsCriterion, false)) },
   ClassNLLCriterion = {
      classification(nn.ClassNLLCriterion),
      classification(function() return nn.ClassNLLCriterion(torch.Tensor { 0.5, 1, 2 }) end),
      classification(of(nn.ClassNLLCriterion, nil, false)),
   },
   CrossEntropyCriterion = { classification(nn.CrossEntropyCriterion) },
}

return M
