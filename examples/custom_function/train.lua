--- Trains a net of weights +1 and -1, by a gradient of our own; see README.md beside this file.

local torch = require 'torch'
local image = require 'image'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local train = require 'torch.train'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'
local picture = paths.dofile '../common/picture.lua'

local opt = options.parse('Train a net of signs on Fashion-MNIST.', {
   options.data, options.samples,
   { 'hidden', 256, 'units in each of two hidden layers', options.whole(1) },
   { 'epochs', 5, 'passes over the training images', options.whole(1) },
   { 'learningRate', 1e-3, "Adam's step at first; it falls as a cosine", options.positive },
   { 'picture', '', 'weights of twelve units of the first layer, as a .png',
      options.drawing('.png') },
   options.threads, options.seed,
})

-- The sign of each element. Its derivative is 0 wherever there is one, so nothing would be learnt:
-- on the way back it is taken for the identity where |x| <= 1, and for 0 elsewhere.
-- Source: Courbariaux, Bengio and David, "BinaryConnect", 2015 (arXiv:1511.00363); Bengio, Leonard
-- and Courville, 2013 (arXiv:1308.3432), the straight-through estimator.
local sign = torch.Function {
   forward = function(context, x)
      context:save(x)
      return torch.ge(x, 0):type(x:type()):mul(2):add(-1)
   end,
   backward = function(context, g)
      local x = context:saved()
      return torch.cmul(g, torch.le(torch.abs(x), 1):type(g:type()))
   end,
}

local layers = {}

-- y = x sign(W)': what is learnt are the numbers W, what computes are their signs.
local function signed(inputs, outputs)
   local layer = nn.Lambda(function(x, weight)
      return torch.mm(x, sign(weight):t())
   end, { torch.FloatTensor(outputs, inputs):uniform(-0.1, 0.1) })
   layers[#layers + 1] = layer
   return layer
end

local PIXELS, CLASSES = 28 * 28, #dataset.classes
local net = nn.Sequential():add(nn.View(PIXELS):setNumInputDims(3))
for _, sizes in ipairs { { PIXELS, opt.hidden }, { opt.hidden, opt.hidden } } do
   net:add(signed(sizes[1], sizes[2])):add(nn.BatchNormalization(sizes[2])):add(nn.ReLU())
end
net:add(signed(opt.hidden, CLASSES)):add(nn.BatchNormalization(CLASSES)):float()

local trainer = train.Trainer {
   model = net, criterion = nn.CrossEntropyCriterion():float(), optimizer = 'adam',
   options = { learningRate = opt.learningRate }, batchSize = 128,
   schedule = optim.schedule.cosine(opt.epochs), epochs = opt.epochs, seed = opt.seed,
   data = dataset.normalized(opt.data, 'train', opt.samples),
   validation = dataset.normalized(opt.data, 't10k', opt.samples), metrics = { 'accuracy' },
   hooks = { onUpdate = function(state)
      for i, layer in ipairs(layers) do -- a weight beyond 1 would have no gradient to bring it back
         local weight = layer.weights[1]:clamp(-1, 1)
         state.trainer:log('positive' .. i, weight:ge(0):float():mean())
      end
   end },
}
print(('test accuracy: %.4f'):format(trainer:run()['validation.accuracy']))

if opt.picture then
   -- The twelve units of the first layer whose signs are most often those of their neighbours.
   local signs = layers[1].weights[1]:ge(0):float():view(-1, 28, 28)
   local same = signs:narrow(2, 1, 27):eq(signs:narrow(2, 2, 27)):float():sum(2):sum(3)
      + signs:narrow(3, 1, 27):eq(signs:narrow(3, 2, 27)):float():sum(2):sum(3)
   local _, order = same:view(-1):sort(1, true)
   local chosen = signs:index(1, order:narrow(1, 1, math.min(opt.hidden, 12)))
   picture.save(opt.picture, image.scale(chosen, 56, 56, 'simple'), 6)
end
