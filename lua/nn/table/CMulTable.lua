--- The product of a table of tensors of one size, element by element.
-- @classmod nn.CMulTable
-- @example nn.CMulTable():forward { torch.Tensor { 5, 6 }, torch.Tensor { 2, 3 } } --> { 10, 18 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local CMulTable = nn.declare('nn.CMulTable', 'nn.CTable', {})

function CMulTable.__fold(_, y, x)
   y:cmul(x)
end

function CMulTable.__pair(_, y, a, b)
   y:cmul(a, b)
end

-- Within a record that is differentiated itself: the factors stay.
function CMulTable.__recorded(_, x)
   local y = x[1]
   for i = 2, #x do
      y = torch.cmul(y, x[i])
   end
   return y
end

-- g times all the others: right where a factor is 0 too.
function CMulTable.__partial(_, r, x, g, i)
   r:copy(g)
   for k = 1, #x do
      if k ~= i then
         r:cmul(x[k])
      end
   end
   return r
end

--- As `updateGradInput`, by a division of the output: of many factors faster, but none may be 0.
-- @tparam table input the input of the last `forward`
-- @tparam Tensor gradOutput
-- @return self.gradInput
function CMulTable:updateGradInput_efficient(input, gradOutput)
   self:__checkBackward(input, gradOutput)
   check.count(self, gradOutput, self.output, 'gradOutput')
   local gx = self.gradInput
   for i = 1, #input do
      gx[i] = (gx[i] or gradOutput.new()):resizeAs(input[i]):copy(gradOutput)
      gx[i]:cmul(self.output):cdiv(input[i])
   end
   return nested.truncate(gx, #input)
end
