--- Layers that look at the scores of all classes together, in each sample and at each place.
--
-- Shapes: C, N x C, C x H x W or N x C x H x W, with C the classes; the output is the same.
-- `nn.Classwise:of('softmax', 'SoftMax')` makes such a layer of an operation with a dimension.
-- @classmod nn.Classwise

local nn = require 'nn'
local ops = require 'nn.base.ops'

nn.declare('nn.Classwise', { input = 'N? C | N? C H W' })

-- The dimension of C, counted from 0: the first of a single sample, the second of a batch.
local function class_dim(x)
   return (x.ndim + 1) % 2
end

--- Make the layer class of an operation over one dimension, `op(r, x, dim)`, that has a gradient
-- `op_backward(r, g, y, dim)`.
-- @string op the operation's name, as in the list of operations
-- @string name the class
-- @return the class `nn.<name>`
function nn.Classwise.of(_, op, name)
   -- An unknown operation fails here, before there is a class.
   local forward, backward = ops[op], ops[op .. '_backward']
   local Layer = nn.declare('nn.' .. name, 'nn.Classwise', {})

   function Layer:__computeOutput(y, x)
      return forward(self, y, x, class_dim(x))
   end

   function Layer:__computeGradInput(gx, x, g)
      return backward(self, gx, g, self.output, class_dim(x))
   end

   return Layer
end
