--- What unpooling has in common in all dimensions: values go where maxima were, zeros elsewhere.
-- @module nn.pooling.unpooling

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local C = th.C

-- The pooling layer's positions, as planes x outputs beside x.
local function positions(self, x, planes)
   local at = self.pooling.indices
   if not torch.isTensor(at) or C.TH_nElement(at) ~= C.TH_nElement(x) then
      check.fail(self, 'input is %s, expected the size of the output of its pooling layer, %s: run '
         .. 'that layer forward first', check.describe(x), check.describe(at))
   end
   if not check.suits(at, C.TH_LONG, x) then -- converted with the layer
      at = th.likeType(x, C.TH_LONG):resize(at:size()):copy(at)
      self.pooling.indices = at
   end
   return at:view(planes, -1)
end

local function planes_of(self, x)
   local planes = x:size(1)
   return x:dim() == self.dimensions and planes * x:size(2) or planes
end

local M = {}

--- Give a class the hooks of unpooling.
-- @param Layer
-- @tparam table fields of the pooling layer that hold the size of its input
function M.install(Layer, fields)
   Layer.dimensions = #fields + 2

   function Layer:__computeOutput(y, x)
      local sizes, planes = x:size(), planes_of(self, x)
      local n = #sizes - #fields
      for i, field in ipairs(fields) do
         sizes[n + i] = self.pooling[field]
            or check.fail(self, 'its pooling layer has seen no input: run it forward first')
      end
      y:resize(sizes)
      y:view(planes, -1):zero():scatter(2, positions(self, x, planes),
         x:contiguous():view(planes, -1))
      return y
   end

   function Layer:__computeGradInput(gx, x, g)
      local planes = planes_of(self, x)
      gx:resize(x:size())
      gx:view(planes, -1):gather(g:contiguous():view(planes, -1), 2, positions(self, x, planes))
      return gx
   end

   --- Note what the pooling layer's last input was: its positions, and its sizes in the fields
   -- `otime`, `oheight` and `owidth`. For scripts that read them; forward asks the pooling layer.
   function Layer:setParams()
      self.indices = self.pooling.indices
      for _, field in ipairs(fields) do
         self[field:gsub('^i', 'o')] = self.pooling[field]
      end
   end

   --- Free the buffers (`clearState` under its older name).
   function Layer:empty()
      self:clearState()
   end

   function Layer:clearState()
      self.indices = nil
      return nn.Module.clearState(self)
   end
end

--- Check that a constructor was given a pooling layer.
function M.check(self, class)
   if not torch.isTypeOf(self.pooling, class) then
      check.fail(self, 'poolingModule is a %s, expected a %s', torch.type(self.pooling), class)
   end
end

return M
