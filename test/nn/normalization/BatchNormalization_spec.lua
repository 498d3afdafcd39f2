local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local SHAPES = {
   BatchNormalization = { 6, 3 },
   SpatialBatchNormalization = { 3, 2, 4, 3 },
   VolumetricBatchNormalization = { 2, 2, 2, 3, 2 },
}

-- The tensor with the features in rows.
local function rows(x)
   return x:transpose(1, 2):contiguous():view(x:size(2), -1)
end

for name, shape in pairs(SHAPES) do
   describe('nn.' .. name, function()
      local new, features = nn[name], shape[2]

      before_each(function()
         torch.manualSeed(3)
      end)

      it('brings each feature to mean 0 and variance 1, then scales and shifts', function()
         local layer = new(features, 1e-10)
         local x = torch.randn(unpack(shape)):mul(3):add(5)
         local y = rows(layer:forward(x))
         for c = 1, features do
            assert.near(layer.bias[c], y[c]:mean(), 1e-9)
            assert.near(math.abs(layer.weight[c]), y[c]:std(true), 1e-8)
         end
      end)

      it('follows the batches with its running numbers, and uses them in evaluation', function()
         local layer = new(features, 1e-5, 0.25)
         local x = torch.randn(unpack(shape)):mul(2):add(1)
         layer:forward(x)
         local r = rows(x)
         local mean, var = r:mean(2):view(-1), r:var(2):view(-1)
         numbers.same(mean * 0.25, layer.running_mean, 1e-12)
         numbers.same(var * 0.25 + 0.75, layer.running_var, 1e-12)
         layer:evaluate()
         local y = rows(layer:forward(x)):clone()
         local w = layer.weight:clone():cdiv(torch.sqrt(layer.running_var + 1e-5))
         for c = 1, features do
            local expected = (r[c] - layer.running_mean[c]) * w[c] + layer.bias[c]
            numbers.same(expected, y[c], 1e-12)
         end
         -- A single sample needs no batch then.
         local one = layer:forward(x[1])
         assert.same(x[1]:size():totable(), one:size():totable())
         numbers.same(layer:forward(x)[1]:clone(), layer:forward(x[1]), 1e-12)
         assert.same(x[1]:size():totable(), layer:backward(x[1], x[1]):size():totable())
      end)

      it('has the gradients of central differences', function()
         for _, affine in ipairs { true, false } do
            local layer = new(features, 1e-3, 0.1, affine)
            gradcheck(layer, torch.randn(unpack(shape)))
            layer:evaluate()
            gradcheck(layer, torch.randn(unpack(shape)))
         end
      end)

      it('takes the gradients apart as together', function()
         local layer = new(features)
         local x, g = torch.randn(unpack(shape)), torch.randn(unpack(shape))
         layer:forward(x)
         layer:zeroGradParameters()
         local gx = layer:backward(x, g, 0.5):clone()
         local gw, gb = layer.gradWeight:clone(), layer.gradBias:clone()
         layer:zeroGradParameters()
         numbers.same(gx, layer:updateGradInput(x, g), 1e-12)
         layer:accGradParameters(x, g, 0.5)
         numbers.same(gw, layer.gradWeight, 1e-12)
         numbers.same(gb, layer.gradBias, 1e-12)
      end)

      it('says what it got and what it expected', function()
         local layer = new(features)
         local function message(x)
            return select(2, pcall(layer.forward, layer, x))
         end
         assert.matches(name .. ': input is 7x9, expected N x ' .. features .. '',
            (message(torch.Tensor(7, 9))))
         assert.matches('training needs a batch', message(torch.randn(unpack(shape))[1]))
         local fresh = new(features)
         local x = torch.randn(unpack(shape))
         assert.matches('run forward', select(2, pcall(fresh.backward, fresh, x, x)))
         local _, err = pcall(new, 3, nil, nil, 5)
         assert.matches('affine is 5, expected true or false', err)
      end)

      it('names a field that is missing', function()
         for _, field in ipairs { 'running_mean', 'running_var' } do
            local layer = new(features)
            layer[field] = nil
            raises(('nn.%s: its field %s is nil, expected a tensor'):format(name, field),
               layer.forward, layer, torch.randn(unpack(shape)))
         end
      end)

      it('prints its dimensions and features', function()
         assert.equal(('nn.%s (%dD) (%d)'):format(name, #shape, features), tostring(new(features)))
      end)

      it('survives a file, also one of version 1', function()
         local layer = new(features, 1e-3)
         local x = torch.randn(unpack(shape))
         layer:forward(x)
         layer:evaluate()
         local y = layer:forward(x):clone()
         numbers.same(y, torch.deserialize(torch.serialize(layer)):forward(x))
         layer.running_std = torch.pow(layer.running_var + layer.eps, -0.5)
         layer.running_var = nil
         local class = torch.getmetatable('nn.' .. name)
         class.__version = 1
         local bytes = torch.serialize(layer)
         class.__version = 2
         numbers.same(y, torch.deserialize(bytes):forward(x), 1e-9)
      end)

      it('forgets its buffers', function()
         local layer = new(features)
         layer:forward(torch.randn(unpack(shape)))
         layer:clearState()
         assert.equal(0, layer.save_mean:nElement())
         assert.equal(0, layer.output:nElement())
      end)
   end)
end
