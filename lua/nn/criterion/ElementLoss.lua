--- Criterions that are the mean, or the sum, of a term for each element of an input and its target.
--
-- `nn.ElementLoss:of('mse_loss', 'MSECriterion')` makes such a criterion of a row of
-- lib/TH/ops/nn/element_loss.def, without more code. Numbers of the row and weights are told as in
--
--    nn.ElementLoss:of('huber_loss', 'HuberCriterion', 'delta, 0', { arguments = [[ … ]] })
--    nn.ElementLoss:of('bce_loss', 'BCECriterion', nil, { arguments = [[ … ]], weighted = true })
--
-- Shapes: input and target of any shape with equal element counts; `weights` as many, or as a
-- sample of N x C or N x C x ... has, or one for each of its C planes.
-- @classmod nn.ElementLoss

local nn = require 'nn'
local check = require 'nn.check'
local code = require 'nn.base.code'
local ops = require 'nn.base.ops'

nn.declare('nn.ElementLoss', 'nn.Criterion', {
   arguments = 'sizeAverage  boolean = true  false: the sum instead of the mean',
})

local TEXT = [[
local forward, backward, weights_of = ...
local M = {}

function M:__computeOutput(loss, x, t)
   return forward(self, loss, x, t, $weights, $numbers, self.sizeAverage)
end

function M:__computeGradInput(gx, x, t)
   return backward(self, gx, x, t, $weights, $numbers, self.sizeAverage)
end

return M]]

local CHUNK = code.source()

-- A weight for each element, or nil: without copies.
local function weights_of(self, x)
   local weights = self.weights
   if weights == nil or weights:nElement() == x:nElement() then
      return weights
   end
   local sizes, count = x:size(), weights:nElement()
   sizes[1] = 1
   if x.ndim < 2 or count ~= x:size(2) and count ~= x:nElement() / x:size(1) then
      check.fail(self, 'weights is %s, expected one for each element of a sample of the input, '
         .. 'which is %s, or for each plane of it', check.describe(weights), check.describe(x))
   end
   for d = 3, count == x:size(2) and x.ndim or 0 do
      sizes[d] = 1
   end
   return weights:contiguous():view(sizes):expandAs(x)
end

--- Make the criterion class of an element-wise loss that has a gradient.
-- @string op the row's name: 'mse_loss'
-- @string name the class
-- @string[opt='0, 0'] numbers the row's two numbers: fields of the criterion, or constants
-- @tparam[opt={}] table declaration of the class, for nn.declare; and `weighted = true` where it
-- has a field `weights`
-- @return the class `nn.<name>`
function nn.ElementLoss.of(_, op, name, numbers, declaration)
   -- An unknown operation fails here, before there is a class.
   local forward, backward = ops[op], ops[op .. '_backward']
   declaration = declaration or {}
   local text = TEXT:gsub('%$(%a+)', {
      weights = declaration.weighted and 'weights_of(self, x)' or 'nil',
      numbers = (numbers or '0, 0'):gsub('%a[%w_]*', 'self.%0'),
   })
   declaration.weighted = nil
   local Loss = nn.declare('nn.' .. name, 'nn.ElementLoss', declaration)
   for method, f in pairs(code.run(text, CHUNK, forward, backward, weights_of)) do
      Loss[method] = f
   end
   return Loss
end

return nn.ElementLoss
