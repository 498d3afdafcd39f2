--- y = x where x > 0, else negval x, element by element.
-- Source: Maas, Hannun & Ng, Rectifier Nonlinearities Improve Neural Network Acoustic Models, 2013.
-- @classmod nn.LeakyReLU
-- @example nn.LeakyReLU(0.1):forward(torch.Tensor { -1, 0, 2 }) --> { -0.1, 0, 2 }

local nn = require 'nn'
local check = require 'nn.check'

local LeakyReLU = nn.Pointwise:of('leaky_relu', 'LeakyReLU', 'negval, 1', {
   arguments = [[
      negval   number = 0.01    the slope below 0
      inplace  boolean = false  write over the input (and over gradOutput)
      -- ; negval >= 0
   ]],
   gradient = 'input',
   text = '({negval%g})',
})

-- In place, the output's sign stands for the input's.
function LeakyReLU:__initialize()
   if self.inplace and self.negval < 0 then
      check.fail(self, 'in-place processing requires negval (%g) of at least 0',
         self.negval)
   end
end

return LeakyReLU
