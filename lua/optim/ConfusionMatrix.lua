--- Counts of predicted classes for each true class.
--
-- Rows of `mat` are true classes, columns predicted ones. Read the rates after `updateValids`:
-- `totalValid` (share of all samples that is right), `valids` (recall of each class),
-- `averageValid` (its mean), `unionvalids` (hits / (row + column - hits), the PASCAL VOC measure),
-- `averageUnionValid` (its mean).
-- @classmod optim.ConfusionMatrix

local torch = require 'torch'
local optim = require 'optim'
local raise = require('torch.errors').raise
local numeric = require('torch.arguments').numeric

local ConfusionMatrix = torch.class('optim.ConfusionMatrix', optim)

--- @param nclasses number of classes, or table of class names
-- @tparam[opt] table classes class names
function ConfusionMatrix:__init(nclasses, classes)
   if type(nclasses) == 'table' then
      classes, nclasses = nclasses, #nclasses
   end
   nclasses = numeric(nclasses) or nclasses
   if type(nclasses) ~= 'number' or nclasses < 1 or nclasses % 1 ~= 0 then
      local message = 'ConfusionMatrix: nclasses is %s, expected their number or a table of names'
      raise(message:format(tostring(nclasses)))
   end
   self.nclasses = nclasses
   self.classes = classes or {}
   self.mat = torch.LongTensor(nclasses, nclasses):zero()
   self.valids = torch.FloatTensor(nclasses):zero()
   self.unionvalids = torch.FloatTensor(nclasses):zero()
   self.totalValid = 0
   self.averageValid = 0
   self.averageUnionValid = 0
end

-- The class a value names: itself, the one element of a tensor, or the place of the highest score.
local function class_of(value)
   value = numeric(value) or value
   if type(value) == 'number' then
      return value
   elseif torch.isTensor(value) and value:nElement() == 1 then
      return value:view(1)[1]
   elseif torch.isTensor(value) and value:nElement() > 1 then
      local _, place = value:view(-1):max(1)
      return place[1]
   end
   raise(
      ('ConfusionMatrix: expected a class number or a tensor of scores, got %s'):format(
         value == nil and 'nil' or 'a ' .. torch.type(value)
      )
   )
end

--- Count one sample; targets below 1 are left out.
-- @int p predicted class
-- @int t true class
function ConfusionMatrix:_add(p, t)
   if p < 1 or p > self.nclasses or t > self.nclasses or p % 1 ~= 0 or t % 1 ~= 0 then
      raise(
         ('ConfusionMatrix: prediction %s and target %s must be classes from 1 to %d'):format(
            tostring(p),
            tostring(t),
            self.nclasses
         )
      )
   end
   if t > 0 then
      self.mat[t][p] = self.mat[t][p] + 1
   end
end

--- Count one sample.
-- @param prediction class number, or a score for each class
-- @param target class number, or a score for each class (one-hot)
-- @example
-- local confusion = optim.ConfusionMatrix { 'cat', 'dog' }
-- confusion:add(2, 1)
-- confusion.mat --> { { 0, 1 }, { 0, 0 } }
function ConfusionMatrix:add(prediction, target)
   self:_add(class_of(prediction), class_of(target))
end

-- A 1-D list of classes, from classes or from N x nclasses scores.
local function classes_of(self, values, name)
   local dims = torch.isTensor(values) and values:dim() or 0
   if dims == 2 and values:size(2) == self.nclasses and self.nclasses > 1 then
      local _, places = values:max(2)
      return places:view(-1)
   elseif dims == 1 or (dims == 2 and (values:size(1) == 1 or values:size(2) == 1)) then
      return values:contiguous():view(-1)
   end
   raise(
      ('ConfusionMatrix: %s are %s, expected N classes or N x %d scores'):format(
         name,
         dims > 0 and table.concat(values:size():totable(), 'x') or 'a ' .. torch.type(values),
         self.nclasses
      )
   )
end

--- Count a batch.
-- @tparam Tensor predictions N classes, or N x nclasses scores
-- @tparam Tensor targets N classes, or N x nclasses scores (one-hot)
-- @example
-- local confusion = optim.ConfusionMatrix(2)
-- local scores = torch.Tensor { { 0.9, 0.1 }, { 0.2, 0.8 }, { 0.6, 0.4 } }
-- confusion:batchAdd(scores, torch.LongTensor { 1, 2, 2 })
-- confusion.mat --> { { 1, 0 }, { 1, 1 } }
function ConfusionMatrix:batchAdd(predictions, targets)
   local p = classes_of(self, predictions, 'predictions')
   local t = classes_of(self, targets, 'targets')
   if p:nElement() ~= t:nElement() then
      raise(
         ('ConfusionMatrix: %d predictions for %d targets'):format(p:nElement(), t:nElement())
      )
   end
   for i = 1, p:nElement() do
      self:_add(p[i], t[i])
   end
end

--- Start counting anew.
function ConfusionMatrix:zero()
   self.mat:zero()
   self.valids:zero()
   self.unionvalids:zero()
   self.totalValid = 0
   self.averageValid = 0
   self.averageUnionValid = 0
end

local function mean_of_defined(rates)
   local sum, count = 0, 0
   for i = 1, rates:nElement() do
      if rates[i] == rates[i] then
         sum, count = sum + rates[i], count + 1
      end
   end
   return sum / count
end

--- Work out the rates from the counts.
-- @example
-- local confusion = optim.ConfusionMatrix(2)
-- confusion:batchAdd(torch.LongTensor { 1, 2, 1 }, torch.LongTensor { 1, 2, 2 })
-- confusion:updateValids()
-- confusion.totalValid, confusion.valids --> 0.6667, { 1, 0.5 }
function ConfusionMatrix:updateValids()
   local rows, columns = self.mat:sum(2):view(-1), self.mat:sum(1):view(-1)
   local right, all = 0, 0
   for c = 1, self.nclasses do
      local hits = self.mat[c][c]
      self.valids[c] = hits / rows[c]
      self.unionvalids[c] = hits / (rows[c] + columns[c] - hits)
      right, all = right + hits, all + rows[c]
   end
   self.totalValid = right / all
   self.averageValid = mean_of_defined(self.valids)
   self.averageUnionValid = mean_of_defined(self.unionvalids)
end

--- Error rates of each class: false rejection (its samples taken for others) and false acceptance
-- (mean share of the other classes' samples taken for it).
-- @return rejection and acceptance of all classes (-1 for those without samples), then of those
-- with
-- samples only
function ConfusionMatrix:farFrr()
   local n = self.nclasses
   local counts = self.mat:sum(2):view(-1)
   local class_frr, class_far = torch.Tensor(n):fill(-1), torch.Tensor(n):fill(-1)
   local frr, far = {}, {}
   for i = 1, n do
      if counts[i] > 0 then
         local share, others = 0, 0
         for j = 1, n do
            if j ~= i and counts[j] > 0 then
               share, others = share + self.mat[j][i] / counts[j], others + 1
            end
         end
         class_frr[i] = 1 - self.mat[i][i] / counts[i]
         class_far[i] = share / others
         frr[#frr + 1], far[#far + 1] = class_frr[i], class_far[i]
      end
   end
   return class_frr, class_far, torch.Tensor(frr), torch.Tensor(far)
end

--- The counts, the recall of each class in percent, and the averages.
function ConfusionMatrix:__tostring__()
   self:updateValids()
   local n = self.nclasses
   local width = math.max(8, #tostring(self.mat:max()) + 2)
   local lines = { 'ConfusionMatrix:' }
   for t = 1, n do
      local row = {}
      for p = 1, n do
         row[p] = ('%' .. width .. 'd'):format(self.mat[t][p])
      end
      lines[#lines + 1] = ('%s%s]%s  %7.3f%%%s'):format(
         t == 1 and '[[' or ' [',
         table.concat(row),
         t == n and ']' or ' ',
         self.valids[t] * 100,
         self.classes[t] and '  [class: ' .. tostring(self.classes[t]) .. ']' or ''
      )
   end
   local averages = {
      { ' + average row correct: ', self.averageValid },
      { ' + average rowUcol correct (VOC measure): ', self.averageUnionValid },
      { ' + global correct: ', self.totalValid },
   }
   for _, average in ipairs(averages) do
      lines[#lines + 1] = ('%s%.3f%%'):format(average[1], average[2] * 100)
   end
   return table.concat(lines, '\n')
end

local function order_by(self, sortmode)
   local order = {}
   for i = 1, self.nclasses do
      order[i] = i
   end
   if sortmode == 'score' then
      table.sort(order, function(a, b)
         return self.valids[a] > self.valids[b]
      end)
   elseif sortmode == 'occurrence' then
      local counts = self.mat:sum(2):view(-1)
      table.sort(order, function(a, b)
         return counts[a] > counts[b]
      end)
   end
   return order
end

--- A picture: a block for each count, as a share of its row; hits green, errors red, by class.
-- @string[opt='score'] sortmode 'score' (best class first), 'occurrence' (most frequent first), or
-- anything else for the order of classes
-- @bool[opt=false] display show it with image.display
-- @int[opt=25] block pixels along the side of a block
-- @int[opt=200] legendwidth grey pixels left free beside it for a legend
-- @treturn Tensor 3 x (nclasses * block) x (nclasses * block + legendwidth), 0 to 1
function ConfusionMatrix:render(sortmode, display, block, legendwidth)
   block, legendwidth = block or 25, legendwidth or 200
   self:updateValids()
   local order = order_by(self, sortmode or 'score')
   local n, counts = self.nclasses, self.mat:sum(2):view(-1)
   local picture = torch.Tensor(3, n * block, n * block + legendwidth):fill(0.9)
   for i = 1, n do
      for j = 1, n do
         local t, p = order[i], order[j]
         local share = counts[t] > 0 and self.mat[t][p] / counts[t] or 0
         local row = picture:narrow(2, (i - 1) * block + 1, block)
         local cell = row:narrow(3, (j - 1) * block + 1, block)
         cell:fill(0)
         cell:select(1, t == p and 2 or 1):fill(share)
      end
   end
   if display then
      require('image').display { image = picture, legend = 'confusion matrix' }
   end
   return picture
end

return ConfusionMatrix
