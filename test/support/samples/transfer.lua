local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, positive, of, elementwise = make.random, make.positive, make.of, make.elementwise

-- With arguments, the last of which asks for work in place.
local function in_place(name, ...)
   local sample = elementwise(name, nil, ...)
   sample.inplace = true
   return sample
end

local function drawn(sample)
   sample.noise = true
   return sample
end

local function evaluated(new)
   return function()
      local layer = new()
      layer:evaluate()
      return layer
   end
end

local M = {
   Abs = { elementwise 'Abs' },
   Exp = { elementwise 'Exp' },
   Log = { elementwise('Log', positive) },
   Square = { elementwise 'Square' },
   Sqrt = { elementwise('Sqrt', positive), elementwise('Sqrt', positive, 0.5) },
   Power = { elementwise('Power', positive, 1.7), elementwise('Power', nil, 2) },
   Sigmoid = { elementwise 'Sigmoid' },
   LogSigmoid = { elementwise 'LogSigmoid' },
   HardSigmoid = { elementwise 'HardSigmoid' },
   Tanh = { elementwise 'Tanh' },
   HardTanh = {
      elementwise('HardTanh', nil, -0.95, 0.95), in_place('HardTanh', -0.95, 0.95, true),
   },
   Clamp = { elementwise('Clamp', nil, -0.05, 0.9) },
   SoftSign = { elementwise 'SoftSign' },
   TanhShrink = { elementwise 'TanhShrink' },
   HardShrink = { elementwise('HardShrink', nil, 0.07) },
   SoftShrink = { elementwise('SoftShrink', nil, 0.07) },
   SoftPlus = { elementwise 'SoftPlus', elementwise('SoftPlus', nil, 2) },
   Threshold = { elementwise('Threshold', nil, 0, -1), in_place('Threshold', 0, -1, true) },
   ReLU = { elementwise 'ReLU', in_place('ReLU', true) },
   ReLU6 = { elementwise 'ReLU6', in_place('ReLU6', true) },
   LeakyReLU = { elementwise 'LeakyReLU', in_place('LeakyReLU', 0.2, true) },
   RReLU = {
      drawn(elementwise 'RReLU'), drawn(in_place('RReLU', 0.1, 0.3, true)),
      { new = evaluated(of(nn.RReLU, 0.1, 0.3)), input = of(random, 3, 4), single = of(random, 4) },
   },
   CReLU = {
      { new = of(nn.CReLU, 1), input = of(random, 3, 4), single = of(random, 4),
         anything = true },
      { new = of(nn.CReLU, 3, true), input = of(random, 2, 3, 2, 2), single = of(random, 3, 2, 2),
         inplace = true, anything = true },
   },
   PReLU = {
      elementwise 'PReLU',
      { new = of(nn.PReLU, 4), input = of(random, 3, 4), single = of(random, 4),
         wrong = of(random, 3, 5) },
      { new = of(nn.PReLU, 3), input = of(random, 2, 3, 2, 2), single = of(random, 3, 2, 2),
         wrong = of(random, 2, 4, 2, 2) },
   },
   ELU = { elementwise 'ELU', elementwise('ELU', nil, 0.3), in_place('ELU', 0.3, true) },
   CELU = { elementwise('CELU', nil, 0.3), in_place('CELU', 0.3, true) },
   SELU = { elementwise 'SELU', in_place('SELU', true) },
   GELU = { elementwise 'GELU', elementwise('GELU', nil, true) },
   SiLU = { elementwise 'SiLU' },
   Mish = { elementwise 'Mish' },
   HardSwish = { elementwise 'HardSwish' },
   -- Its gradient is that of its output where the penalty is 0.
   L1Penalty = { elementwise('L1Penalty', nil, 0) },
   GatedLinearUnit = {
      { new = nn.GatedLinearUnit, input = of(random, 3, 4), single = of(random, 4),
         wrong = of(random, 3, 5) },
      { new = of(nn.GatedLinearUnit, 2), input = of(random, 2, 6, 3),
         why = 'the dimension is counted in what comes', wrong = of(random, 2, 5, 3) },
   },
}

for _, name in ipairs {
   'SoftMax', 'SoftMin', 'LogSoftMax', 'SpatialSoftMax', 'SpatialLogSoftMax',
} do
   M[name] = {
      { new = nn[name], input = of(random, 2, 3), single = of(random, 3),
         wrong = of(random, 1, 1, 1, 1, 1) },
      { new = nn[name], input = of(random, 2, 3, 2, 2), single = of(random, 3, 2, 2),
         wrong = of(random, 1, 1, 1, 1, 1) },
   }
end

return M
