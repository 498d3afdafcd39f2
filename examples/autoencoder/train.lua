--- Trains a convolutional autoencoder on Fashion-MNIST; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local devices = paths.dofile '../common/device.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'
local Progress = paths.dofile '../common/progress.lua'

local opt = options.parse('Train a convolutional autoencoder on Fashion-MNIST.', {
   options.data,
   { 'code', 32, 'numbers that an image is squeezed into', options.whole(1) },
   { 'epochs', 5, 'passes over the training images', options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 1e-3, "Adam's step", options.positive },
   options.samples, options.threads, options.device, options.seed,
   { 'picture', 'autoencoder.pgm', 'test images and what became of them', options.writable },
})

local encoder = nn.Sequential()
   :add(nn.SpatialConvolution(1, 16, 4, 4, 2, 2, 1, 1)) --  16 x 14 x 14
   :add(nn.ReLU(true))
   :add(nn.SpatialConvolution(16, 32, 4, 4, 2, 2, 1, 1)) -- 32 x 7 x 7
   :add(nn.ReLU(true))
   :add(nn.View(32 * 7 * 7))
   :add(nn.Linear(32 * 7 * 7, opt.code))

local decoder = nn.Sequential()
   :add(nn.Linear(opt.code, 32 * 7 * 7))
   :add(nn.ReLU(true))
   :add(nn.View(32, 7, 7))
   :add(nn.SpatialFullConvolution(32, 16, 4, 4, 2, 2, 1, 1)) -- 16 x 14 x 14
   :add(nn.ReLU(true))
   :add(nn.SpatialFullConvolution(16, 1, 4, 4, 2, 2, 1, 1)) --   1 x 28 x 28
   :add(nn.Sigmoid())

local device = devices.new(opt)
local net = device.place(nn.Sequential():add(encoder):add(decoder):float())
local criterion = device.move(nn.MSECriterion():float())
local parameters, gradients = net:getParameters()
local train_data = dataset.load(opt.data, 'train', opt.samples)
local test_data = dataset.load(opt.data, 't10k', opt.samples)
print(net)

local images

local function loss_and_gradient()
   gradients:zero()
   local loss = criterion:forward(net:forward(images), images)
   net:backward(images, criterion:backward(net.output, images))
   return loss, gradients
end

local adam = { learningRate = opt.learningRate }
for epoch = 1, opt.epochs do
   local order = torch.randperm(train_data.images:size(1)):long()
   local progress = Progress.new(('epoch %2d'):format(epoch), order:size(1))
   for x in dataset.batches(train_data, opt.batchSize, 0, 255, order) do
      images = device.move(x)
      local _, losses = optim.adam(loss_and_gradient, parameters, adam)
      progress:add(x:size(1), losses[1])
   end
end

local total = 0
for x in dataset.batches(test_data, 500, 0, 255) do
   images = device.move(x)
   total = total + criterion:forward(net:forward(images), images) * x:size(1)
end
print(('test error: %.5f'):format(total / test_data.images:size(1)))

-- Test images, and below each what came out.
local some = dataset.batches(test_data, 16, 0, 255)()
local rebuilt = net:forward(device.move(some)):float()
picture.save(opt.picture, torch.cat(some, rebuilt, 1), some:size(1))
print('written: ' .. opt.picture)
