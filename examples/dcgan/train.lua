--- Trains a deep convolutional GAN on Fashion-MNIST; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local devices = paths.dofile '../common/device.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'
local Progress = paths.dofile '../common/progress.lua'
local models = paths.dofile 'models.lua'

local opt = options.parse('Train a deep convolutional GAN on Fashion-MNIST.', {
   options.data,
   { 'epochs', 10, 'passes over the training images', options.whole(1) },
   { 'batchSize', 64, 'images in a training step', options.whole(2) },
   { 'noise', 64, 'numbers that an image is made from', options.whole(1) },
   { 'learningRate', 2e-4, "Adam's step", options.positive },
   options.samples, options.threads, options.device, options.seed,
   { 'pictures', 'dcgan', 'after each epoch images go to <this>-<epoch>.png',
      function(path, name) return options.writable(path .. '-1.png', name) end },
})

local device = devices.new(opt)
local generator = device.place(models.generator(opt.noise):float())
local critic = device.place(models.critic():float())
local criterion = device.move(nn.BCECriterion():float())
local generatorParameters, generatorGradients = generator:getParameters()
local criticParameters, criticGradients = critic:getParameters()
local real, noise, label -- images, what others are made from, and what the critic should say

-- Adds the critic's gradients for images that it should find real (1) or made (0).
-- Returns the loss, and its gradient with respect to the images.
local function judge(images, truth)
   local verdict = critic:forward(images)
   label:resizeAs(verdict):fill(truth)
   local loss = criterion:forward(verdict, label)
   return loss, critic:backward(images, criterion:backward(verdict, label))
end

local function critic_loss()
   criticGradients:zero()
   local loss = judge(real, 1)
   noise:normal()
   return loss + judge(generator:forward(noise), 0), criticGradients
end

-- The generator wants the critic to find its images real.
local function generator_loss()
   generatorGradients:zero()
   local loss, slope = judge(generator.output, 1)
   generator:backward(noise, slope)
   return loss, generatorGradients
end

local data = dataset.load(opt.data, 'train', opt.samples)
local fixed = device.move(torch.FloatTensor(64, opt.noise):normal())
noise, label = fixed:clone(), fixed.new()
local criticAdam = { learningRate = opt.learningRate, beta1 = 0.5 }
local generatorAdam = { learningRate = opt.learningRate, beta1 = 0.5 }
print(generator)
print(critic)

for epoch = 1, opt.epochs do
   local order = torch.randperm(data.images:size(1)):long()
   local progress = Progress.new(('epoch %2d'):format(epoch), order:size(1))
   local sum = 0
   generator:training()
   for x in dataset.batches(data, opt.batchSize, 127.5, 127.5, order) do -- pixels from -1 to 1
      real = device.move(x)
      noise:resize(x:size(1), opt.noise)
      local _, losses = optim.adam(critic_loss, criticParameters, criticAdam)
      local _, wishes = optim.adam(generator_loss, generatorParameters, generatorAdam)
      sum = sum + wishes[1] * x:size(1)
      progress:add(x:size(1), losses[1])
   end
   print(("          generator's loss %.4f"):format(sum / order:size(1)))
   generator:evaluate()
   picture.save(('%s-%d.png'):format(opt.pictures, epoch),
      generator:forward(fixed):float():add(1):div(2), 8)
end
