--- Trains a variational autoencoder on Fashion-MNIST; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local train = require 'torch.train'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'

local opt = options.parse('Train a variational autoencoder on Fashion-MNIST.', {
   options.data,
   { 'hidden', 400, 'units in the hidden layers', options.whole(1) },
   { 'epochs', 10, 'passes over the training images', options.whole(1) },
   { 'batchSize', 128, 'images in a training step', options.whole(1) },
   { 'learningRate', 1e-3, "Adam's step", options.positive },
   options.samples, options.threads, options.device, options.seed, options.folder,
   { 'picture', 'vae.png', 'images that the decoder makes of the plane', options.drawing '.png' },
})

local PIXELS, CODE = 28 * 28, 2

local encoder = nn.Sequential() -- mean and log-variance of each of the code's numbers
   :add(nn.Linear(PIXELS, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, 2 * CODE))
local decoder = nn.Sequential()
   :add(nn.Linear(CODE, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, opt.hidden)):add(nn.ReLU())
   :add(nn.Linear(opt.hidden, PIXELS)) -- what a sigmoid makes pixels of

--- What an image costs: the nats that its pixels take, given a code drawn from the encoder's
-- distribution, and those of the code, whose distribution should be near the normal one. The
-- second value, the nats of each of the code's numbers, is what the metric sees.
-- Source: Kingma and Welling, 2014 (arXiv:1312.6114), appendix B.
local function loss(model, batch)
   local code = model:get(1):forward(batch.image)
   local mean, log_variance = code:narrow(2, 1, CODE), code:narrow(2, CODE + 1, CODE)
   local noise = mean:detach():clone():normal()
   local scores = model:get(2):forward(mean + torch.cmul(torch.exp(log_variance * 0.5), noise))
   -- The cross entropy of x and sigmoid(s) is log(1 + e^s) - x s.
   local pixels = torch.softplus(scores) - torch.cmul(batch.image, scores)
   local divergence = (torch.exp(log_variance) + torch.pow(mean, 2) - 1 - log_variance) * 0.5
   local n = batch.image:size(1)
   return (pixels:sum() + divergence:sum()) / n, divergence
end

local function nats(divergence)
   return divergence:sum() / divergence:size(1)
end

local function part(name)
   local images = dataset.load(opt.data, name, opt.samples).images
   return { image = images:float():div(255):view(-1, PIXELS) }
end

local trainer = train.Trainer {
   model = nn.Sequential():add(encoder):add(decoder), loss = loss,
   optimizer = 'adam', options = { learningRate = opt.learningRate }, batchSize = opt.batchSize,
   data = part 'train', validation = part 't10k', epochs = opt.epochs, seed = opt.seed,
   device = opt.device, metrics = { code = nats }, checkpoint = opt.folder,
}
options.resume(trainer) -- from where a run was stopped
local row = trainer:run()
print(('test: %.2f nats an image, %.2f of them for the code'):format(row['validation.loss'],
   row['validation.code']))

if opt.picture then -- the plane of codes, from -2 to 2 in both directions
   local SIDE = 16
   local steps = torch.linspace(-2, 2, SIDE):float()
   local codes = torch.FloatTensor(SIDE, SIDE, CODE)
   codes:select(3, 1):copy(steps:view(1, SIDE):expand(SIDE, SIDE))
   codes:select(3, 2):copy(steps:view(SIDE, 1):expand(SIDE, SIDE))
   local made = torch.sigmoid(trainer.model:get(2):float():forward(codes:view(SIDE * SIDE, CODE)))
   picture.save(opt.picture, made:view(-1, 28, 28), SIDE)
end
