local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local of, regression, classification = make.of, make.regression, make.classification

return {
   MSECriterion = { regression(nn.MSECriterion), regression(of(nn.MSECriterion, false)) },
   AbsCriterion = { regression(nn.AbsCriterion), regression(of(nn.AbsCriterion, false)) },
   ClassNLLCriterion = {
      classification(nn.ClassNLLCriterion),
      classification(function() return nn.ClassNLLCriterion(torch.Tensor { 0.5, 1, 2 }) end),
      classification(of(nn.ClassNLLCriterion, nil, false)),
   },
   CrossEntropyCriterion = { classification(nn.CrossEntropyCriterion) },
}
