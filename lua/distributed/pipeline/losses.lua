--- Losses of micro-batches, and their gradients by what the last stage gives: by a criterion, or by
-- a function of Variables.
-- @module distributed.pipeline.losses

local torch = require 'torch'
local nested = require 'nn.nested'
local sums = require 'nn.base.sums'
local types = require 'torch.types'
local batches = require 'distributed.pipeline.batches'
local options = require 'torch.options'
local shapes = require 'torch.functions.shapes'

local M = {}

local TITLE = 'distributed.Pipeline'

-- The functions here are made once: LuaJIT compiles no code that makes some.

local function scale(t, factor)
   t:mul(factor)
end

local function by_criterion(criterion, y, target, factor)
   local loss = criterion:forward(y, target)
   local slope = criterion:backward(y, target)
   if factor ~= 1 then
      nested.each(scale, slope, factor)
   end
   return loss, slope, y
end

local function leaf(t)
   local own = t.new():set(t)
   return types.isFloating(t.dtype) and own:requiresGrad() or own
end

local function slope_of(t)
   return t.grad or t:detach():clone():zero()
end

local function detached(t)
   return t:isVariable() and t:detach() or t
end

local function check_loss(loss)
   if not torch.isTensor(loss) or loss:nElement() ~= 1 or not loss:isVariable() then
      options.fail('%s: the loss is %s, expected a Variable of one element that was computed from '
         .. 'the output', TITLE, torch.isTensor(loss) and ('a %s of %s that %s'):format(
            torch.typename(loss), shapes.text(loss), loss:isVariable() and 'is no scalar: reduce '
            .. 'it, as by loss:mean()' or 'requires no gradient') or options.describe(loss))
   end
end

local function by_function(f, y, target, factor)
   local leaves = nested.map(leaf, y)
   local loss, output = f(leaves, target)
   check_loss(loss)
   loss:backward(loss:detach():clone():fill(factor))
   return loss:detach():view(1)[1], nested.map(slope_of, leaves),
      output == nil and y or nested.map(detached, output)
end

--- Whether a loss is one that forwardBackward takes.
function M.check(loss)
   if type(loss) ~= 'function' and not torch.isTypeOf(loss, 'nn.Criterion') then
      options.fail('%s: forwardBackward: expected a criterion, or a function of output and target, '
         .. 'got %s', TITLE, options.describe(loss))
   end
end

local Losses = {}
Losses.__index = Losses

--- How a batch's loss comes of those of its micro-batches.
-- @param loss criterion, or function(output, target) -> Variable [, what is kept of the output]
-- @tab ranges of batches.ranges
-- @int rows
-- @number factor of gradients
-- @return object
-- @raise "distributed.Pipeline: parts of the nn.MultiCriterion disagree: a sum over samples and a
-- mean; give all the same sizeAverage"
function M.of(loss, ranges, rows, factor)
   local is_function = type(loss) == 'function'
   return setmetatable({ loss = loss, ranges = ranges, rows = rows, factor = factor,
      gradient = is_function and by_function or by_criterion,
      sum = not is_function and sums(TITLE, loss) }, Losses)
end

--- Loss and gradient of a micro-batch.
-- @param y what the last stage gives
-- @param target
-- @int at number of the micro-batch
-- @return what it adds to the loss, the gradient by y, the output
function Losses:of(y, target, at)
   local weight = self.sum and 1 or self.ranges[at][2] / self.rows
   local loss, slope, output = self.gradient(self.loss, y, target, weight * self.factor)
   return weight * loss, slope, output
end

--- The targets of micro-batches. Functions may be given anything: tensors and lists with as many
-- rows as the batch are cut, all else comes whole.
function M.targets(loss, target, ranges, rows)
   return batches.cut(target, ranges, type(loss) == 'function' and rows or nil)
end

return M
