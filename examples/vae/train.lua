--- Trains a variational autoencoder on Fashion-MNIST; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local devices = paths.dofile '../common/device.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'
local Progress = paths.dofile '../common/progress.lua'

local opt = options.parse('Train a variational autoencoder on Fashion-MNIST.', {
   options.data,
   { 'hidden', 400, 'units in the hidden layers', options.whole(1) },
   { 'epochs', 10, 'passes over the training images', options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 1e-3, "Adam's step", options.positive },
   options.samples, options.threads, options.device, options.seed,
   { 'picture', 'vae.pgm', 'images that the decoder makes of the plane', options.writable },
})

local PIXELS, CODE = 28 * 28, 2

local encoder = nn.Sequential() -- mean and log-variance of each of the code's numbers
   :add(nn.View(PIXELS))
   :add(nn.Linear(PIXELS, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, 2 * CODE))
local decoder = nn.Sequential()
   :add(nn.Linear(CODE, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, PIXELS)):add(nn.Sigmoid())

local device = devices.new(opt)
encoder = device.place(encoder:float()):requiresGrad()
decoder = device.place(decoder:float()):requiresGrad()
local cross_entropy = nn.BCECriterion()
cross_entropy.sizeAverage = false
device.move(cross_entropy:float())
local parameters, gradients = nn.Sequential():add(encoder):add(decoder):getParameters()

--- What an image costs: the bits that its pixels take, given a code drawn from the encoder's
-- distribution, and those of the code, whose distribution should be near the normal one.
-- Source: Kingma and Welling, 2014 (arXiv:1312.6114), appendix B.
local function loss(images)
   local n = images:size(1)
   local code = encoder:forward(images)
   local mean, log_variance = code:narrow(2, 1, CODE), code:narrow(2, CODE + 1, CODE)
   local noise = mean:detach():clone():normal()
   local drawn = mean + torch.cmul(torch.exp(log_variance * 0.5), noise)
   local pixels = cross_entropy:forward(decoder:forward(drawn), images:view(n, PIXELS))
   local divergence = (torch.exp(log_variance) + torch.pow(mean, 2) - 1 - log_variance):sum() * 0.5
   return pixels / n, divergence / n
end

local train_data = dataset.load(opt.data, 'train', opt.samples)
local test_data = dataset.load(opt.data, 't10k', opt.samples)

local adam = { learningRate = opt.learningRate }
for epoch = 1, opt.epochs do
   local order = torch.randperm(train_data.images:size(1)):long()
   local progress = Progress.new(('epoch %2d'):format(epoch), order:size(1))
   for batch in dataset.batches(train_data, opt.batchSize, 0, 255, order) do
      local _, losses = optim.adam(function()
         gradients:zero()
         local pixels, divergence = loss(device.move(batch))
         local total = pixels + divergence
         total:backward()
         return total:item(), gradients
      end, parameters, adam)
      progress:add(batch:size(1), losses[1])
   end
end

torch.noGrad(function()
   local sums, count = { 0, 0 }, test_data.images:size(1)
   for batch in dataset.batches(test_data, 500, 0, 255) do
      local pixels, divergence = loss(device.move(batch))
      sums[1] = sums[1] + torch.item(pixels) * batch:size(1) / count
      sums[2] = sums[2] + torch.item(divergence) * batch:size(1) / count
   end
   print(('test: %.2f nats an image, %.2f of pixels and %.2f of the code')
      :format(sums[1] + sums[2], unpack(sums)))

   -- The plane of codes, from -2 to 2 in both directions.
   local SIDE = 16
   local steps = torch.linspace(-2, 2, SIDE):float()
   local codes = torch.FloatTensor(SIDE, SIDE, CODE)
   codes:select(3, 1):copy(steps:view(1, SIDE):expand(SIDE, SIDE))
   codes:select(3, 2):copy(steps:view(SIDE, 1):expand(SIDE, SIDE))
   local made = decoder:forward(device.move(codes:view(SIDE * SIDE, CODE))):float()
   picture.save(opt.picture, made:view(SIDE * SIDE, 28, 28), SIDE)
   print('written: ' .. opt.picture)
end)
