--- Two linear layers with a GELU between them, at every position alike.
--
-- y = V dropout(gelu(W x + b)) + c
--
-- Shapes: x is N x T x features, or N x features; y likewise. The gradients by inputs inside share
-- memory; `shareGradInput(false)` keeps them.
-- @classmod nn.FeedForward
-- @usage nn.FeedForward(512, 2048, 0.1)
-- @example #nn.FeedForward(8, 32):forward(torch.randn(2, 5, 8)) --> { 2, 5, 8 }

local nn = require 'nn'
local check = require 'nn.check'
local passes = require 'nn.containers.passes'
local spent = require 'nn.containers.spent'

local FeedForward = nn.declare('nn.FeedForward', 'nn.Container', {
   arguments = [[
      features  size         in and out
      hidden    size         between the layers
      (p)       number = 0   dropout, in training
   ]],
   text = '({features} -> {hidden} -> {features})',
})

FeedForward.sharesGradInput = true

function FeedForward:__initialize(features, hidden, p)
   local net = nn.Sequential():add(nn.Linear(features, hidden)):add(nn.GELU())
   if p > 0 then
      net:add(nn.Dropout(p))
   end
   self:add(net:add(nn.Linear(hidden, features)):shareGradInput())
end

local function rows(self, x)
   check.any_tensor(self, x, 'input')
   if x:size(x:dim()) ~= self.features then
      check.fail(self, 'input is %s, expected N x %d or N x T x %d', check.describe(x),
         self.features, self.features)
   end
   return (x:isContiguous() and x or x:contiguous()):view(-1, self.features)
end

function FeedForward:updateOutput(input)
   local y = self:rethrowErrors(self.modules[1], 1, 'updateOutput', rows(self, input))
   self.output = y:view(input:size())
   return self.output
end

function FeedForward:__pass(method, input, gradOutput, factor)
   local g = rows(self, gradOutput)
   local gx = self:__back(1, method, rows(self, input), g, factor)
   if not passes.gives_gradient[method] or not gx then
      return nil
   end
   local result = gx:view(input:size())
   if spent.shares(self, method) then -- views keep memory until they are collected
      spent.release({ g, gx }, gradOutput, result)
   end
   return result
end

passes.give_all(FeedForward)
