--- What layers of maxima have in common: they keep where the maxima were, in `indices`.
-- @module nn.pooling.maxima

local torch = require 'torch'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local M = {}

--- The buffer for positions: integers beside the input, whatever type the layer is converted to.
local function indices(self, x)
   if not check.suits(self.indices, th.C.TH_LONG, x) then
      self.indices = th.likeType(x, th.C.TH_LONG)
   end
   return self.indices
end
M.indices = indices

--- Give a class the hooks of an operation.
-- @param Layer
-- @string operation such as 'max_pool', to which 'max_pool_backward' belongs
-- @func windows of (layer, input): the arguments that say where its windows are
function M.install(Layer, operation, windows)
   local forward, backward = ops[operation], ops[operation .. '_backward']

   function Layer:__initialize()
      self.indices = torch.LongTensor()
   end

   function Layer:__computeOutput(y, x)
      return forward(self, y, indices(self, x), x, windows(self, x))
   end

   function Layer:__computeGradInput(gx, x, g)
      return backward(self, gx, g, x, indices(self, x), windows(self, x))
   end
end

return M
