--- The largest of several linear functions, for each output: y = max over k of (W_k x + b_k).
--
-- Shapes: x is N x inputSize, or inputSize for one sample; y is N x outputSize. It is a sequence of
-- nn.Linear, nn.View and nn.Max.
-- Source: Goodfellow et al., ICML 2013 (arXiv:1302.4389).
-- @classmod nn.Maxout
-- @example #nn.Maxout(4, 3, 2):forward(torch.ones(5, 4)) --> { 5, 3 }

local nn = require 'nn'

local Maxout = nn.declare('nn.Maxout', 'nn.Sequential', {
   arguments = [[
      (inputSize)     size     features in
      (outputSize)    size     features out
      (maxoutNumber)  size     linear functions of an output
      (preprocess)    module?  what the input goes through first
   ]],
})

function Maxout:__initialize(inputSize, outputSize, maxoutNumber, preprocess)
   if preprocess then
      self:add(preprocess)
   end
   self:add(nn.Linear(inputSize, maxoutNumber * outputSize))
   self:add(nn.View(maxoutNumber, outputSize):setNumInputDims(1))
   self:add(nn.Max(1, 2))
end
