-- Layers, criterions and optimisers whose tensors are on another device than the current one.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local cutorch = require 'cutorch'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local TYPES = {
   ['torch.LongTensor'] = 'torch.CudaLongTensor', ['torch.ByteTensor'] = 'torch.CudaByteTensor',
}

local function to_device(x)
   return nests.map(function(t)
      local typename = t:type()
      return typename:match 'Cuda' and t or t:type(TYPES[typename] or 'torch.CudaDoubleTensor')
   end, x)
end

-- Names of the tensors in an object that are not on the device.
local function astray(object, device, path, seen, found)
   if torch.isTensor(object) then
      if object:type():match 'Cuda' and object:nElement() > 0 and object:getDevice() ~= device then
         found[#found + 1] = path
      end
   elseif type(object) == 'table' and not seen[object] then
      seen[object] = true
      for key, value in pairs(object) do
         astray(value, device, path .. '.' .. tostring(key), seen, found)
      end
   end
   return found
end

local function works(object, run)
   cutorch.setDevice(1)
   local ok, err = xpcall(run, debug.traceback)
   assert.is_true(ok, err)
   assert.equal(1, cutorch.getDevice())
   assert.same({}, astray(object, 2, torch.type(object), {}, {}))
end

describe('on another device than the current one #cuda', function()
   if cutorch.getDeviceCount() < 2 then
      pending 'needs two devices'
      return
   end

   after_each(function()
      cutorch.setDevice(1)
   end)

   local elsewhere = { GPU = true, Placed = true, PrintSize = true } -- devices of their own; prints
   for name, list in pairs(samples.layers) do
      if not elsewhere[name] then
         it(name .. ' works', function()
            for _, sample in ipairs(list) do
               cutorch.setDevice(2)
               local layer = sample.new():type 'torch.CudaDoubleTensor'
               local x = to_device(sample.input())
               works(layer, function()
                  local y = nests.map(function(t) return t:clone() end, layer:forward(x))
                  layer:zeroGradParameters()
                  layer:backward(x, y)
               end)
            end
         end)
      end
   end

   for name, list in pairs(samples.criterions) do
      it(name .. ' works', function()
         for _, sample in ipairs(list) do
            cutorch.setDevice(2)
            local criterion = sample.new():type 'torch.CudaDoubleTensor'
            local x, target = sample.input()
            x, target = to_device(x), to_device(target)
            works(criterion, function()
               criterion:forward(x, target)
               criterion:backward(x, target)
            end)
         end
      end)
   end

   for _, name in ipairs { 'sgd', 'adam', 'adamax', 'adagrad', 'adadelta', 'rmsprop', 'rprop',
         'nag', 'asgd', 'lbfgs', 'cg', 'lamb', 'adafactor' } do
      it('optim.' .. name .. ' takes steps', function()
         cutorch.setDevice(2)
         local x = torch.CudaDoubleTensor(2, 3):fill(1)
         local state = { learningRate = 0.1, momentum = 0.5, dampening = 0, maxIter = 2 }
         works(state, function()
            optim[name](function(p) return p:dot(p), p * 2 end, x, state)
         end)
         assert.is_true(x:norm() < 6 ^ 0.5)
      end)
   end

   it('errors give the current device back', function()
      cutorch.setDevice(2)
      local net = nn.Sequential():add(nn.Linear(3, 2)):cuda()
      local x = torch.CudaTensor(4, 5):fill(0)
      cutorch.setDevice(1)
      local ok, message = pcall(net.forward, net, x)
      assert.is_false(ok)
      assert.matches('net.1: nn.Linear: input is 4x5, expected', message, 1, true)
      assert.equal(1, cutorch.getDevice())
   end)
end)
