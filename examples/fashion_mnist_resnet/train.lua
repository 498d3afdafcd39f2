--- Trains a residual net on Fashion-MNIST, with augmented images; see README.md beside this file.

local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local image = require 'image'
local dataset = require 'torch.dataset'
local train = require 'torch.train'
local transform = dataset.transform
local models = paths.dofile '../fashion_mnist/models.lua'
local fashion = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'

local opt = options.parse('Train a residual net on Fashion-MNIST.', {
   options.data, options.samples,
   { 'epochs', 15, 'passes over the training images', options.whole(1) },
   { 'width', 32, 'planes of the first layer', options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 0.1, 'the highest of the cycle', options.positive },
   { 'precision', 'float', 'or bfloat16', options.one_of('float', 'bfloat16') },
   { 'workers', 0, 'threads that augment images ahead of the net', options.whole(0) },
   { 'folder', 'fashion_mnist_resnet', 'of checkpoints, log.csv and pictures' },
   options.threads, options.device, options.seed })

local MEAN, DEVIATION = 72.9, 90 -- of the training images' pixels
local BLACK = -MEAN / DEVIATION

local function part(name)
   local data = fashion.load(opt.data, name, opt.samples)
   local images = data.images:float():add(-MEAN):div(DEVIATION):view(-1, 1, 28, 28)
   return dataset.Tensors { input = images, target = data.labels }
end

local loader = dataset.Loader {
   dataset = part 'train', batchSize = opt.batchSize, shuffle = true, workers = opt.workers,
   transform = transform.Compose(
      transform.RandomCrop { size = 28, padding = 2, fill = BLACK }, transform.RandomFlip {}),
}
local test = part 't10k'

local trainer = train.Trainer {
   model = models.page(#fashion.classes, opt.width):float(),
   criterion = nn.ClassNLLCriterion():float(),
   optimizer = 'sgd', options = { learningRate = opt.learningRate, momentum = 0.9, dampening = 0,
      nesterov = true, weightDecay = 5e-4 },
   schedule = optim.schedule.oneCycle(opt.epochs * loader:size()), scheduleUnit = 'step',
   data = loader, validation = dataset.Loader { dataset = test, batchSize = 250 },
   epochs = opt.epochs, metrics = { 'accuracy' }, seed = opt.seed, device = opt.device,
   precision = opt.precision, checkpoint = opt.folder,
   log = { csv = opt.folder .. '/log.csv',
      train.Plot(opt.folder .. '/accuracy.png', { 'accuracy', 'validation.accuracy' }) },
}
print(trainer:summary())
trainer:resume()
print(('test accuracy: %.4f'):format(trainer:run()['validation.accuracy']))

-- The test images that surprised the net most: -log p of the true class is largest.
trainer.model:type('torch.FloatTensor'):evaluate()
local surprise = fashion.surprise(trainer.model, test.fields)
local _, order = surprise:sort(1, true)
local worst = test.fields.input:index(1, order:narrow(1, 1, math.min(24, order:size(1))))
image.save(opt.folder .. '/mistakes.png', picture.grid(worst:mul(DEVIATION):add(MEAN):div(255), 12))
for i = 1, math.min(3, order:size(1)) do
   print(('surprise %.2f: a %s'):format(surprise[order[i]],
      fashion.classes[test.fields.target[order[i]]]))
end
