local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, pair, mlp = make.random, make.of, make.pair, make.mlp

-- A container of one nn.Linear(4, 3).
local function around(new, ...)
   local arguments = { ... }
   return {
      new = function()
         local linear = nn.Linear(4, 3)
         linear:zeroGradParameters() -- NaN looks at them
         return new(linear, unpack(arguments))
      end,
      input = of(random, 2, 4), single = of(random, 4), wrong = of(random, 2, 5), inside = '.1',
   }
end

local function planes(n, ...)
   return nn.SpatialConvolution(2, n, ...)
end

-- What WeightNorm learns.
local lengths = { 'v', 'g', 'bias', 'gradV', 'gradG', 'gradBias' }

return {
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
   Parallel = {
      { new = function() return nn.Parallel(2, 2):add(mlp()):add(nn.Linear(4, 2)) end,
         input = of(random, 3, 2, 4), why = 'the dimensions are those of a batch',
         wrong = of(random, 4) },
      { new = function() return nn.Parallel(1, 1):add(nn.Linear(4, 3)):add(nn.Linear(4, 2)) end,
         input = of(random, 2, 4), why = 'as above', wrong = of(random, 3, 4) },
   },
   MapTable = {
      { new = function() return nn.MapTable(mlp()) end,
         input = pair(of(random, 2, 4), of(random, 3, 4)),
         single = pair(of(random, 4), of(random, 4)),
         wrong = of(random, 2, 5) },
      { new = function() return nn.MapTable(nn.Linear(4, 3), false) end,
         input = pair(of(random, 2, 4), of(random, 3, 4)), why = 'as above',
         wrong = of(random, 2, 5) },
   },
   DepthConcat = {
      { new = function()
         return nn.DepthConcat(2):add(planes(1, 1, 1)):add(planes(2, 2, 3)):add(planes(1, 3, 3))
      end, input = of(random, 2, 2, 4, 5), why = 'dimension 2 is that of the planes in a batch',
         wrong = of(random, 2, 3, 4, 5), inside = '.1', refuser = 'nn.SpatialConvolution' },
   },
   Decorator = { around(nn.Decorator) },
   Bottle = {
      { new = function() return nn.Bottle(nn.Linear(4, 3)) end, input = of(random, 3, 2, 4),
         single = of(random, 2, 4), wrong = of(random, 4) },
      { new = function() return nn.Bottle(nn.View(6):setNumInputDims(2), 3, 2) end,
         input = of(random, 2, 2, 3, 2), single = of(random, 2, 3, 2), wrong = of(random, 2, 3),
         compact = true },
   },
   WeightNorm = {
      { new = function() return nn.WeightNorm(nn.Linear(4, 3)) end, input = of(random, 2, 4),
         single = of(random, 4), wrong = of(random, 2, 5), inside = '.1', names = lengths },
      { new = function() return nn.WeightNorm(planes(3, 2, 3), 2) end,
         input = of(random, 2, 2, 4, 4), single = of(random, 2, 4, 4), names = lengths,
         wrong = of(random, 4, 4), inside = '.1', refuser = 'nn.SpatialConvolution' },
   },
   DontCast = { around(nn.DontCast, true) },
   NaN = { around(nn.NaN) },
   GPU = { around(nn.GPU, 1) },
   Placed = { { new = function() return nn.Placed(mlp(), { 1, 1 }) end, input = of(random, 2, 4),
      single = of(random, 4), wrong = of(random, 2, 5), inside = '.1.1.1' } },
   Profile = { around(nn.Profile, 1e9) },
   Maxout = {
      { new = of(nn.Maxout, 4, 3, 2), input = of(random, 2, 4), single = of(random, 4),
         wrong = of(random, 2, 5), inside = '.1' },
   },
   Concat = {
      { new = function() return nn.Concat(2):add(mlp()):add(nn.Linear(4, 2)) end,
         input = of(random, 2, 4), why = 'dimension 2 is that of the features in a batch',
         wrong = of(random, 2, 5), inside = '.1.1' },
   },
}
