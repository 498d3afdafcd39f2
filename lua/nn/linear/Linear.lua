--- Fully connected layer: y = x W' + b.
--
-- Shapes: x is N x inputSize (or inputSize for one sample), W is outputSize x inputSize, b is
-- outputSize, y is N x outputSize. W and b start uniform in ±1/sqrt(inputSize).
-- @classmod nn.Linear
-- @example
-- local layer = nn.Linear(3, 2)
-- #layer:forward(torch.randn(5, 3)) --> { 5, 2 }
-- #layer.weight --> { 2, 3 }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local Linear = nn.declare('nn.Linear', 'nn.Weighted', {
   arguments = [[
      (inputSize)   size            features in
      (outputSize)  size            features out
      (bias)        boolean = true  whether to add b
   ]],
   input = 'N? weight[2]',
   output = 'N? weight[1]',
   text = '({weight[2]} -> {weight[1]}){no bias}',
})

function Linear:__initialize(inputSize, outputSize, bias)
   self:__addWeights({ outputSize, inputSize }, bias and { outputSize })
end

function Linear:__fanIn()
   return self.weight:size(2)
end

-- What to do about a wrong input.
function Linear:__advise(input)
   local inputSize, dims = self.weight:size(2), input:dim()
   if dims == 1 and input:size(1) % inputSize == 0 then -- as nn.View(-1) makes it of a batch
      return (' (size mismatch). For %d samples: nn.View(%d)'):format(input:size(1) / inputSize,
         inputSize)
   elseif dims < 3 then
      return ' (size mismatch)'
   end
   local whole = input:nElement()
   local sample = whole / input:size(1)
   if dims == 3 and whole == inputSize then
      return ('. Flatten it first: nn.View(%d)'):format(inputSize)
   end
   -- Without the number of dimensions, View would take a batch of another size for part of it.
   local view = ('nn.View(%d):setNumInputDims(%d)'):format(sample, dims - 1)
   if sample == inputSize then
      return '. Flatten its samples first: ' .. view
   elseif input:size(dims) == inputSize then -- as PyTorch's, of any number of dimensions
      return ('. For each row of its last dimension: nn.Bottle(nn.Linear(%d, %d))'):format(
         inputSize, self.weight:size(1))
   end
   return ('. Its samples have %d elements: %s flattens them, for nn.Linear(%d, %d)'):format(sample,
      view, sample, self.weight:size(1))
end

function Linear:__computeOutput(y, x)
   return ops.linear(self, y, x, self.weight, self.bias)
end

-- One sample has products of its own: by way of a batch of one, as `batch = true` would make it,
-- forward and backward of 32 -> 64 took 25 us, with these 1.2 (a batch of one itself: 1.8).
function Linear:__computeGradInput(gx, x, g)
   local weight = self.weight
   if x.ndim == 1 then
      gx:resize(weight:size(2))
      return gx:mv(weight:t(), g)
   end
   gx:resize(x:size(1), weight:size(2))
   return gx:mm(g, weight)
end

function Linear:__computeGradParameters(x, g, scale)
   if x.ndim == 1 then
      self.gradWeight:addr(scale, g, x)
      if self.bias then
         self.gradBias:add(scale, g)
      end
      return
   end
   local transposed = g:t()
   self.gradWeight:addmm(scale, transposed, x)
   if self.bias then
      self:updateAddBuffer(x)
      self.gradBias:addmv(scale, transposed, self.addBuffer)
   end
   transposed:set() -- a view keeps g's memory until it is collected
end

--- Make `addBuffer`: a one for each sample, by which a product sums over the batch.
function Linear:updateAddBuffer(x)
   local ones = self.addBuffer
   if not ones or ones:nElement() ~= x:size(1) or ones.dtype ~= x.dtype
      or ones.device ~= x.device then
      self.addBuffer = th.like(x):resize(x:size(1)):fill(1)
   end
end

function Linear:clearState()
   self.addBuffer = nil
   return nn.Module.clearState(self)
end
