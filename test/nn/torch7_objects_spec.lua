-- Objects that Torch7's constructors made, with its fields: they load, run, and are saved again.
-- test/data/torch7/README.md says where they are from.
local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local numbers = require 'test.support.numbers'

local FOLDER = 'test/data/torch7/'

local function cases(name)
   return torch.load(FOLDER .. name .. '.t7', 'ascii')
end

local function ones(y)
   if torch.isTensor(y) then
      return y:clone():fill(1)
   end
   local list = {}
   for i, each in ipairs(y) do
      list[i] = ones(each)
   end
   return list
end

-- As far as the original has one: it gives positions and masks no gradient, or an empty one.
local function equal(expected, actual)
   if torch.isTensor(expected) then
      if expected:nElement() > 0 then
         -- The original puts small numbers under roots and in divisors.
         numbers.same(expected, actual, 2e-6)
      end
   elseif type(expected) == 'number' then
      assert.near(expected, actual, 1e-12)
   else
      for i, each in ipairs(expected) do
         equal(each, actual[i])
      end
   end
end

local function run_layer(layer, case)
   layer:zeroGradParameters()
   local y = layer:forward(case.input)
   if case.output then
      equal(case.output, y)
   end
   local gx = layer:backward(case.input, case.gradOutput or ones(y))
   if case.gradInput then
      equal(case.gradInput, gx)
   end
   layer:evaluate()
   layer:forward(case.input)
end

local function run_criterion(criterion, case)
   local loss = criterion:forward(case.input, case.target)
   local gx = criterion:backward(case.input, case.target)
   if case.output then
      equal(case.output, loss)
      equal(case.gradInput, gx)
   end
end

for file in paths.iterfiles(FOLDER) do
   local name = file:match '^(%w+)%.t7$'
   if name then
      describe('Torch7\'s nn.' .. name, function()
         it('loads and gives what it gave', function()
            for _, case in ipairs(cases(name)) do
               local object = case.object
               assert.equal('nn.' .. name, torch.typename(object))
               local run = torch.isTypeOf(object, 'nn.Criterion') and run_criterion or run_layer
               torch.manualSeed(1)
               run(object, case)
               assert.is_string(tostring(object))
               local again = torch.deserialize(torch.serialize(object))
               if run == run_layer then
                  again:training()
                  object:getParameters()
                  object:clearState()
                  run(object, case)
               end
               run(again, case)
               object:float()
            end
         end)
      end)
   end
end

-- The original computes these in C: they against layers that were made here.
describe('Torch7\'s layers without values of their own', function()
   local function same(object, layer, x)
      local y = object:forward(x)
      numbers.same(layer:forward(x), y, 1e-12)
      local g = torch.range(1, y:nElement()):viewAs(y)
      numbers.same(layer:backward(x, g), object:backward(x, g), 1e-12)
   end

   it('normalise by what lies around each place', function()
      for _, name in ipairs {
         'SpatialSubtractiveNormalization', 'SpatialDivisiveNormalization',
         'SpatialContrastiveNormalization',
      } do
         for _, case in ipairs(cases(name)) do
            local old = case.object
            local inner = old.normalizer and old.normalizer.modules and old.normalizer:get(1) or old
            local new = nn[name](inner.nInputPlane, inner.kernel, old.threshold, old.thresval)
            same(old, new, case.input)
         end
      end
   end)

   it('multiply some rows of a weight, with a bias that was a row', function()
      for _, case in ipairs(cases 'PartialLinear') do
         local old = case.object
         old:resetPartition()
         local parameters = old:parameters()
         local weight, bias = parameters[1], parameters[2]
         local linear = nn.Linear(weight:size(2), weight:size(1), bias ~= nil)
         linear.weight:copy(weight)
         if bias then
            linear.bias:copy(bias)
         end
         same(old, linear, case.input)
      end
   end)

   it('add up weights by keys', function()
      local case = cases('IndexLinear')[1]
      local old, keys, values = case.object, unpack(case.input)
      local expected = old.bias:clone()
      for i = 1, keys:nElement() do
         expected:add(values[i], old.weight[keys[i]])
      end
      numbers.same(expected, old:forward(case.input), 1e-12)
      old:zeroGradParameters()
      old:backward(case.input, torch.Tensor { 1, 2 })
      for i = 1, keys:nElement() do
         numbers.equal({ values[i], 2 * values[i] }, old.gradWeight[keys[i]], 1e-12)
      end
   end)

   it('convolve with a weight that an nn.WeightNorm makes', function()
      for _, case in ipairs(cases 'WeightNorm') do
         local old = case.object
         if torch.isTypeOf(old.modules[1], 'nn.SpatialConvolution') then
            local v, shape = old.v, old.modules[1] -- of each input plane, as outputDim says
            local convolution = nn.SpatialConvolution(shape.nInputPlane, shape.nOutputPlane,
               shape.kW, shape.kH)
            local n = torch.pow(v, 2):sum(2):add(1e-4):sqrt()
            local w = torch.cmul(v, torch.cdiv(old.g, n):expandAs(v))
            convolution.weight:copy(w:view(shape.nInputPlane, shape.nOutputPlane, shape.kH,
               shape.kW):transpose(1, 2))
            convolution.bias:copy(old.bias)
            same(old, convolution, case.input)
         end
      end
   end)
end)

describe('Torch7\'s nn.Copy', function()
   -- Its fields; `own` are the functions of an object that passes its input on.
   local function saved(intype, outtype, own)
      local copy = setmetatable({
         _type = 'torch.DoubleTensor', gradInput = torch.getmetatable(intype).new(),
         output = torch.getmetatable(outtype).new(), updateOutput = own, updateGradInput = own,
      }, torch.getmetatable 'nn.Copy')
      return torch.deserialize(torch.serialize(copy))
   end

   it('has no options in files, and functions that nobody needs', function()
      local float, double = 'torch.FloatTensor', 'torch.DoubleTensor'
      local x = torch.DoubleTensor { 1, 2 }
      local cast = saved(double, float)
      assert.equal(float, cast:forward(x):type())
      assert.equal(double, cast:backward(x, torch.ones(2):float()):type())
      local passes = saved(double, double, function() error 'of another interpreter' end)
      assert.is_nil(rawget(passes, 'updateOutput'))
      assert.is_true(passes:forward(x):isSetTo(x))
      assert.is_true(passes:backward(x, x):isSetTo(x))
      local copies = saved(double, double)
      assert.is_false(copies:forward(x):isSetTo(x))
      assert.is_true(copies:forward(x):equal(x))
   end)
end)

describe('an object of a file that lacks a field', function()
   it('is named by its class', function()
      local layer = nn.LinearWeightNorm(2, 1)
      layer.weight = nil
      local ok, message = pcall(torch.deserialize, torch.serialize(layer))
      assert.is_false(ok)
      assert.matches('nn.LinearWeightNorm: a field is missing', message, 1, true)
   end)
end)
