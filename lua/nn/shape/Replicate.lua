--- The input `nFeatures` times along a new dimension: a view of its memory, without a copy.
-- @classmod nn.Replicate
-- @example nn.Replicate(2):forward(torch.Tensor { 5, 6 }) --> { { 5, 6 }, { 5, 6 } }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local C = th.C

local Replicate = nn.declare('nn.Replicate', {
   arguments = [[
      nFeatures -> nfeatures  size      how often
      dim                     size = 1  which dimension the new one shall be, in one sample
      nInputDims -> ndim      integer?  dimensions of one sample: an input with one more is a batch
   ]],
   input = 'any',
})

local function new_dimension(self, x)
   return dimension.of(self, x, self.dim, self.ndim, 1)
end

function Replicate:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   local d = new_dimension(self, x)
   local sizes = x:size():totable()
   table.insert(sizes, d, self.nfeatures)
   check.status(self, C.TH_unsqueeze(y, x, d - 1))
   check.status(self, C.TH_alias(y, y:expand(torch.LongStorage(sizes))))
   return y
end

function Replicate:__computeGradInput(gx, x, g)
   check.any_backward(self, x, g)
   if g:nElement() ~= self.nfeatures * x:nElement() then
      check.fail(self, 'gradOutput is %s, expected %d times %s', check.describe(g),
         self.nfeatures, check.describe(x))
   end
   return ops.sum(self, check.buffer(gx, x), g, new_dimension(self, x) - 1):resizeAs(x)
end
