--- Fashion-MNIST: 60,000 training and 10,000 test images of clothes, 28 x 28, in ten classes.
-- Source: Xiao, Rasul and Vollgraf, 2017 (arXiv:1708.07747).

local paths = require 'paths'
local torch = require 'torch'
local readers = require 'torch.dataset'
local options = paths.dofile 'options.lua'

local dataset = {}

dataset.classes = {
   'T-shirt', 'trouser', 'pullover', 'dress', 'coat', 'sandal', 'shirt', 'sneaker', 'bag', 'boot',
}

-- Of the training images' pixels, from 0 to 255.
dataset.MEAN, dataset.DEVIATION = 72.9, 90

local NEEDED = '%s is missing. On Debian: apt install dataset-fashion-mnist, or name another '
   .. 'folder with --data'

--- Load one part of the data.
-- @string folder where the four IDX files lie
-- @string part 'train' or 't10k'
-- @int[opt=0] samples take the first so many, 0: all
-- @treturn table images (ByteTensor N x 28 x 28), labels (LongTensor N, 1 to 10)
function dataset.load(folder, part, samples)
   for _, what in ipairs { 'images-idx3', 'labels-idx1' } do
      local file = ('%s/%s-%s-ubyte'):format(folder, part, what)
      if not paths.filep(file) and not paths.filep(file .. '.gz') then
         options.refuse(NEEDED, file .. '.gz')
      end
   end
   local set = readers.Mnist { folder = folder, part = part == 't10k' and 'test' or part,
      count = samples and samples > 0 and samples or nil }
   return { images = set.fields.input:select(2, 1), labels = set.fields.target }
end

--- One part of the data for a net: pixels of mean 0 and deviation 1.
-- @treturn table input (FloatTensor N x 1 x 28 x 28), target (LongTensor N); as for `load` else
function dataset.normalized(folder, part, samples)
   local data = dataset.load(folder, part, samples)
   local pixels = data.images:float():add(-dataset.MEAN):div(dataset.DEVIATION)
   return { input = pixels:view(-1, 1, 28, 28), target = data.labels }
end

--- Mean and standard deviation of the pixels, by which inputs are normalised.
function dataset.statistics(images)
   local pixels = images:float()
   return pixels:mean(), pixels:std()
end

--- Iterate over batches: `for inputs, targets in dataset.batches(data, size, mean, std, order) do`.
-- The tensors are buffers that the next batch overwrites.
-- @tparam table data what `load` returned
-- @int size samples in a batch; the last batch may be smaller
-- @number mean taken from each pixel
-- @number std by which it is divided then
-- @tparam[opt] LongTensor order the samples to take, in this order; default all, as they come
-- @treturn function iterator of inputs (FloatTensor n x 1 x H x W), targets (LongTensor n)
function dataset.batches(data, size, mean, std, order)
   local images, labels = data.images, data.labels
   local count = order and order:size(1) or images:size(1)
   local height, width = images:size(2), images:size(3)
   local pixels, targets = torch.ByteTensor(), torch.LongTensor()
   local inputs = torch.FloatTensor()
   local first = 1
   return function()
      if first > count then
         return nil
      end
      local n = math.min(size, count - first + 1)
      inputs:resize(n, 1, height, width)
      if order then
         local chosen = order:narrow(1, first, n)
         pixels:index(images, 1, chosen)
         targets:index(labels, 1, chosen)
         inputs:copy(pixels)
      else
         inputs:copy(images:narrow(1, first, n))
         targets = labels:narrow(1, first, n)
      end
      first = first + n
      return inputs:add(-mean):mul(1 / std), targets
   end
end

--- What each sample costs a net that gives log-probabilities: -log p of its class.
-- @param net nn.Module on the CPU, in evaluation
-- @tparam table fields input (N x ...), target (N)
-- @treturn Tensor N
-- @treturn LongTensor N: the classes that it takes for the likeliest
function dataset.surprise(net, fields)
   local costs, guesses = {}, {}
   for first = 1, fields.target:size(1), 250 do
      local n = math.min(250, fields.target:size(1) - first + 1)
      local logs = net:forward(fields.input:narrow(1, first, n))
      costs[#costs + 1] = -logs:gather(2, fields.target:narrow(1, first, n):view(n, 1)):view(n)
      guesses[#guesses + 1] = select(2, logs:max(2)):view(n)
   end
   return torch.cat(costs, 1), torch.cat(guesses, 1)
end

return dataset
