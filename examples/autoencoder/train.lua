--- Trains a convolutional autoencoder on Fashion-MNIST; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local train = require 'torch.train'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'

local opt = options.parse('Train a convolutional autoencoder on Fashion-MNIST.', {
   options.data,
   { 'code', 32, 'numbers that an image is squeezed into', options.whole(1) },
   { 'epochs', 5, 'passes over the training images', options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 1e-3, "Adam's step", options.positive },
   options.samples, options.threads, options.device, options.seed, options.folder,
   { 'picture', 'autoencoder.png', 'test images and what became of them',
      options.drawing '.png' },
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

-- What goes in is what is to come out.
local function part(name)
   local images = dataset.load(opt.data, name, opt.samples).images
   images = images:float():div(255):view(-1, 1, 28, 28)
   return { input = images, target = images }
end

local test = part 't10k'
local trainer = train.Trainer {
   model = nn.Sequential():add(encoder):add(decoder), criterion = nn.MSECriterion(),
   optimizer = 'adam', options = { learningRate = opt.learningRate }, batchSize = opt.batchSize,
   data = part 'train', validation = test, epochs = opt.epochs, seed = opt.seed,
   device = opt.device, checkpoint = opt.folder,
}
print(trainer:summary())
options.resume(trainer) -- from where a run was stopped
print(('test error: %.5f'):format(trainer:run()['validation.loss']))

if opt.picture then -- test images, and below each what came out
   local net = trainer.model:float()
   local some = test.input:narrow(1, 1, math.min(12, test.input:size(1)))
   picture.save(opt.picture, torch.cat(some, net:forward(some), 1), some:size(1))
end
