local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local of, regression, classification = make.of, make.regression, make.classification

local function cropped(new)
   return {
      new = new,
      input = function() return make.random(2, 3, 4, 3), make.random(2, 3, 5, 6) end,
      single = function() return make.random(3, 4, 3), make.random(3, 4, 5) end,
      wrong = function() return make.random(3, 4, 3), make.random(3, 3, 5) end,
   }
end

return {
   MSECriterion = { regression(nn.MSECriterion), regression(of(nn.MSECriterion, false)) },
   AbsCriterion = { regression(nn.AbsCriterion), regression(of(nn.AbsCriterion, false)) },
   SpatialAutoCropMSECriterion = {
      cropped(nn.SpatialAutoCropMSECriterion), cropped(of(nn.SpatialAutoCropMSECriterion, false)),
   },
   ClassNLLCriterion = {
      classification(nn.ClassNLLCriterion),
      classification(function() return nn.ClassNLLCriterion(torch.Tensor { 0.5, 1, 2 }) end),
      classification(of(nn.ClassNLLCriterion, nil, false)),
   },
   CrossEntropyCriterion = { classification(nn.CrossEntropyCriterion) },
}
