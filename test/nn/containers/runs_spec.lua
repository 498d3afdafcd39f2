local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function pair(bias, affine)
   local convolution = nn.SpatialConvolution(3, 4, 3, 3, 1, 1, 1, 1)
   return bias and convolution or convolution:noBias(),
      nn.SpatialBatchNormalization(4, 1e-5, 0.1, affine)
end

local function net(bias, affine)
   local convolution, norm = pair(bias, affine)
   return nn.Sequential():add(nn.Tanh()):add(convolution):add(norm):add(nn.ReLU(true))
end

-- What the modules give one by one.
local function one_by_one(modules, x)
   for _, module in ipairs(modules) do
      x = module:forward(x)
   end
   return x:clone()
end

local function trained(...)
   local result = net(...)
   for _ = 1, 3 do
      result:forward(torch.randn(5, 3, 6, 7):mul(2):add(1))
   end
   result:evaluate()
   result.joined = true
   return result
end

describe('A convolution and a normalisation in evaluation', function()
   local x

   before_each(function()
      torch.manualSeed(11)
      x = torch.randn(2, 3, 6, 7)
   end)

   it('give as one what they give one by one', function()
      for _, bias in ipairs { true, false } do
         for _, affine in ipairs { true, false } do
            local model = trained(bias, affine)
            local expected = one_by_one(model:clone().modules, x)
            numbers.same(expected, model:forward(x), 1e-12)
            assert.equal(0, model:get(2).output:dim())
            assert.equal(0, model:get(3).output:dim()) -- the nn.ReLU is part of it
            model:remove(4)
            local alone = one_by_one(model:clone().modules, x)
            numbers.same(alone, model:forward(x), 1e-12)
            assert.equal(0, model:get(2).output:dim())
            numbers.same(alone[1], model:forward(x[1]), 1e-12)
            assert.is_true(model:forward(x):equal(model:forward(x)))
         end
      end
   end)

   it('stay two unless somebody asks', function()
      local model = trained(true, true)
      model.joined = nil
      local expected = one_by_one(model:clone().modules, x)
      numbers.same(expected, model:forward(x), 1e-12)
      assert.equal(4, model:get(2).output:dim())
      nn.Sequential.joined = true
      model:forward(x)
      nn.Sequential.joined = false
      assert.equal(0, model:get(2).output:dim())
   end)

   it('stay two in training, and when either trains', function()
      local model = trained(true, true)
      for _, trains in ipairs { { 2 }, { 3 }, { 2, 3 } } do
         model:evaluate()
         for _, i in ipairs(trains) do
            model:get(i):training()
         end
         local expected = one_by_one(model:clone().modules, x)
         numbers.same(expected, model:forward(x), 1e-12)
         assert.equal(4, model:get(2).output:dim())
      end
   end)

   it('notice every change of what they are made of', function()
      local model = trained(true, true)
      local convolution, norm = model:get(2), model:get(3)
      local tensors = {
         convolution.weight, convolution.bias, norm.weight, norm.bias, norm.running_mean,
         norm.running_var,
      }
      local function check(what)
         numbers.same(one_by_one(model:clone().modules, x), model:forward(x), 1e-12)
         assert.equal(0, convolution.output:dim(), what)
      end
      check 'at first'
      for i, t in ipairs(tensors) do
         local before = model:forward(x):clone()
         t:add(0.25)
         check(i)
         assert.is_true((before - model.output):abs():max() > 1e-3, 'tensor ' .. i .. ' matters')
         t:narrow(1, 2, 1):fill(0.5) -- through a view
         check(i)
         t:storage()[t:storageOffset()] = 0.75 -- by a script's own write
         check(i)
      end
      model:forward(x)
      if convolution.weight.device_type == 0 then -- a pointer's writes are seen by nobody
         convolution.weight:data()[0] = 5
      end
      model:evaluate()
      check 'a pointer'
      norm.eps = 0.5
      check 'eps'
      convolution.padW, convolution.padH = 0, 0
      check 'padding'
      convolution.weight = convolution.weight:clone():mul(2)
      check 'another tensor'
      convolution.weight:set(convolution.weight:clone():mul(2))
      check 'other memory'
      model:getParameters():mul(0.5)
      check 'flat parameters'
      norm.weight, norm.bias, convolution.bias = nil, nil, nil
      check 'none'
      convolution:reset(0.3)
      check 'reset'
   end)

   it('compute the gradients that they have one by one', function()
      local model = trained(true, true)
      local apart = model:clone()
      apart.joined = false
      local g = torch.randn(2, 4, 6, 7)
      for _, each in ipairs { model, apart } do
         each:zeroGradParameters()
         each:forward(x)
      end
      assert.equal(0, model:get(2).output:dim())
      assert.equal(4, apart:get(2).output:dim())
      numbers.same(apart:backward(x, g:clone()), model:backward(x, g:clone()), 1e-12)
      for _, method in ipairs { 'accGradParameters', 'accUpdateGradParameters' } do
         apart:forward(x)
         model:forward(x)
         apart:updateGradInput(x, g:clone())
         numbers.same(apart.gradInput, model:updateGradInput(x, g:clone()), 1e-12)
         model:forward(x) -- the output is left out once more
         apart[method](apart, x, g:clone(), 0.1)
         model[method](model, x, g:clone(), 0.1)
         local own, others = model:parameters(), apart:parameters()
         for i = 1, #own do
            numbers.same(others[i], own[i], 1e-12)
         end
         local _, gradients = model:parameters()
         local _, expected = apart:parameters()
         for i = 1, #gradients do
            numbers.same(expected[i], gradients[i], 1e-12)
         end
      end
   end)

   it('stay two for who looks on or has a method of their own', function()
      local model = trained(true, true)
      local expected, calls = one_by_one(model:clone().modules, x), 0
      local off = nn.seam.attach(function(call, module, _, ...)
         calls = calls + (torch.type(module) == 'nn.SpatialBatchNormalization' and 1 or 0)
         return call(module, ...)
      end)
      local y = model:forward(x):clone()
      off()
      assert.equal(1, calls)
      numbers.same(expected, y, 1e-12)
      local norm = model:get(3)
      function norm:updateOutput(input)
         return self.output:resizeAs(input):copy(input):mul(0)
      end
      assert.equal(0, model:forward(x):abs():max())
   end)

   it('are not saved as one', function()
      local model = trained(true, true)
      local expected = model:forward(x):clone()
      local copy = torch.deserialize(torch.serialize(model))
      numbers.same(expected, copy:forward(x), 1e-12)
      copy:training()
      copy:forward(x)
      assert.equal(4, copy:get(2).output:dim())
      numbers.same(model:get(2).weight, copy:get(2).weight)
   end)

   it('name the convolution when the input does not fit', function()
      local model = trained(true, true)
      model:forward(x)
      raises('net.2: nn.SpatialConvolution: input is 2x5x6x7, expected N x 3 x H x W', function()
         model:forward(torch.randn(2, 5, 6, 7))
      end)
   end)

   it('stay two where they do not fit', function()
      local convolution = nn.SpatialConvolution(3, 4, 3, 3)
      local model = nn.Sequential():add(convolution):add(nn.SpatialBatchNormalization(5))
      model.joined = true
      model:evaluate()
      raises('net.2: nn.SpatialBatchNormalization: input is 2x4x4x5', function()
         model:forward(x)
      end)
   end)

   it('notice what another process writes to the file that a tensor is of', function()
      for _, field in ipairs { 'weight', 'running_mean', 'running_var', 'bias' } do
         shell.with_folder(function(folder)
            local model = trained(true, true)
            local owner = field == 'weight' and model:get(2) or model:get(3)
            local own = owner[field]
            local function map()
               return torch.DoubleTensor(torch.DoubleStorage(folder .. '/t', true,
                  own:nElement())):view(own:size())
            end
            owner[field] = map():copy(own)
            model:forward(x)
            map():add(0.25) -- other pages of the same file: as another process writes
            local expected = one_by_one(model:clone().modules, x)
            numbers.same(expected, model:forward(x), 1e-12)
            assert.equal(0, model:get(2).output:dim()) -- still as one
         end)
      end
   end)

   it('let go of what they keep when either trains, and with the modules', function()
      local model = trained(true, true)
      local norm = model:get(3)
      local folding = require 'nn.normalization.folding'
      model:forward(x)
      local weight = folding.current(model:get(2), norm, 1)
      local watched = setmetatable({ weight }, { __mode = 'v' })
      assert.is_true(rawequal(weight, (folding.current(model:get(2), norm, 1))))
      weight = nil -- luacheck: ignore
      model:training()
      collectgarbage()
      collectgarbage()
      assert.is_nil(watched[1])
   end)
end)
