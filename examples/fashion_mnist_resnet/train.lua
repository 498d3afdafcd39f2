--- Trains a residual net on Fashion-MNIST, with augmented images; see README.md beside this file.

local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local dataset = require 'torch.dataset'
local train = require 'torch.train'
local transform = dataset.transform
local models = paths.dofile '../fashion_mnist/models.lua'
local fashion = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'

local opt = options.parse('Train a residual net on Fashion-MNIST.', {
   options.data, options.samples,
   { 'epochs', 10, 'passes over the training images', options.whole(1) },
   { 'width', 32, 'planes of the first layer', options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 0.1, 'the highest of the cycle', options.positive },
   { 'precision', 'float', 'or bfloat16', options.one_of('float', 'bfloat16') },
   { 'workers', 0, 'threads that augment images ahead of the net', options.whole(0) },
   { 'folder', 'fashion_mnist_resnet', 'of checkpoints, log.csv and pictures',
      options.writable_folder },
   options.threads, options.device, options.seed })

local BLACK = -fashion.MEAN / fashion.DEVIATION
local loader = dataset.Loader {
   dataset = dataset.Tensors(fashion.normalized(opt.data, 'train', opt.samples)),
   batchSize = opt.batchSize, shuffle = true, workers = opt.workers,
   transform = transform.Compose(
      transform.RandomCrop { size = 28, padding = 2, fill = BLACK }, transform.RandomFlip {}),
}
local test = fashion.normalized(opt.data, 't10k', opt.samples)

local trainer = train.Trainer {
   model = models.page(#fashion.classes, opt.width):float(),
   criterion = nn.ClassNLLCriterion():float(),
   optimizer = 'sgd', options = { learningRate = opt.learningRate, momentum = 0.9, dampening = 0,
      nesterov = true, weightDecay = 5e-4 },
   schedule = optim.schedule.oneCycle(opt.epochs * loader:size()), scheduleUnit = 'step',
   data = loader, validation = { input = test.input, target = test.target, batchSize = 250 },
   epochs = opt.epochs, metrics = { 'accuracy' }, seed = opt.seed, device = opt.device,
   precision = opt.precision, checkpoint = opt.folder,
   log = { csv = opt.folder .. '/log.csv',
      train.Plot(opt.folder .. '/accuracy.png', { 'accuracy', 'validation.accuracy' }) },
}
print(trainer:summary())
options.resume(trainer)
print(('test accuracy: %.4f'):format(trainer:run()['validation.accuracy']))

-- The test images that surprised the net most: -log p of the true class is largest.
trainer.model:float():evaluate()
local surprise, guesses = fashion.surprise(trainer.model, test)
local _, order = surprise:sort(1, true)
local worst = order:narrow(1, 1, math.min(24, order:size(1)))
local captions = {}
for i, n in ipairs(worst:totable()) do
   captions[i] = { fashion.classes[test.target[n]], fashion.classes[guesses[n]] .. '?' }
end
local pixels = test.input:index(1, worst):mul(fashion.DEVIATION):add(fashion.MEAN):div(255)
picture.save(opt.folder .. '/mistakes.png', pixels, 8, captions)
