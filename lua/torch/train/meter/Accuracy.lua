--- The share of samples whose class is the highest score, or among the k highest. Samples whose
-- class is below 0, such as the -100 that criterions pass over, do not count.
-- @classmod train.Accuracy
-- @example
-- local train = require 'torch.train'
-- local accuracy = train.Accuracy()
-- accuracy:add(torch.Tensor { { 1, 3 }, { 2, 1 }, { 0, 5 } }, torch.LongTensor { 2, 2, 2 })
-- accuracy:value() --> 0.6667

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'
local shapes = require 'torch.functions.shapes'

local Accuracy = torch.class('train.Accuracy', train)

--- @int[opt=1] k how many of the highest scores may be the class
function Accuracy:__init(k)
   if k ~= nil then
      options.check('train.Accuracy', { k = k }, { k = 'count' })
   end
   self.k = k or 1
   self:reset()
end

--- Begin anew.
function Accuracy:reset()
   self.right, self.count = 0, 0
end

-- What would be counted, and mean nothing. Labels below 1 are those that criterions pass over, but
-- for 0: counted from 0, all would be wrong. Gives the lowest label.
local function check(output, target)
   local classes = output:size(2)
   if classes == 1 then
      options.fail('train.Accuracy: output is %s, one score: expected one for each class; of a '
         .. 'probability, accuracy = function(y, t) return y:gt(0.5):eq(t:gt(0.5)):double():mean() '
         .. 'end', shapes.text(output))
   end
   local least, most = target:min(), target:max()
   if least == 0 or most > classes then
      options.fail('train.Accuracy: target has class %d, expected classes from 1 to %d',
         least == 0 and 0 or most, classes)
   end
   local sum = output:sum()
   if sum ~= sum and output:ne(output):any() then
      options.fail 'train.Accuracy: a sample has scores that are NaN'
   end
   return least
end

--- Count a batch.
-- @tparam Tensor output N x classes scores
-- @tparam Tensor target N classes, from 1
-- @raise "train.Accuracy: output is 5x3, target 4: expected N x classes scores and N classes",
-- "train.Accuracy: target has class 0, expected classes from 1 to 3", "train.Accuracy: output is
-- 5x1, one score: ...", "train.Accuracy: a sample has scores that are NaN"
function Accuracy:add(output, target)
   if not torch.isTensor(output) or not torch.isTensor(target) then
      options.fail('train.Accuracy: output is %s, target %s: expected tensors',
         options.describe(output),
         options.describe(target))
   end
   if output:dim() == 1 then
      output = output:view(1, -1)
   end
   local n = output:size(1)
   if output:dim() ~= 2 or target:nElement() ~= n then
      options.fail('train.Accuracy: output is %s, target %s: expected N x classes scores and N '
         .. 'classes',
         shapes.text(output), shapes.text(target))
   end
   local least = check(output, target)
   local k = math.min(self.k, output:size(2))
   local _, places
   if k == 1 then
      _, places = output:max(2)
   else
      _, places = output:topk(k, 2, true)
   end
   local wanted = target:contiguous():view(n, 1):expand(n, k)
   self.right = self.right + places:eq(wanted:typeAs(places)):sum()
   self.count = self.count + (least < 0 and target:gt(0):sum() or n)
end

--- Count what another one has counted.
-- @param other an Accuracy, or its fields
function Accuracy:merge(other)
   self.right, self.count = self.right + other.right, self.count + other.count
end

--- Right ones / all; NaN before the first.
function Accuracy:value()
   return self.right / self.count
end

return Accuracy
