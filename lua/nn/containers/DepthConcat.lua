--- As nn.Concat, for outputs whose other dimensions differ: the smaller ones lie in the middle of
-- zeros, of the size of the largest.
--
-- The middle of an odd difference is half an element off, towards the first: sizes in one net had
-- better be all odd or all even.
-- Source: Szegedy et al., CVPR 2015 (arXiv:1409.4842).
-- @classmod nn.DepthConcat
-- @usage
-- local net = nn.DepthConcat(1)
-- net:add(nn.SpatialConvolution(3, 2, 1, 1)):add(nn.SpatialConvolution(3, 4, 3, 3))
-- net:forward(torch.Tensor(3, 7, 7)) -- 6 x 7 x 7: 2 planes, and 4 of 5 x 5 within zeros
-- @example
-- local net = nn.DepthConcat(1):add(nn.Identity()):add(nn.SpatialMaxPooling(2, 2))
-- #net:forward(torch.randn(3, 6, 6)) --> { 6, 6, 6 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local joined = require 'nn.containers.joined'

local DepthConcat = nn.declare('nn.DepthConcat', 'nn.Concat', {})

--- The part of a tensor of the output's size that belongs to a module's output: a view.
-- @tparam Tensor output
-- @tparam Tensor currentOutput the module's
-- @int offset where it begins along `dimension`
-- @treturn Tensor of currentOutput's size
function DepthConcat:windowNarrow(output, currentOutput, offset)
   for d = 1, output:dim() do
      local size = currentOutput:size(d)
      local first = d == self.dimension and offset
         or math.floor((output:size(d) - size) / 2) + 1
      if size < output:size(d) then
         output = output:narrow(d, first, size)
      end
   end
   return output
end

function DepthConcat:__window(output, i)
   return self:windowNarrow(output, self.modules[i].output,
      joined.first(self.modules, self.dimension, i))
end

function DepthConcat:__join(outputs)
   joined.require_dimension(self, 'dimension')
   local size = torch.LongStorage(outputs[1]:dim()):fill(0)
   for _, y in ipairs(outputs) do
      for d = 1, #size do
         local n = y:size(d)
         size[d] = d == self.dimension and size[d] + n or math.max(size[d], n)
      end
   end
   self.outputSize = size
   self.output:resize(size):zero()
   for i, y in ipairs(outputs) do
      self:__window(self.output, i):copy(y)
   end
   return self.output
end

--- The part of the gradient that lies where the output of module i does.
function DepthConcat:__gradOutputOf(gradOutput, i)
   check.any_tensor(self, gradOutput, 'gradOutput')
   return self:__window(gradOutput, i)
end
