--- Training of a language model by the Trainer: what the examples that write text share.

local nn = require 'nn'
local paths = require 'paths'
local train = require 'torch.train'
local options = paths.dofile 'options.lua'
local text = paths.dofile 'text.lua'

local model = {}

--- Options that these examples have.
model.options = {
   text = { 'text', '/usr/share/common-licenses/GPL-3', 'file to learn from' },
   batchSize = { 'batchSize', 16, 'places of the text that are read side by side',
      options.whole(1) },
   accumulate = { 'accumulate', 1, 'batches that make a step', options.whole(1) },
   precision = { 'precision', 'float', 'or bfloat16, or half',
      options.one_of('float', 'bfloat16', 'half') },
   clip = { 'clip', 5, 'longest gradient', options.positive },
   plot = { 'plot', '', 'picture of the losses (.png or .svg)',
      options.drawing('.png', '.svg') },
   temperature = { 'temperature', 0.7, 'below 1: rather the likely ones', options.positive },
}

-- A loader of steps of the text; `begin` is called at the start of each round.
local function steps(numbers, size, length, begin)
   local function round()
      local following = text.batches(begin(numbers), size, length)
      return function()
         local x, y = following()
         return x and { input = x, target = y:view(-1) }
      end
   end
   local count = text.steps(numbers, size, length)
   return setmetatable({ size = function() return count end }, { __call = round })
end

--- Train a net that gives scores of all symbols for each place: N x T -> N T x symbols.
-- @param net nn.Module
-- @tparam table data what `text.load` gave
-- @tparam table opt epochs, batchSize, length, learningRate, clip, accumulate, precision, plot,
-- folder; schedule, of the Trainer
-- @func[opt] begin function(numbers) -> numbers, called at the start of each round over the text
-- @treturn number the loss on the test, in nats a symbol
function model.train(net, data, opt, begin)
   begin = begin or function(numbers) return numbers end
   local plot = opt.plot and train.Plot(opt.plot)
   local trainer = train.Trainer {
      model = net:float(), criterion = nn.CrossEntropyCriterion():float(), device = 'cpu',
      optimizer = 'adam', options = { learningRate = opt.learningRate }, clip = opt.clip,
      schedule = opt.schedule,
      data = steps(data.train, opt.batchSize, opt.length, begin),
      validation = steps(data.test, 1, opt.length, begin),
      epochs = opt.epochs, accumulate = opt.accumulate, precision = opt.precision,
      log = { plot }, checkpoint = opt.folder,
   }
   print(net)
   print(('%d parameters, %d symbols, %d of them different'):format(
      trainer.state.parameters:nElement(), data.train:size(1), #data.symbols))
   options.resume(trainer)
   local loss = trainer:run()['validation.loss']
   print(('test loss: %.4f'):format(loss))
   if plot and plot.drawn then
      print('written: ' .. opt.plot)
   end
   return loss
end

return model
