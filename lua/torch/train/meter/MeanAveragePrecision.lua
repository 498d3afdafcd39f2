--- Mean average precision of scores for several labels.
-- @classmod train.MeanAveragePrecision
-- @example
-- local train = require 'torch.train'
-- local map = train.MeanAveragePrecision()
-- map:add(torch.Tensor { { 0.9 }, { 0.8 }, { 0.7 } }, torch.Tensor { { 1 }, { 0 }, { 1 } })
-- map:value() --> 0.83333

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'
local shapes = require 'torch.functions.shapes'

local MAP = torch.class('train.MeanAveragePrecision', train)

--- The mean, over the labels that some sample has, of (1 / P) times the sum, over the P samples
-- that have the label, of the share of such samples among those whose score is at least as high in
-- order. Source: Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008,
-- section 8.4.
function MAP:__init()
   self:reset()
end

--- Begin anew.
function MAP:reset()
   self.scores, self.labels = {}, {}
end

--- Keep a batch.
-- @tparam Tensor output N x labels scores
-- @tparam Tensor target N x labels, 1 where a sample has the label, else 0
function MAP:add(output, target)
   if output:dim() ~= 2 or not output:isSameSizeAs(target) then
      options.fail('train.MeanAveragePrecision: output is %s, target %s: expected N x labels '
         .. 'scores, and '
         .. '0 or 1 for each', shapes.text(output), shapes.text(target))
   end
   table.insert(self.scores, output:double():clone())
   table.insert(self.labels, target:double():clone())
end

--- Keep what another one has kept.
-- @param other a MeanAveragePrecision, or its fields
function MAP:merge(other)
   for i, scores in ipairs(other.scores) do
      table.insert(self.scores, scores)
      table.insert(self.labels, other.labels[i])
   end
end

local function of_label(scores, labels)
   local _, order = scores:sort(1, true)
   local hits = labels:index(1, order)
   local precision = hits:cumsum(1):cdiv(torch.range(1, hits:size(1)))
   local positives = hits:sum()
   return positives > 0 and precision:dot(hits) / positives or nil
end

--- From 0 to 1; NaN where no sample has a label.
function MAP:value()
   if #self.scores == 0 then
      return 0 / 0
   end
   local scores, labels = torch.cat(self.scores, 1), torch.cat(self.labels, 1)
   local sum, count = 0, 0
   for j = 1, scores:size(2) do
      local precision = of_label(scores:select(2, j):contiguous(), labels:select(2, j):contiguous())
      if precision then
         sum, count = sum + precision, count + 1
      end
   end
   return sum / count
end

return MAP
