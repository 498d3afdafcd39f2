--- A constant, whatever the input is. It is not learnt, and the gradient by the input is zero.
-- @classmod nn.Constant
-- @example nn.Constant(7):forward(torch.Tensor(2, 3)) --> { 7 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Constant = nn.declare('nn.Constant', {
   arguments = [[
      (value)    any      a number or a tensor
      nInputDim  integer? dimensions of one sample: an input with more is a batch, for each sample
      -- of which the output has the constant
   ]],
   own = 'value',
})

Constant.__ignoresInput = true -- its output has no history, and none is missing

function Constant:__initialize(value)
   if type(value) ~= 'number' and not torch.isTensor(value) then
      check.fail(self, 'value is %s, expected a number or a tensor', check.given(value))
   end
   self.value = type(value) == 'number' and torch.Tensor { value } or value
end

function Constant:__computeOutput(y, x)
   local value = self.value
   if not (self.nInputDim and x:dim() > self.nInputDim) then
      return y:resizeAs(value):copy(value)
   end
   local sizes = value:size():totable()
   table.insert(sizes, 1, x:size(1))
   y:resize(torch.LongStorage(sizes))
   return y:copy(value:view(1, unpack(sizes, 2)):expandAs(y))
end

function Constant.__computeGradInput(_, gx, x)
   return gx:resizeAs(x):zero()
end
