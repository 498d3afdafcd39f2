local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, elementwise, images = make.random, make.of, make.elementwise, make.images

local function evaluating(layer)
   layer:evaluate()
   return layer
end

return {
   Identity = { { new = nn.Identity, input = of(random, 3, 4), single = of(random, 4),
      anything = true } },
   Dropout = {
      elementwise('Dropout', nil, 0.4), elementwise('Dropout', nil, 0.4, true),
      { new = of(nn.Dropout, 0.4, false, true), input = of(random, 3, 4), single = of(random, 4),
         inplace = true },
   },
   Mul = { elementwise 'Mul' },
   Add = {
      { new = of(nn.Add, 4), input = of(random, 3, 4), single = of(random, 4),
         wrong = of(random, 3, 5) },
      { new = of(nn.Add, 4, true), input = of(random, 3, 4), single = of(random, 4) },
   },
   CMul = {
      { new = of(nn.CMul, 2, 3), input = of(random, 4, 2, 3), single = of(random, 2, 3),
         wrong = of(random, 2, 4) },
      { new = of(nn.CMul, 1, 3, 1), input = of(random, 2, 3, 2), single = of(random, 1, 3, 4),
         wrong = of(random, 2, 4, 2) },
   },
   CAdd = {
      { new = of(nn.CAdd, 2, 3), input = of(random, 4, 2, 3), single = of(random, 2, 3),
         wrong = of(random, 2, 4) },
      { new = of(nn.CAdd, 1, 3, 1), input = of(random, 2, 3, 2), single = of(random, 1, 3, 4),
         wrong = of(random, 2, 4, 2) },
   },
   Lambda = {
      { new = function()
         return nn.Lambda(function(x) return (x * 2):tanh() end)
      end, input = of(random, 3, 4), single = of(random, 4), anything = true },
      { new = function()
         return nn.Lambda(function(x, w) return (x * w:t()):tanh() end, { torch.randn(5, 4) })
      end, input = of(random, 3, 4), why = 'a function of batches', anything = true },
   },
   MulConstant = {
      elementwise('MulConstant', nil, 3),
      { new = of(nn.MulConstant, 3, true), input = of(random, 3, 4), single = of(random, 4),
         inplace = true },
   },
   AddConstant = {
      elementwise('AddConstant', nil, 3),
      { new = function() return nn.AddConstant(torch.Tensor { 1, 2, 3, 4 }) end,
         input = of(random, 3, 4), single = of(random, 4), wrong = of(random, 3, 5) },
   },
   Constant = {
      { new = function() return nn.Constant(torch.Tensor { { 1, 2 } }, 1) end,
         input = of(random, 2, 3), single = of(random, 3) },
      { new = of(nn.Constant, 7), input = of(random, 2, 3), why = 'the constant is all there is' },
   },
   SpatialDropout = {
      images(of(nn.SpatialDropout, 0.4), 2),
      images(function() return evaluating(nn.SpatialDropout(0.4)) end, 2),
   },
   VolumetricDropout = {
      { new = nn.VolumetricDropout, input = of(random, 2, 3, 2, 2, 2),
         single = of(random, 3, 2, 2, 2), wrong = of(random, 3, 2, 2) },
   },
   WhiteNoise = {
      { new = of(nn.WhiteNoise, 1, 0.5), input = of(random, 3, 4), single = of(random, 4),
         noise = true },
      { new = function() return evaluating(nn.WhiteNoise(1, 0.5)) end, input = of(random, 2, 3),
         single = of(random, 3) },
   },
   GradientReversal = {
      { new = of(nn.GradientReversal, 0.5), input = of(random, 3, 4), single = of(random, 4),
         derivative = -0.5 },
   },
   ZeroGrad = { { new = nn.ZeroGrad, input = of(random, 3, 4), single = of(random, 4),
      derivative = 0, anything = true } },
   PrintSize = { { new = nn.PrintSize, input = of(random, 3, 4), single = of(random, 4),
      prints = true, anything = true } },
   Copy = { elementwise 'Copy', elementwise('Copy', nil, nil, nil, true) },
   OneHot = {
      { new = of(nn.OneHot, 4), input = of(torch.LongTensor, { { 1, 2, 4 }, { 3, 1, 1 } }),
         single = of(torch.LongTensor, { 4, 2 }), wrong = of(nn.Identity) },
   },
}
