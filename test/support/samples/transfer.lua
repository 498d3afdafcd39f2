local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, positive, of, elementwise = make.random, make.positive, make.of, make.elementwise

local M = {
   Abs = { elementwise 'Abs' },
   Exp = { elementwise 'Exp' },
   Log = { elementwise('Log', positive) },
   Square = { elementwise 'Square' },
   Sigmoid = { elementwise 'Sigmoid' },
   Tanh = { elementwise 'Tanh' },
   SoftPlus = { elementwise 'SoftPlus', elementwise('SoftPlus', nil, 2) },
   Threshold = { elementwise('Threshold', nil, 0, -1) },
   ReLU = {
      elementwise 'ReLU',
      { new = of(nn.ReLU, true), input = of(random, 3, 4), single = of(random, 4), inplace = true },
   },
}

for _, name in ipairs { 'SoftMax', 'LogSoftMax' } do
   M[name] = {
      { new = nn[name], input = of(random, 2, 3), single = of(random, 3),
         wrong = of(random, 1, 1, 1, 1, 1) },
      { new = nn[name], input = of(random, 2, 3, 2, 2), single = of(random, 3, 2, 2),
         wrong = of(random, 1, 1, 1, 1, 1) },
   }
end

return M
