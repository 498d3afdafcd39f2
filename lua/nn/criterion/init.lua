-- A class follows the classes it is derived from.
require 'nn.criterion.ClassNLLCriterion'
require 'nn.criterion.MSECriterion'
require 'nn.criterion.CrossEntropyCriterion'
require 'nn.criterion.AbsCriterion'
require 'nn.criterion.SpatialAutoCropMSECriterion'
