--- Trains LeNet on Fashion-MNIST by the Trainer; see README.md beside this file.
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local train = require 'torch.train'
local models = paths.dofile '../fashion_mnist/models.lua'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'

local opt = options.parse('Train a classifier of Fashion-MNIST.', { options.data, options.samples,
   { 'epochs', 6, 'passes over the training images', options.whole(1) },
   { 'folder', 'fashion_mnist', 'of checkpoints, log.csv and the events that TensorBoard shows',
      options.writable_folder },
   options.threads, options.device, options.seed })

local data = dataset.normalized(opt.data, 'train', opt.samples)
local test = dataset.normalized(opt.data, 't10k', opt.samples)

local trainer = train.Trainer {
   model = models.lenet(#dataset.classes), criterion = nn.ClassNLLCriterion(), device = opt.device,
   optimizer = 'adamw', options = { learningRate = 2e-3, weightDecay = 0.05 }, batchSize = 128,
   schedule = optim.schedule.cosine(opt.epochs), data = data, validation = test,
   epochs = opt.epochs, seed = opt.seed, metrics = { 'accuracy' }, checkpoint = opt.folder,
   log = { csv = opt.folder .. '/log.csv', tensorboard = opt.folder } }
print(trainer:summary())
options.resume(trainer) -- where the folder has checkpoints of a run that was stopped
print(('test accuracy: %.4f'):format(trainer:run()['validation.accuracy']))
