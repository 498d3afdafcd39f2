--- The largest of `maxoutNumber` linear functions, for each of outputSize outputs.
-- Shapes: inputSize or N x inputSize; outputSize or N x outputSize.
-- Source: Goodfellow et al., Maxout Networks, 2013 (arXiv:1302.4389).
-- @classmod nn.Maxout

local torch = require 'torch'
local nn = require 'nn'

local Maxout, Parent = torch.class('nn.Maxout', 'nn.Sequential', nn)

--- Make the layer.
-- @int inputSize features in
-- @int outputSize features out
-- @int maxoutNumber functions for each output
-- @param[opt] preprocess a module between the functions and the choice, such as nn.Dropout()
function Maxout:__init(inputSize, outputSize, maxoutNumber, preprocess)
   Parent.__init(self)
   self:add(nn.Linear(inputSize, outputSize * maxoutNumber))
   self:add(nn.View(maxoutNumber, outputSize):setNumInputDims(1))
   if preprocess then
      self:add(preprocess)
   end
   self:add(nn.Max(1, 2))
end

return Maxout
