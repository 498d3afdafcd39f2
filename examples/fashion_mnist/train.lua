--- Trains a classifier of Fashion-MNIST; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local models = paths.dofile 'models.lua'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local devices = paths.dofile '../common/device.lua'
local options = paths.dofile '../common/options.lua'
local Progress = paths.dofile '../common/progress.lua'

local opt = options.parse('Train a classifier of Fashion-MNIST.', {
   { 'model', 'lenet', 'or mlp, or resnet', options.one_of('mlp', 'lenet', 'resnet') },
   options.data,
   { 'epochs', 8, 'passes over the training images, those before a resumption included',
      options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 0.05, 'step of SGD with momentum 0.9', options.positive },
   options.samples, options.threads, options.device,
   { 'devices', 1, 'CUDA devices, each of which takes parts of every batch', options.whole(0) },
   { 'parts', 0, 'parts of a batch: same parts, same bits on any number of CUDA devices '
      .. '(0: one for each device)', options.whole(0) },
   options.seed,
   { 'save', 'fashion_mnist.t7', 'checkpoint to write after each epoch', options.writable },
   { 'resume', '', 'checkpoint to go on from; its net, batch size and rate count' },
})

-- Everything that training continues with; what `--save` writes and `--resume` reads.
local function new_checkpoint()
   local net = models[opt.model](#dataset.classes):float()
   return {
      epoch = 0,
      net = net,
      optimiser = {
         learningRate = opt.learningRate,
         learningRateDecay = 1e-3,
         momentum = 0.9,
         dampening = 0,
         weightDecay = 5e-4,
      },
      batchSize = opt.batchSize,
   }
end

local function load_checkpoint(path)
   if not paths.filep(path) then
      options.refuse('--resume: there is no checkpoint %s', path)
   end
   local read, checkpoint = pcall(torch.load, path)
   if not read then
      options.refuse('--resume: %s is not a whole checkpoint: %s', path, checkpoint)
   elseif type(checkpoint) ~= 'table' or not checkpoint.net or not checkpoint.random then
      options.refuse('--resume: %s is no checkpoint of this script', path)
   end
   torch.setRNGState(checkpoint.random)
   return checkpoint
end

-- Always CPU tensors, so that any machine can go on from it. torch.save keeps the last checkpoint
-- until this one is complete.
local function save_checkpoint(path, checkpoint, device)
   checkpoint.net:clearState()
   checkpoint.random = torch.getRNGState()
   local saved = {}
   for key, value in pairs(checkpoint) do
      saved[key] = value
   end
   saved.net, saved.optimiser = device.unplace(checkpoint.net), {}
   for key, value in pairs(checkpoint.optimiser) do
      saved.optimiser[key] = torch.isTensor(value) and value:float() or value
   end
   torch.save(path, saved)
end

local function train_epoch(data, checkpoint, parameters, gradients, device)
   local net, optimiser, batchSize = checkpoint.net, checkpoint.optimiser, checkpoint.batchSize
   local criterion = device.move(nn.ClassNLLCriterion():float())
   local order = torch.randperm(data.labels:size(1)):long()
   local progress = Progress.new(('epoch %2d'):format(checkpoint.epoch + 1), order:size(1))
   local inputs, targets

   local function loss_and_gradient()
      gradients:zero()
      local loss = criterion:forward(net:forward(inputs), targets)
      net:backward(inputs, criterion:backward(net.output, targets))
      return loss, gradients
   end

   net:training()
   for x, t in dataset.batches(data, batchSize, checkpoint.mean, checkpoint.std, order) do
      inputs, targets = device.move(x), device.positions(t)
      local _, losses = optim.sgd(loss_and_gradient, parameters, optimiser)
      progress:add(t:size(1), losses[1])
   end
   checkpoint.epoch = checkpoint.epoch + 1
end

local function test(data, checkpoint, device)
   local net = checkpoint.net
   local confusion = optim.ConfusionMatrix(dataset.classes)
   net:evaluate()
   for inputs, targets in dataset.batches(data, 500, checkpoint.mean, checkpoint.std) do
      confusion:batchAdd(net:forward(device.move(inputs)):float(), targets)
   end
   return confusion
end

local function main()
   local train_data = dataset.load(opt.data, 'train', opt.samples)
   local test_data = dataset.load(opt.data, 't10k', opt.samples)

   local checkpoint = opt.resume and load_checkpoint(opt.resume) or new_checkpoint()
   checkpoint.mean, checkpoint.std = dataset.statistics(train_data.images)
   local device = devices.new(opt)
   print(checkpoint.net)
   checkpoint.net = device.place(checkpoint.net)
   device.move(checkpoint.optimiser)
   local parameters, gradients = checkpoint.net:getParameters()
   print(('%d parameters, %d training and %d test images, %d threads'):format(
      parameters:nElement(),
      train_data.labels:size(1),
      test_data.labels:size(1),
      torch.getnumthreads()
   ))

   while checkpoint.epoch < opt.epochs do
      train_epoch(train_data, checkpoint, parameters, gradients, device)
      save_checkpoint(opt.save, checkpoint, device)
   end
   local confusion = test(test_data, checkpoint, device)
   print(tostring(confusion))
   print(('test accuracy: %.4f'):format(confusion.totalValid))
end

main()
