--- Layers that look at the scores of all classes together, in each sample and at each place.
--
-- Shapes: C, N x C, C x H x W or N x C x H x W, with C the classes; the output is the same.
-- `nn.Classwise:of('softmax', 'SoftMax')` makes such a layer of an operation with a dimension.
-- @classmod nn.Classwise

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local Classwise = torch.class('nn.Classwise', 'nn.Module', nn)

-- The dimension of C, counted from 0: the first of a single sample, the second of a batch.
local function class_dim(self, input)
   local dims = input.ndim
   if dims < 1 or dims > 4 then
      local shape = check.describe(input)
      check.fail(self, 'input is %s, expected C, N x C, C x H x W or N x C x H x W', shape)
   end
   return (dims + 1) % 2
end

--- Make the layer class of an operation over one dimension, `op(r, x, dim)`, that has a gradient
-- `op_backward(r, g, y, dim)`.
-- @string op the operation's name, as in the list of operations
-- @string name the class
-- @return the class `nn.<name>`
function Classwise.of(_, op, name)
   -- An unknown operation fails here, before there is a class.
   local forward, backward = C['TH_' .. op], C['TH_' .. op .. '_backward']
   local Layer = torch.class('nn.' .. name, 'nn.Classwise', nn)

   function Layer:__init()
      nn.Module.__init(self)
   end

   function Layer:updateOutput(input)
      local output = self.output
      check.tensor(self, output, input, 'input')
      local dim = class_dim(self, input)
      if forward(output, input, dim) ~= 0 then
         check.recover(self)
         th.check(forward(output, input, dim))
      end
      return output
   end

   function Layer:updateGradInput(input, gradOutput)
      local gradInput, output = self.gradInput, self.output
      check.backward(self, gradInput, input, gradOutput)
      local dim = class_dim(self, input)
      if backward(gradInput, gradOutput, output, dim) ~= 0 then
         check.recover(self)
         th.check(backward(gradInput, gradOutput, output, dim))
      end
      return gradInput
   end

   return Layer
end
