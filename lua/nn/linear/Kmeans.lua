--- k-means: the number of the centroid that is nearest to each sample.
--
-- Shapes: N x dim, or dim; the output is a LongTensor of N numbers from 1 to k, or of one. `loss`
-- is the sum of the squared distances of the last forward. The gradient of a centroid is its
-- difference from the mean of its samples, whatever gradOutput is: a step with learning rate 1 is
-- one of Lloyd's algorithm. gradInput is zero.
-- Source: Lloyd, IEEE Trans. Information Theory 28 (1982), 129-137.
-- @classmod nn.Kmeans
-- @example #nn.Kmeans(3, 2):forward(torch.randn(10, 2)) --> { 10 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local C = th.C

local Kmeans = nn.declare('nn.Kmeans', 'nn.Weighted', {
   arguments = [[
      k      size     the number of centroids
      dim    size     features of a sample
      scale  number?  multiplies the gradients, instead of what backward is given
   ]],
   input = 'any',
})

function Kmeans:__initialize(k, dim)
   self.output = torch.LongTensor()
   self.loss = 0
   self:__addWeights { k, dim }
end

--- Draw the centroids uniformly between -stdv and stdv.
-- @number[opt=1] stdv
-- @return self
function Kmeans:reset(stdv)
   stdv = stdv or 1
   self.weight:uniform(-stdv, stdv)
   return self
end

-- The samples as a batch.
local function batch_of(self, x)
   check.tensor(self, self.weight, x, 'input')
   if x.ndim < 1 or x.ndim > 2 or x:size(x.ndim) ~= self.dim then
      check.fail(self, 'input is %s, expected N x %d or %d', check.describe(x), self.dim, self.dim)
   end
   return x.ndim == 2 and x or nn.utils.addSingletonDimension(x, 1)
end

-- Elements of differences at a time: some megabytes, whatever the number of samples.
local AT_ONCE = 2 ^ 20

-- Squared distances, N x number of centroids.
local function distances(x, centroids)
   local n, k, dim = x:size(1), centroids:size(1), centroids:size(2)
   local all, step = x.new(n, k), math.max(1, math.floor(AT_ONCE / (k * dim)))
   for first = 1, n, step do
      local count = math.min(step, n - first + 1)
      local samples = nn.utils.addSingletonDimension(x:narrow(1, first, count), 2)
      local d = x.new(count, k, dim):copy(samples:expand(count, k, dim))
      d:add(-1, centroids:view(1, k, dim):expand(count, k, dim))
      all:narrow(1, first, count):copy(d:cmul(d):sum(3))
   end
   return all
end

--- Take k samples, drawn at random, for centroids.
-- @tparam Tensor input N x dim, N at least k
function Kmeans:initRandom(input)
   input = batch_of(self, input)
   if input:size(1) < self.k then
      check.fail(self, 'input is %s, expected %d samples or more', check.describe(input), self.k)
   end
   local drawn = torch.randperm(input:size(1)):narrow(1, 1, self.k):long()
   self.weight:copy(input:index(1, drawn))
end

--- Take samples for centroids that are far from each other: each is drawn from those farthest from
-- the centroids so far.
-- Source: Arthur and Vassilvitskii, SODA 2007, 1027-1035.
-- @tparam Tensor input N x dim
-- @number[opt=0.95] p the part of the samples that are not drawn from, the nearest
function Kmeans:initKmeansPlus(input, p)
   input, p = batch_of(self, input), p or 0.95
   if p <= 0 or p >= 1 then
      check.fail(self, 'p is %g, expected a number between 0 and 1', p)
   end
   local n, weight = input:size(1), self.weight
   local candidates = math.max(1, math.ceil((1 - p) * n))
   weight[1]:copy(input[torch.random(n)])
   for i = 2, self.k do
      local nearest = distances(input, weight:narrow(1, 1, i - 1)):min(2):view(-1)
      local _, order = nearest:sort(1, true)
      weight[i]:copy(input[order[torch.random(candidates)]])
   end
end

function Kmeans:__computeOutput(y, x)
   local nearest, which = distances(batch_of(self, x), self.weight):min(2)
   self.loss = nearest:sum()
   if not check.suits(y, C.TH_LONG, x) then
      y = th.likeType(x, C.TH_LONG)
   end
   return y:resize(which:size(1)):copy(which)
end

function Kmeans:__computeGradInput(gx, x)
   batch_of(self, x)
   return gx:resizeAs(x):zero()
end

function Kmeans:__computeGradParameters(x, _, scale)
   x = batch_of(self, x)
   local weight, which = self.weight, self.output
   local count = x.new(self.k):zero():indexAdd(1, which, x.new(x:size(1)):fill(1)):view(-1, 1)
   local sum = weight.new():resizeAs(weight):zero():indexAdd(1, which, x)
   local seen = torch.cmin(count, 1)
   local gradient = torch.cmul(weight, seen:expandAs(weight))
      :add(-1, sum:cdiv(torch.cmax(count, 1):expandAs(sum)))
   self.gradWeight:add(self.scale or scale, gradient)
end
