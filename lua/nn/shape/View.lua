--- The memory of the input seen in another shape; the input must be contiguous.
--
-- The sizes are those of one sample: if the input has k times their elements, the output has a
-- first dimension of k. One size may be -1, to be worked out from the others.
-- @classmod nn.View
-- @usage nn.View(784):forward(torch.Tensor(32, 28, 28)) -- 32 x 784
-- @example #nn.View(-1):setNumInputDims(2):forward(torch.randn(5, 2, 3)) --> { 5, 6 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local View = nn.declare('nn.View', 'nn.SameElements', {
   arguments = 'size  sizes  those of one sample',
   text = '({size/, })',
})

function View:__initialize(size)
   self:resetSize(size)
end

--- Change the sizes.
-- @param ... numbers, or one LongStorage
-- @return self
function View:resetSize(...)
   self.size = check.shape(self, 'nn.View(size1, size2, ...)', ...)
   self.batchsize = nil
   self.numElements = 1
   local inferred = false
   for _, n in ipairs(self.size:totable()) do
      if n >= 0 then
         self.numElements = self.numElements * n
      elseif inferred then
         check.fail(self, 'only one size can be -1')
      else
         inferred = true
      end
   end
   return self
end

--- Say how many dimensions one sample has: those before them are the batch, even if it holds one.
-- @int[opt] numInputDims
-- @return self
-- @example #nn.View(-1):setNumInputDims(2):forward(torch.randn(5, 2, 3)) --> { 5, 6 }
function View:setNumInputDims(numInputDims)
   self.numInputDims = numInputDims
   return self
end

local function has_inferred_size(size)
   for i = 1, #size do
      if size[i] == -1 then
         return true
      end
   end
   return false
end

local function fail(self, input)
   check.fail(self, 'input view (%s) and desired view (%s) do not match: %d elements are not a '
      .. 'multiple of %d', check.describe(input), table.concat(self.size:totable(), 'x'),
      input:nElement(), self.numElements)
end

-- The first size of the output, if it has a batch dimension.
local function batch_size(self, input)
   local dims = input:dim()
   local sample_dims = math.min(self.numInputDims or dims, dims)
   local sample, batch = 1, 1
   for d = 1, dims do
      if d > dims - sample_dims then
         sample = sample * input:size(d)
      else
         batch = batch * input:size(d)
      end
   end
   if sample % self.numElements ~= 0 then
      fail(self, input)
   end
   if not has_inferred_size(self.size) then
      batch = batch * (sample / self.numElements)
   end
   if batch == 1 and sample_dims == dims then
      return nil
   end
   return batch
end

-- The sizes with the batch in front, in a storage that is kept for the next call.
local function with_batch(self, batch)
   local size = self.size
   local batchsize = self.batchsize
   if not batchsize then
      batchsize = torch.LongStorage(#size + 1)
      for i = 1, #size do
         batchsize[i + 1] = size[i]
      end
      self.batchsize = batchsize
   end
   batchsize[1] = batch
   return batchsize
end

function View:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   if not x:isContiguous() then
      check.fail(self, 'input %s is not contiguous, expecting a contiguous tensor. Call '
         .. 'input:contiguous() first', check.describe(x))
   end
   local batch = batch_size(self, x)
   return y:view(x, batch and with_batch(self, batch) or self.size)
end
