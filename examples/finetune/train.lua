--- Takes over what a net has learnt about other images; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local safetensors = require 'safetensors'
local train = require 'torch.train'
local curves = paths.dofile '../common/curves.lua'
local dataset = paths.dofile '../common/fashion_mnist.lua'
local options = paths.dofile '../common/options.lua'

local opt = options.parse('Fine-tune a classifier of clothes.', {
   options.data, options.samples,
   { 'weights', 'clothes.safetensors',
      'of the net that knows seven classes; made if it is not there', options.writable },
   { 'known', 2, 'passes over the images of those classes', options.whole(1) },
   { 'images', 3, 'images of each of the other three classes to learn from', options.whole(1) },
   { 'epochs', 20, 'passes over these', options.whole(1) },
   { 'plot', '', 'picture of the accuracies (.png or .svg)',
      options.drawing('.png', '.svg') },
   options.threads, options.seed,
})

local KNOWN = { 1, 2, 3, 4, 6, 8, 9 }
local NEW = { 5, 7, 10 } -- coat, shirt, boot

-- A net whose parts have names, as PyTorch's have: features.0.weight, classifier.1.bias.
local function new_net(classes)
   local features = nn.Sequential()
      :add(nn.SpatialConvolution(1, 16, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
      :add(nn.SpatialConvolution(16, 32, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
   local classifier = nn.Sequential()
      :add(nn.View(512):setNumInputDims(3))
      :add(nn.Linear(512, 100)):add(nn.ReLU()):add(nn.Linear(100, classes))
   features.name, classifier.name = 'features', 'classifier'
   return nn.Sequential():add(features):add(classifier):float()
end

-- Our name -> PyTorch's, which counts from 0.
local function theirs(name)
   return (name:gsub('%f[%w_]%d+%f[.]', function(place) return place - 1 end))
end

-- The images of some classes, which become 1, 2, ...; at most `most` of each.
local function part(name, classes, most)
   local data = dataset.normalized(opt.data, name, opt.samples)
   local number, counts, chosen, targets = {}, {}, {}, {}
   for k, class in ipairs(classes) do
      number[class], counts[class] = k, 0
   end
   for i = 1, data.target:size(1) do
      local class = data.target[i]
      if number[class] and counts[class] < most then
         counts[class] = counts[class] + 1
         chosen[#chosen + 1], targets[#targets + 1] = i, number[class]
      end
   end
   for _, class in ipairs(classes) do
      if counts[class] == 0 then
         options.refuse('--samples: there is no %s among %d images', dataset.classes[class],
            data.target:size(1))
      end
   end
   return { input = data.input:index(1, torch.LongTensor(chosen)),
      target = torch.LongTensor(targets) }
end

local function trainer(net, data, test, epochs, more)
   local settings = {
      model = net, criterion = nn.CrossEntropyCriterion():float(), optimizer = 'adam',
      options = { learningRate = 1e-3 }, batchSize = 50, data = data, validation = test,
      epochs = epochs, metrics = { 'accuracy' }, seed = opt.seed, log = false,
   }
   for key, value in pairs(more or {}) do
      settings[key] = value
   end
   return train.Trainer(settings)
end

local few, test = part('train', NEW, opt.images), part('t10k', NEW, math.huge)

-- 1. A net that knows seven classes.
if not paths.filep(opt.weights) then
   local net = new_net(#KNOWN)
   local row = trainer(net, part('train', KNOWN, math.huge), part('t10k', KNOWN, math.huge),
      opt.known, { log = { console = true } }):run()
   local weights = {}
   for name, tensor in pairs(train.weights(net)) do
      weights[theirs(name)] = tensor
   end
   safetensors.save(opt.weights, weights)
   print(('%s: knows %d classes, accuracy %.4f'):format(opt.weights, #KNOWN,
      row['validation.accuracy']))
end

local function known_net()
   local net = new_net(#KNOWN)
   options.try('weights', train.loadWeights, net, opt.weights, { map = theirs })
   train.replace(net, 'classifier.4', nn.Linear(100, #NEW):float())
   return net
end

-- 2. What a few images teach it about the three others.
local frozen, free = known_net(), known_net()
local results = {}

-- A layer that is new learns faster than what is there already.
local FAST = { learningRate = 1e-2 }

local function learn(title, net, more)
   more = more or {}
   more.batchSize = 10
   local made = trainer(net, few, test, opt.epochs, more)
   local row, accuracies = made:run(), {}
   for i, epoch in ipairs(made.history) do
      accuracies[i] = epoch['validation.accuracy']
   end
   results[#results + 1] = { title, accuracies }
   print(('%-34s accuracy %.4f'):format(title, row['validation.accuracy']))
end

learn('from scratch', new_net(#NEW))

train.freeze(frozen, 'features')
train.freeze(frozen, 'classifier.2')
learn('a new last layer alone', frozen, { options = FAST })

learn('all layers, the old ones slowly', free, { options = FAST, groups = {
   { parameters = 'features', learningRate = 1e-4 },
   { parameters = 'classifier.2', learningRate = 3e-4 },
} })

local guesses = torch.Tensor(opt.epochs):fill(1 / #NEW):totable()
results[#results + 1] = { 'guessing', guesses, "with lines dashtype 2 linecolor rgb 'dark-gray'" }
curves.draw(opt.plot, results, 'epoch', 'accuracy on new classes')
