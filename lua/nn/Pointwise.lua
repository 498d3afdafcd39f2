--- Layers that apply one function to each element: y_i = f(x_i).
--
-- `nn.Pointwise:of 'tanh'` makes such a layer of the operation `tanh` and its gradient
-- `tanh_backward`; neither needs more code.
-- @classmod nn.Pointwise

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local Pointwise = torch.class('nn.Pointwise', 'nn.Module', nn)

--- Make the layer class of an element-wise operation that has a gradient.
-- @string op the operation's name, as in the list of operations: 'tanh'
-- @string[opt] name the class: default the operation with a capital letter ('Tanh' in `nn`)
-- @return the class `nn.<name>`
-- @usage nn.Pointwise:of('softplus', 'SoftPlus')
function Pointwise.of(_, op, name)
   -- An unknown operation fails here, before there is a class.
   local forward, backward = C['TH_' .. op], C['TH_' .. op .. '_backward']
   local Layer = torch.class('nn.' .. (name or op:gsub('^%l', string.upper)), 'nn.Pointwise', nn)

   function Layer:__init()
      nn.Module.__init(self)
   end

   function Layer:updateOutput(input)
      local output = self.output
      check.tensor(self, output, input, 'input')
      if forward(output, input) ~= 0 then
         check.recover(self)
         th.check(forward(output, input))
      end
      return output
   end

   function Layer:updateGradInput(input, gradOutput)
      local gradInput, output = self.gradInput, self.output
      check.backward(self, gradInput, input, gradOutput)
      if backward(gradInput, gradOutput, input, output) ~= 0 then
         check.recover(self)
         th.check(backward(gradInput, gradOutput, input, output))
      end
      return gradInput
   end

   return Layer
end
