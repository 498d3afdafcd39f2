--- Layers that apply one function to each element: y_i = f(x_i).
--
-- `nn.Pointwise:of 'tanh'` makes such a layer of the operation `tanh` and its gradient
-- `tanh_backward`; neither needs more code.
-- @classmod nn.Pointwise

local nn = require 'nn'
local ops = require 'nn.base.ops'

nn.declare('nn.Pointwise', {})

--- Make the layer class of an element-wise operation that has a gradient.
-- @string op the operation's name, as in the list of operations: 'tanh'
-- @string[opt] name the class: default the operation with a capital letter ('Tanh' in `nn`)
-- @return the class `nn.<name>`
-- @usage nn.Pointwise:of('softplus', 'SoftPlus')
function nn.Pointwise.of(_, op, name)
   -- An unknown operation fails here, before there is a class.
   local forward, backward = ops[op], ops[op .. '_backward']
   local Layer = nn.declare('nn.' .. (name or op:gsub('^%l', string.upper)), 'nn.Pointwise', {})

   function Layer:__computeOutput(y, x)
      return forward(self, y, x)
   end

   function Layer:__computeGradInput(gx, x, g)
      return backward(self, gx, g, x, self.output)
   end

   return Layer
end
